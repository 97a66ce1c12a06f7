package corpus

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A corpus file that lies elsewhere is read as far as it is needed, and damage is noticed.
func TestRanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.topoi")
	whole := FromTokens([][]string{{"b", "a", "b"}, {}, {"c", "a"}, {"d"}})
	if err := whole.Save(path); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	open := func(b []byte) (*Corpus, error) {
		return OpenRanges("x", int64(len(b)), func(p []byte, offset int64) error { _, err := bytes.NewReader(b).ReadAt(p, offset); return err })
	}
	c, err := open(file)
	if err != nil {
		t.Fatal(err)
	}
	if !c.Ranged() || c.Fingerprint() != whole.Fingerprint() || !slices.Equal(c.Offsets(), whole.Offsets()) || c.Word(2) != whole.Word(2) {
		t.Error("it differs")
	}
	for lo := range whole.NumTokens() {
		for hi := lo; hi <= whole.NumTokens(); hi++ {
			if got, err := c.ReadTokens(lo, hi); err != nil || !slices.Equal(got, whole.Tokens()[lo:hi]) {
				t.Errorf("%d to %d: %v, %v", lo, hi, got, err)
			}
		}
	}
	for at := range file { // every byte matters, or is padding or of the tokens, which have no checksum of their own
		b := slices.Clone(file)
		b[at] ^= 0x80
		c, err := open(b)
		if err == nil {
			_, err = c.ReadTokens(0, c.NumTokens())
		}
		if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNotCorpus) && !errors.Is(err, ErrVersion) {
			t.Errorf("byte %d: %v", at, err)
		}
	}
	if _, err := open(file[:len(file)-1]); !errors.Is(err, ErrDamaged) {
		t.Errorf("a truncated file: %v", err)
	}
}
