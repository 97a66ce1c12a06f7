// Package modelfile defines the arrays of a model, and the files of a model's directory that hold them.
// docs/formats.md has the format.
package modelfile

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/internal/machine"
	"github.com/topoi-lda/topoi/internal/objects"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// Names of the array files, and of the corpus beside them.
const (
	Alpha      = "alpha.f64"        // float64[K]: α_k
	Totals     = "topic_totals.u64" // uint64[K]: n_k
	RowEnds    = "row_ends.u64"     // uint64[V]: end of row w in Rows
	Rows       = "rows.u32"         // pairs (topic, n_wk) of uint32, by word, then by topic
	WordEnds   = "word_ends.u64"    // uint64[V]: end of word w in Words
	Words      = "words.utf8"       // the words, one after the other
	Topics     = "topics.u16"       // uint16[N]: z, when K ≤ 65536
	TopicsWide = "topics.u32"       // uint32[N]: z, when K > 65536
	PseudoEnds = "pseudo_ends.u64"  // uint64[V]: end of row w in Pseudo; of models with pseudo-counts
	Pseudo     = "pseudo.u32"       // pairs (topic, m_wk) of uint32, by word, then by topic
	Pipeline   = "pipeline.json"    // the text pipeline's options; empty when the input came tokenised

	Documents = "corpus.topoi"
)

// Names lists all files that hold arrays.
var Names = []string{Alpha, Totals, RowEnds, Rows, WordEnds, Words, Topics, TopicsWide, Pipeline, PseudoEnds, Pseudo}

// Array describes one array file.
type Array struct {
	Name     string `json:"file"`
	Type     string `json:"type"`     // "f64", "u64", "u32", "u16" or "bytes"
	Length   uint64 `json:"length"`   // in elements
	Checksum string `json:"checksum"` // XXH3-128 of the file
}

// elementBytes gives the size of each Array.Type.
var elementBytes = map[string]uint64{"f64": 8, "u64": 8, "u32": 4, "u16": 2, "bytes": 1}

// Specs returns name and type of the arrays of a model of k topics, with or without pseudo-counts, in the
// order of the manifest and the fingerprint.
func Specs(k int, pseudo bool) []Array {
	specs := []Array{
		{Name: Alpha, Type: "f64"},
		{Name: Totals, Type: "u64"},
		{Name: RowEnds, Type: "u64"},
		{Name: Rows, Type: "u32"},
		{Name: WordEnds, Type: "u64"},
		{Name: Words, Type: "bytes"},
		topicsArray(k),
		{Name: Pipeline, Type: "bytes"},
	}
	if pseudo {
		specs = append(specs, Array{Name: PseudoEnds, Type: "u64"}, Array{Name: Pseudo, Type: "u32"})
	}
	return specs
}

// topicsArray returns name and type of the array of z.
func topicsArray(k int) Array {
	if k > topics.MostNarrow {
		return Array{Name: TopicsWide, Type: "u32"}
	}
	return Array{Name: Topics, Type: "u16"}
}

// Check checks that a list of arrays is that of a model with the given numbers of topics, words and tokens.
func Check(arrays, specs []Array, topics, words, tokens int) error {
	if len(arrays) < len(specs) {
		return fmt.Errorf("it lists %d arrays, not %d", len(arrays), len(specs))
	}
	k, v, n := uint64(topics), uint64(words), uint64(tokens)
	length := map[string]uint64{Alpha: k, Totals: k, RowEnds: v, WordEnds: v, PseudoEnds: v, Topics: n, TopicsWide: n}
	for i, want := range specs {
		got := arrays[i]
		if got.Name != want.Name || got.Type != want.Type {
			return fmt.Errorf("array %d is %s of %s, not %s of %s", i, got.Name, got.Type, want.Name, want.Type)
		}
		if n, fixed := length[want.Name]; fixed && n != got.Length {
			return fmt.Errorf("array %s has %d elements, not %d", got.Name, got.Length, n)
		}
	}
	return nil
}

// Write writes the file of an array and completes its description. each passes the bytes to put, piece by piece.
func (a *Array) Write(path string, each func(put func([]byte) error) error) error {
	return writeSynced(path, func(f *os.File) error {
		s := wholefile.NewSummed(wholefile.Early(f))
		err := each(s.Put)
		a.set(s)
		return err
	})
}

// set stores the checksum and length of an array.
func (a *Array) set(s *wholefile.Summed) {
	a.Checksum, a.Length = hex.EncodeToString(s.Sum()), uint64(s.Size)/elementBytes[a.Type]
}

// Put writes a file and makes it durable.
func Put(path string, b []byte) error {
	return writeSynced(path, func(f *os.File) error { _, err := f.Write(b); return err })
}

// writeSynced makes a file durable.
func writeSynced(path string, write func(*os.File) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// Fingerprint hashes the checksums of all arrays except the text options, followed by β.
func Fingerprint(arrays []Array, beta float64) string {
	h := xxh3.New()
	for _, a := range arrays {
		if a.Name != Pipeline {
			sum, _ := hex.DecodeString(a.Checksum) // of our own making, or covered by the manifest's checksum
			h.Write(sum)
		}
	}
	h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(beta)))
	sum := h.Sum128().Bytes()
	return hex.EncodeToString(sum[:])
}

var noChecksum = hex.EncodeToString(make([]byte, 16))

func checksumOf(b []byte) string {
	sum := xxh3.Hash128(b).Bytes()
	return hex.EncodeToString(sum[:])
}

// Seal returns v as JSON. Its last field that is written, *checksum, becomes the hash of the text with the digits of
// that field all 0.
func Seal(v any, checksum *string) ([]byte, error) {
	*checksum = noChecksum
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, err
	}
	b = append(b, '\n')
	copy(b[bytes.LastIndex(b, []byte(noChecksum)):], checksumOf(b))
	return b, nil
}

// isSealed reports whether a text that Seal returned has the stated checksum.
func isSealed(b []byte, checksum string) bool {
	zeroed := bytes.Clone(b)
	if i := bytes.LastIndex(zeroed, []byte(checksum)); i >= 0 && len(checksum) == len(noChecksum) {
		copy(zeroed[i:], noChecksum)
	}
	return checksumOf(zeroed) == checksum
}

// Facts are the facts in run.json about the run that made a model. Nothing of it determines the model.
type Facts struct {
	Model   string    `json:"model"` // where it was saved
	Program string    `json:"program"`
	Began   time.Time `json:"began"`
	Seconds float64   `json:"seconds,omitempty"` // of training; machine and seconds of a cluster are not known
	System  string    `json:"system,omitempty"`  // such as linux/amd64
	Cores   int       `json:"cores,omitempty"`
	Memory  uint64    `json:"memory_bytes,omitempty"`
	Inputs  []Input   `json:"inputs"`
}

// Input is a file, a directory or an object that a model was made from.
type Input struct {
	Path  string `json:"path"` // as it was given
	Bytes int64  `json:"bytes,omitempty"`

	// Checksum is xxh3-128: and the hash of the content, of a directory that of all files in the order of their paths;
	// corpus: and the fingerprint of a corpus file; etag: and what a store says of an object; or empty.
	Checksum string `json:"checksum,omitempty"`
}

// Observe begins to collect the facts about a run with these inputs. The function that it returns ends the run.
func Observe(model, program string, inputs []string, o source.Options) (end func() Facts) {
	f := Facts{
		Model: model, Program: program, Began: time.Now().UTC().Truncate(time.Second), System: runtime.GOOS + "/" +
			runtime.GOARCH,
		Cores: runtime.NumCPU(), Memory: machine.Memory(), Inputs: []Input{},
	}
	done := make(chan struct{})
	go func() { // files are hashed while the model is trained
		defer close(done)
		paths, _, _ := o.Files(inputs) // reading them has told of faults
		for _, path := range paths {
			f.Inputs = append(f.Inputs, observe(path))
		}
	}()
	began := time.Now()
	return func() Facts {
		f.Seconds = time.Since(began).Seconds()
		<-done
		return f
	}
}

// observe returns the size and checksum of an input, as far as they can be had.
func observe(path string) Input {
	in := Input{Path: path}
	switch {
	case path == "-":
	case objects.Is(path):
		if info, err := objects.Stat(path); err == nil {
			in.Bytes, in.Checksum = info.Size, "etag:"+info.ETag
		}
	case corpus.IsCorpus(path):
		if c, err := corpus.Open(path); err == nil {
			in.Checksum = "corpus:" + c.Fingerprint()
			_ = c.Close() // it was only read
		}
		if info, err := os.Stat(path); err == nil {
			in.Bytes = info.Size()
		}
	default:
		h := xxh3.New()
		err := filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			f, err := os.Open(path)
			if err != nil {
				return err
			}
			defer f.Close()
			n, err := io.Copy(h, f)
			in.Bytes += n
			return err
		})
		if sum := h.Sum128().Bytes(); err == nil {
			in.Checksum = "xxh3-128:" + hex.EncodeToString(sum[:])
		}
	}
	return in
}
