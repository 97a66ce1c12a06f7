package corpus

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/corpus/source"
)

// leftovers lists what is in the directory.
func leftovers(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestFailedImportsLeaveNothing(t *testing.T) {
	broken := errors.New("input.txt:7: broken")
	many := randomSource(source.ContentTokens)
	many.fail = broken
	for _, test := range []struct {
		name string
		src  *memorySource
		opts ImportOptions
		want string
	}{
		{"broken input", many, ImportOptions{}, "input.txt:7: broken"},
		{"id beyond the vocabulary", idSource([]string{"a"}, []uint32{0, 1}, []uint32{4, 1}), ImportOptions{}, "document 1 (counted from 0) has word id 4 (counted from 0), but the vocabulary has only 1 words; give the vocabulary that belongs to the documents"},
		{"id beyond everything", idSource(nil, []uint32{1 << 31, 1}), ImportOptions{}, "document 0 (counted from 0) has word id 2147483648; ids up to 268435455 are possible"},
		{"endless document", idSource(nil, []uint32{0, 1}, []uint32{0, 1<<32 - 1, 0, 5}), ImportOptions{}, "document 1 (counted from 0) has 4294967295 tokens; at most 2147483647 are possible"},
		{"no documents", tokenSource(), ImportOptions{}, "there are no words: the input has no documents"},
		{"no words", tokenSource("", ""), ImportOptions{}, "there are no words in any of 2 documents"},
		{"stop words only", &memorySource{docs: []source.Document{{Text: []byte("the 7 of")}}}, ImportOptions{}, "there are no words: nothing is left of 1 document after numbers, stop words and the like were dropped; check that the right column or field is read"},
		{"no word left", tokenSource("a b", "c"), ImportOptions{MinDF: 2}, "no word is left: all 3 were dropped by frequency; allow rarer or more frequent words"},
		{"bad options", tokenSource("a"), ImportOptions{MinDF: -1, MaxDF: 2.5}, "the least number of documents with a word is -1; it must not be negative\nthe largest number of documents with a word is 2.5; above 1 it must be a whole number of documents"},
	} {
		dir := t.TempDir()
		_, err := ImportSource(context.Background(), test.src, filepath.Join(dir, "c.topoi"), test.opts)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: got %v, want %s", test.name, err, test.want)
		}
		if left := leftovers(t, dir); len(left) > 0 {
			t.Errorf("%s: left behind %v", test.name, left)
		}
		if test.src.closed != 1 {
			t.Errorf("%s: the source was closed %d times", test.name, test.src.closed)
		}
	}
	if _, err := ImportSource(context.Background(), tokenSource("a"), filepath.Join(t.TempDir(), "no", "c.topoi"), ImportOptions{}); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "does not exist; make it first") {
		t.Errorf("missing directory: %v", err)
	}
}

func TestCancelledImportsLeaveNothing(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	src := randomSource(source.ContentTokens)
	n := 0
	src.before = func() {
		if n++; n == len(src.docs)*2/3 {
			cancel()
		}
	}
	_, err := ImportSource(ctx, src, filepath.Join(dir, "c.topoi"), ImportOptions{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if left := leftovers(t, dir); len(left) > 0 {
		t.Errorf("left behind %v", left)
	}
}

// TestCancelDoesNotWaitForInput: a source that blocks, as a terminal does, must
// not hold up the end.
func TestCancelDoesNotWaitForInput(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	src := tokenSource("a")
	release := make(chan struct{})
	src.before = func() { cancel(); <-release }
	ended := make(chan error)
	go func() {
		_, _, err := loadSource(ctx, src, ImportOptions{})
		ended <- err
	}()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	case <-time.After(2 * time.Minute):
		t.Error("the import waits for its input")
	}
	close(release)
}
