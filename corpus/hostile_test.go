package corpus

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

func heapAllocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// Documents and tokens out of proportion to the input are refused, and a long line costs what it is worth. The
// attacks on readers are in package source.
func TestHostileInput(t *testing.T) {
	var blank bytes.Buffer
	z := gzip.NewWriter(&blank)
	if _, err := z.Write(bytes.Repeat([]byte("\n"), 2<<20)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, file string
		data       []byte
		want       string // part of the sentence; empty: it is read
	}{
		{"gzip: empty lines", "a.txt.gz", blank.Bytes(), "refers to"},
		{"counts: 2^31 of a word", "a.ldac", []byte("1 0:2147483647\n1 0:1\n"), "refers to"},
		{"a long line", "a.txt", []byte(strings.Repeat("a word of a long line and more ", 150_000)), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), c.file)
			if err := os.WriteFile(path, c.data, 0o600); err != nil {
				t.Fatal(err)
			}
			before := heapAllocated()
			_, err := Import(context.Background(), []string{path}, filepath.Join(t.TempDir(), "out.topoi"), ImportOptions{Threads: 1, MaxDF: 1})
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if used, most := heapAllocated()-before, uint64(200<<20+30*len(c.data)); used > most {
				t.Errorf("%d bytes of memory, at most %d are proportionate", used, most)
			}
		})
	}
}

// A very long text is cut at blanks, never inside a character.
func TestPortions(t *testing.T) {
	for _, text := range []string{strings.Repeat("word ", 2<<20), strings.Repeat("語", 3<<20), "short", ""} {
		var joined []byte
		for part := range portions([]byte(text)) {
			joined = append(joined, part...)
			if len(part) > 4<<20 || len(text) > 5 && text[0] == 'w' && part[len(part)-1] != ' ' || !strings.HasPrefix(text, string(part[:min(3, len(part))])) {
				t.Fatalf("a part of %d bytes begins %q", len(part), part[:3])
			}
		}
		if string(joined) != text {
			t.Fatal("parts differ from the text")
		}
	}
}
