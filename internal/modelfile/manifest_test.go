package modelfile

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/labelsfile"
)

// described is a manifest.
type described struct {
	Format   string `json:"format"`
	Version  int    `json:"format_version"`
	Text     string `json:"text"`
	Checksum string `json:"checksum"`
}

// sealed returns a manifest as bytes.
func sealed(t *testing.T, version int, text string) []byte {
	t.Helper()
	d := described{Format: Format, Version: version, Text: text}
	b, err := Seal(&d, &d.Checksum)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The checksum of a manifest is that of the text with the checksum's digits all 0, also where the text has as many zeros
// before it.
func TestSealed(t *testing.T) {
	b := sealed(t, 1, noChecksum)
	var d described
	if err := Decode(b, &d); err != nil || d.Text != noChecksum {
		t.Errorf("%+v: %v", d, err)
	}
	sum := xxh3.Hash128(bytes.Replace(b, []byte(d.Checksum), []byte(strings.Repeat("0", 32)), 1)).Bytes()
	if hex.EncodeToString(sum[:]) != d.Checksum || b[len(b)-1] != '\n' {
		t.Errorf("%s", b)
	}
}

// A manifest of another version, or with one changed letter, is refused for what it is.
func TestManifestsThatCannotBeRead(t *testing.T) {
	for version, want := range map[int]error{0: ErrVersion, 1: nil, 2: nil, 3: nil, 4: ErrVersion} {
		if err := Decode(sealed(t, version, "x"), new(described)); !errors.Is(err, want) {
			t.Errorf("version %d: %v", version, err)
		}
	}
	b := sealed(t, 1, "one")
	for name, c := range map[string]struct {
		b    []byte
		want error
	}{
		"another word":  {bytes.Replace(b, []byte("one"), []byte("two"), 1), ErrDamaged},
		"cut off":       {b[:len(b)-10], ErrDamaged},
		"no checksum":   {[]byte(`{"format": "topoi model", "format_version": 1}`), ErrDamaged},
		"another form":  {[]byte(`{"format": "topoi corpus", "format_version": 1}`), ErrNotModel},
		"no JSON":       {[]byte(`topics`), ErrNotModel},
		"escaped sum":   {[]byte(`{"format": "topoi model", "format_version": 1, "checksum": "\u0030"}`), ErrDamaged},
		"another field": {[]byte(`{"format": "topoi model", "format_version": "1"}`), ErrDamaged},
	} {
		if err := Decode(c.b, new(described)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// What is no directory, has no manifest, or a damaged one, is refused; the errors name the directory.
func TestReadManifest(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{filepath.Join(dir, "none"): fs.ErrNotExist, file: ErrNotModel, dir: ErrNotModel} {
		if err := ReadManifest(path, new(described)); !errors.Is(err, want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, Manifest), sealed(t, 2, "text"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := ReadManifest(filepath.Join(file, "model"), new(described)); err == nil || !strings.HasPrefix(err.Error(), "cannot open the model: ") {
		t.Errorf("a directory below a file: %v", err)
	}
	if err := CheckTarget(filepath.Join(file, "model"), true); err == nil {
		t.Error("a model can be put below a file")
	}
	var d described
	if err := ReadManifest(dir, &d); err != nil || d.Version != 2 || d.Text != "text" {
		t.Errorf("%+v: %v", d, err)
	}
	if err := os.Truncate(filepath.Join(dir, Manifest), maxManifest+1); err != nil {
		t.Fatal(err)
	}
	if err := ReadManifest(dir, &d); !errors.Is(err, ErrNotModel) || !strings.Contains(err.Error(), "268435457 bytes") {
		t.Errorf("a huge manifest: %v", err)
	}
}

// A model is put where nothing is, or in the place of a model of which nothing else would be lost.
func TestCheckTarget(t *testing.T) {
	dir := t.TempDir()
	model := filepath.Join(dir, "model")
	put := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(model, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(model, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(overwrite bool, want string) {
		t.Helper()
		if err := CheckTarget(model, overwrite); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	for _, overwrite := range []bool{false, true} {
		if err := CheckTarget(model, overwrite); err != nil {
			t.Error(err)
		}
	}
	put(Alpha, "")
	refused(true, "exists and is not a topoi model")
	put(Manifest, string(sealed(t, 1, "")))
	for _, name := range append(slices.Clone(Names), Run, Documents) {
		put(name, "")
	}
	refused(false, "choose another name or allow overwriting")
	if err := CheckTarget(model, false); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if err := CheckTarget(model, true); err != nil {
		t.Error(err)
	}
	put(labelsfile.Name, `{"labels": {"0": "name"}, "from_training": true}`)
	if err := CheckTarget(model, true); err != nil {
		t.Errorf("labels that training wrote: %v", err)
	}
	put(labelsfile.Name, "{}")
	refused(true, "holds the names of topics of the model that is there now")
	if err := os.Remove(filepath.Join(model, labelsfile.Name)); err != nil {
		t.Fatal(err)
	}
	put("thesis.txt", "")
	refused(true, "the directory also holds thesis.txt")
}

// The finished directory takes the place of another, which is gone then.
func TestPutInPlace(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "model")
	for _, text := range []string{"first", "second"} {
		temporary := filepath.Join(dir, "temporary")
		if err := os.Mkdir(temporary, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(temporary, "file"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := PutInPlace(temporary, target); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(target, "file")); err != nil || string(b) != text {
			t.Errorf("%q: %v", b, err)
		}
		if _, err := os.Stat(temporary); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the temporary directory stays: %v", err)
		}
	}
	if err := PutInPlace(filepath.Join(dir, "none"), target); err == nil {
		t.Error("a directory that is not there takes the place of a model")
	}
}

// A list of arrays fits the numbers of topics, words and tokens.
func TestCheckArrays(t *testing.T) {
	arrays := Specs(3, true)
	content().Describe(arrays)
	if err := Check(arrays, Specs(3, true), 3, 3, 6); err != nil {
		t.Error(err)
	}
	for want, n := range map[string][3]int{
		"array alpha.f64 has 3 elements, not 4":    {4, 3, 6},
		"array row_ends.u64 has 3 elements, not 2": {3, 2, 6},
		"array topics.u16 has 6 elements, not 7":   {3, 3, 7},
	} {
		if err := Check(arrays, Specs(3, true), n[0], n[1], n[2]); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := Check(arrays[:9], Specs(3, true), 3, 3, 6); err == nil || err.Error() != "it lists 9 arrays, not 10" {
		t.Error(err)
	}
	if err := Check(arrays, Specs(3, false), 3, 3, 6); err != nil {
		t.Errorf("more arrays than are needed: %v", err)
	}
	for i, change := range []func(a *Array){func(a *Array) { a.Name = "x" }, func(a *Array) { a.Type = "u32" }} {
		other := slices.Clone(arrays)
		change(&other[1])
		if err := Check(other, Specs(3, true), 3, 3, 6); err == nil || !strings.HasPrefix(err.Error(), "array 1 is ") {
			t.Errorf("change %d: %v", i, err)
		}
	}
}

// A fingerprint is XXH3-128 of the checksums of all arrays but the text options, and β.
func TestFingerprint(t *testing.T) {
	arrays := Specs(3, true)
	content().Describe(arrays)
	var b []byte
	for _, name := range []string{Alpha, Totals, RowEnds, Rows, WordEnds, Words, Topics, PseudoEnds, Pseudo} {
		sum := xxh3.Hash128(files[name]).Bytes()
		b = append(b, sum[:]...)
	}
	sum := xxh3.Hash128(append(b, bytesOf(0.125)...)).Bytes()
	if got := Fingerprint(arrays, 0.125); got != hex.EncodeToString(sum[:]) {
		t.Errorf("fingerprint %s, want %x", got, sum)
	}
}
