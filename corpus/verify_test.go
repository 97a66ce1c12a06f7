package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/corpus/internal/format"
	"github.com/topoi-lda/topoi/internal/guard"
)

// copyOf opens a copy of the golden corpus.
func copyOf(t *testing.T) (c *Corpus, path string, content []byte) {
	content = readAll(t, filepath.Join("testdata", "v1.topoi"))
	path = filepath.Join(t.TempDir(), "c.topoi")
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, path, content
}

// A file that is written to while it is open is noticed, unless it holds the same.
func TestUnchanged(t *testing.T) {
	c, path, content := copyOf(t)
	later := time.Now().Add(time.Hour)
	if err := errors.Join(c.Unchanged(), os.Chtimes(path, later, later), c.Unchanged()); err != nil {
		t.Errorf("another time: %v", err)
	}
	content[at(content, format.Tokens)+4] ^= 1
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(content); err != nil {
		t.Fatal(err)
	}
	f.Close()
	err = c.Docs(0, 1).Unchanged() // a view tells of its file
	if !errors.Is(err, ErrChanged) || !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), `section "tokens"`) {
		t.Errorf("another token: %v", err)
	}
}

// A file that is replaced is still what was opened.
func TestReplaced(t *testing.T) {
	c, path, _ := copyOf(t)
	if c.Replaced() || newCorpus(Corpus{}).Replaced() {
		t.Error("replaced from the beginning")
	}
	other := filepath.Join(filepath.Dir(path), "other")
	if err := errors.Join(os.WriteFile(other, []byte("x"), 0o666), os.Rename(other, path)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.Unchanged(), c.Verify()); err != nil || !c.Replaced() {
		t.Errorf("%v, replaced: %v", err, c.Replaced())
	}
}

// A file that is cut short while it is open is an error, not the end of the program.
func TestCutShort(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a file that is mapped cannot be cut short everywhere")
	}
	c, path, _ := copyOf(t)
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{c.Unchanged(), c.Verify()} {
		if !errors.Is(err, guard.ErrFileLost) || !strings.Contains(err.Error(), path) {
			t.Error(err)
		}
	}
}
