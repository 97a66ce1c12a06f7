package modelfile_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/modelfile"
)

// FuzzManifest checks that no JSON makes a manifest with which a model is opened that does not add up. The checksum
// is put right, or no mutation would get beyond it.
func FuzzManifest(f *testing.F) {
	golden := filepath.Join("testdata", "model-v1")
	entries, err := os.ReadDir(golden)
	if err != nil {
		f.Fatal(err)
	}
	arrays := map[string][]byte{}
	for _, e := range entries {
		if arrays[e.Name()], err = os.ReadFile(filepath.Join(golden, e.Name())); err != nil {
			f.Fatal(err)
		}
	}
	var compact bytes.Buffer // shorter, and so quicker to work with
	if err := json.Compact(&compact, arrays[modelfile.Manifest]); err != nil {
		f.Fatal(err)
	}
	open := func(manifest []byte) (*topoi.Model, error) {
		files := fstest.MapFS{}
		for name, b := range arrays {
			files[name] = &fstest.MapFile{Data: b}
		}
		files[modelfile.Manifest] = &fstest.MapFile{Data: reseal(manifest)}
		return topoi.OpenFS(files)
	}
	if _, err := open(compact.Bytes()); err != nil {
		f.Fatal(err) // every mutation would be refused
	}
	f.Add(compact.Bytes())
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, manifest []byte) {
		m, err := open(manifest)
		if err != nil {
			return
		}
		defer m.Close()
		if m.NumTopics() != 3 || m.NumWords() != 16 {
			t.Fatalf("opened with %d topics and %d words", m.NumTopics(), m.NumWords())
		}
	})
}

// reseal returns a manifest with the checksum that it should have, if it has one of the right length.
func reseal(manifest []byte) []byte {
	var f struct {
		Checksum string `json:"checksum"`
	}
	zeros := strings.Repeat("0", 32)
	if json.Unmarshal(manifest, &f) != nil {
		return manifest
	}
	at := bytes.LastIndex(manifest, []byte(f.Checksum))
	if at < 0 || len(f.Checksum) != len(zeros) {
		return manifest
	}
	sealed := bytes.Clone(manifest)
	copy(sealed[at:], zeros)
	sum := xxh3.Hash128(sealed).Bytes()
	hex.Encode(sealed[at:], sum[:])
	return sealed
}
