package corpus

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/internal/format"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden files anew")

// goldenCorpus is the corpus in testdata/v1.topoi.
func goldenCorpus() *Corpus {
	var b Builder
	b.Add(Document{ID: "moby", Label: "sea", Time: "1851", Tokens: strings.Fields("whale sea ship whale")})
	b.Add(Document{ID: "empty"})
	b.Add(Document{ID: "zürich", Label: "town", Time: "2001-02-03", Tokens: strings.Fields("see ship straße")})
	c := b.Corpus()
	c.pipeline = []byte(`{"stem":true}`)
	return c
}

// TestGolden reads a frozen file of version 1 and writes it again: neither the
// reader nor the writer may change what version 1 means.
func TestGolden(t *testing.T) {
	golden := filepath.Join("testdata", "v1.topoi")
	c := goldenCorpus()
	if *update {
		if err := c.Save(golden); err != nil {
			t.Fatal(err)
		}
	}
	opened, err := Open(golden)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if err := opened.Verify(); err != nil {
		t.Error(err)
	}
	sameContent(t, c, opened)
	if got, want := opened.Fingerprint(), "4639251fc05afb26e47b2f453e8585c7"; got != want {
		t.Errorf("fingerprint %s, want %s", got, want)
	}
	again := filepath.Join(t.TempDir(), "again.topoi")
	if err := opened.Save(again); err != nil {
		t.Fatal(err)
	}
	if want, got := readAll(t, golden), readAll(t, again); !bytes.Equal(want, got) {
		t.Error("writing the golden corpus gives other bytes")
	}
}

// goldenShown is goldenCorpus with titles and snippets, as testdata/v1.1.topoi
// holds it.
func goldenShown() *Corpus {
	var b Builder
	b.Add(Document{ID: "moby", Label: "sea", Time: "1851", Title: "Moby-Dick", Snippet: "Call me Ishmael.", Tokens: strings.Fields("whale sea ship whale")})
	b.Add(Document{ID: "empty"})
	b.Add(Document{ID: "zürich", Label: "town", Time: "2001-02-03", Snippet: "Am See …", Tokens: strings.Fields("see ship straße")})
	c := b.Corpus()
	c.pipeline = []byte(`{"stem":true}`)
	return c
}

// TestGoldenTitles freezes version 1.1, which has titles and snippets. Its
// fingerprint is that of the same corpus without them.
func TestGoldenTitles(t *testing.T) {
	golden := filepath.Join("testdata", "v1.1.topoi")
	want := goldenShown()
	if *update {
		if err := want.Save(golden); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Open(golden)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Verify(); err != nil {
		t.Error(err)
	}
	sameContent(t, want, c)
	if got, want := c.Fingerprint(), goldenCorpus().Fingerprint(); got != want {
		t.Errorf("fingerprint %s, want %s", got, want)
	}
	if c.Title(0) != "Moby-Dick" || c.Title(2) != "" || c.Snippet(2) != "Am See …" || c.Snippet(1) != "" {
		t.Errorf("titles %q, snippets %q", c.titles.List(), c.snippets.List())
	}
	again := filepath.Join(t.TempDir(), "again.topoi")
	if err := c.Save(again); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(readAll(t, golden), readAll(t, again)) {
		t.Error("writing the golden corpus gives other bytes")
	}
	if b := readAll(t, golden); b[8] != 1 || b[10] != 1 {
		t.Errorf("version %d.%d, want 1.1", b[8], b[10])
	}
}

func readAll(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// reseal recomputes the header's checksum after a deliberate change.
func reseal(b []byte) []byte {
	n := binary.LittleEndian.Uint32(b[12:])
	binary.LittleEndian.PutUint64(b[56:], format.HeaderHash(b[:format.TableEnd(int(n))]))
	return b
}

// resealAll recomputes the checksums of all sections, too.
func resealAll(b []byte) {
	reseal(b)
	h, err := format.Decode(b, uint64(len(b)))
	if err != nil {
		return
	}
	for i, s := range h.Sections {
		sum := format.DigestOf(b[s.Offset : s.Offset+s.Size])
		copy(b[format.TableEnd(i)+32:], sum[:])
	}
	reseal(b)
}

// at returns where a section begins.
func at(b []byte, name string) int {
	h, err := format.Decode(b, uint64(len(b)))
	if err != nil {
		panic(err)
	}
	for _, s := range h.Sections {
		if s.Name == name {
			return int(s.Offset)
		}
	}
	panic("no section " + name)
}

func TestOpenRefuses(t *testing.T) {
	le := binary.LittleEndian
	for _, test := range []struct {
		name    string
		damage  func(b []byte) []byte
		want    error
		message string
	}{
		{"empty file", func(b []byte) []byte { return nil }, ErrNotCorpus, "not a corpus file: it does not start like one; import it first"},
		{"text", func(b []byte) []byte { return []byte("3430\n6906\n353160\n1 61 2\n") }, ErrNotCorpus, "not a corpus file: it does not start like one; import it first"},
		{"sent as text", func(b []byte) []byte { b[0] &= 0x7f; return b }, ErrNotCorpus, "not a corpus file: it does not start like one; import it first"},
		{"only the magic", func(b []byte) []byte { return b[:8] }, ErrDamaged, "damaged corpus file: it has only 8 bytes; copy or import it again"},
		{"newer version", func(b []byte) []byte { b[8] = 2; b[10] = 7; return b }, ErrVersion, "unknown version of the corpus file: it has version 2.7 and this program reads version 1; use a newer program, or import the corpus again"},
		{"one byte short", func(b []byte) []byte { return b[:len(b)-1] }, ErrDamaged, "it is truncated"},
		{"cut in the table", func(b []byte) []byte { return b[:100] }, ErrDamaged, "it is truncated to 100 of"},
		{"one byte more", func(b []byte) []byte { return append(b, 0) }, ErrDamaged, "the header does not fit into the file"},
		{"flipped bit in the table", func(b []byte) []byte { b[format.HeaderSize+40] ^= 1; return b }, ErrDamaged, "the header's checksum does not match"},
		{"impossible section count", func(b []byte) []byte { le.PutUint32(b[12:], 1<<31); return b }, ErrDamaged, "the header does not fit into the file"},
		{"section beyond the end", func(b []byte) []byte { le.PutUint64(b[format.HeaderSize+16:], 1<<40); return reseal(b) }, ErrDamaged, `section "tokens" lies outside the file`},
		{"section not aligned", func(b []byte) []byte { b[format.HeaderSize+16]++; return reseal(b) }, ErrDamaged, `section "tokens" lies outside the file`},
		{"missing section", func(b []byte) []byte { b[format.HeaderSize] = 'T'; return reseal(b) }, ErrDamaged, `section "tokens" is missing`},
		{"fewer tokens than told", func(b []byte) []byte { b[32]++; return reseal(b) }, ErrDamaged, `section "tokens" has 28 bytes, not 8 elements of 4 bytes`},
		{"documents beyond counting", func(b []byte) []byte { le.PutUint64(b[16:], 1<<64-1); return reseal(b) }, ErrDamaged, `section "offsets" has`},
		{"falling offsets", func(b []byte) []byte { b[at(b, format.Offsets)+8] = 200; return b }, ErrDamaged, "the offsets of its documents do not increase from 0 to 7"},
		{"unsorted tokens", func(b []byte) []byte { b[at(b, format.Tokens)] = 3; return b }, ErrDamaged, "the tokens of document 0 are not sorted"},
		{"word beyond the vocabulary", func(b []byte) []byte { b[at(b, format.Tokens)+24] = 5; return b }, ErrDamaged, "document 2 holds word 5 of a vocabulary of 5"},
		{"words that overlap", func(b []byte) []byte { b[at(b, "words.ends")] = 99; return b }, ErrDamaged, `section "words.ends" does not fit section "words.bytes"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "c.topoi")
			whole := readAll(t, filepath.Join("testdata", "v1.topoi"))
			if err := os.WriteFile(path, test.damage(whole), 0o666); err != nil {
				t.Fatal(err)
			}
			_, err := Open(path)
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.message) {
				t.Errorf("got %v, want %q", err, test.message)
			}
			if err != nil && !strings.HasPrefix(err.Error(), path+": ") {
				t.Errorf("%v does not begin with the path", err)
			}
		})
	}
}

func TestOpenRefusesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); !errors.Is(err, ErrNotCorpus) {
		t.Errorf("a directory: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if IsCorpus(dir) || IsCorpus(filepath.Join(dir, "none")) || !IsCorpus(filepath.Join("testdata", "v1.topoi")) {
		t.Error("IsCorpus is wrong")
	}
}

// TestOpenFindsEveryChangedByte flips one bit anywhere: Open must notice, unless it
// is padding.
func TestOpenFindsEveryChangedByte(t *testing.T) {
	whole := readAll(t, filepath.Join("testdata", "v1.topoi"))
	h, err := format.Decode(whole, uint64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "c.topoi")
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.IntRange(0, len(whole)-1).Draw(t, "byte")
		inside := i < int(format.TableEnd(len(h.Sections)))
		for _, s := range h.Sections {
			inside = inside || i >= int(s.Offset) && i < int(s.Offset+s.Size)
		}
		b := bytes.Clone(whole)
		b[i] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		c, err := Open(path)
		if err == nil {
			c.Close()
		}
		if (err != nil) != inside {
			t.Fatalf("byte %d: %v", i, err)
		}
	})
}

// TestUnknownSectionsAreSkipped: a later minor version may add sections.
func TestUnknownSectionsAreSkipped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.topoi")
	b := readAll(t, filepath.Join("testdata", "v1.topoi"))
	n := int(binary.LittleEndian.Uint32(b[12:]))
	b[10] = 9 // minor version
	copy(b[format.TableEnd(n-1):], "pipelinf")
	if err := os.WriteFile(path, reseal(b), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if len(c.Pipeline()) != 0 || c.NumTokens() != 7 {
		t.Error("the unknown section was not skipped")
	}
}

// FuzzOpen checks that no bytes make decoding fail but with one of the three
// errors, and that what decodes can be used.
func FuzzOpen(f *testing.F) {
	whole := readAll(f, filepath.Join("testdata", "v1.topoi"))
	f.Add(whole)
	f.Add(whole[:200])
	f.Add(readAll(f, filepath.Join("testdata", "v1.1.topoi")))
	f.Add([]byte("3\n2\n1\n1 1 1\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		aligned := mapfile.Aligned(len(b))
		copy(aligned, b)
		if len(aligned) >= format.HeaderSize && string(aligned[:8]) == format.Magic {
			if n := binary.LittleEndian.Uint32(aligned[12:]); n < format.MaxSections && format.TableEnd(int(n)) <= uint64(len(aligned)) {
				resealAll(aligned) // else no mutation would get beyond the checksums
			}
		}
		c, err := decode(&mapfile.File{Data: aligned}, "fuzzed")
		if err != nil {
			if !errors.Is(err, ErrNotCorpus) && !errors.Is(err, ErrVersion) && !errors.Is(err, ErrDamaged) {
				t.Fatalf("unexpected error %v", err)
			}
			return
		}
		for d := range c.NumDocs() {
			for _, w := range c.Doc(d) {
				_ = c.Word(int(w))
			}
			_, _, _, _, _ = c.ID(d), c.Label(d), c.Time(d), c.Title(d), c.Snippet(d)
		}
	})
}
