package ondisk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// partDir names the files of parts. A layout is written once; tokens and counts are written
// anew in every round, under a new generation, beside the old ones.
//
//	part-00012.layout        sampler.Layout
//	part-00012.tokens.345    the memory of the sampler.Part, then XXH3-64 of it
//	part-00012.counts.345    the part's own n_wk: slices+1 positions of uint64, then a blob for every slice of words
//	slice-00034.rows         n_wk of a slice of words: a blob; no part of a saved state
type partDir struct{ dir string }

func (s partDir) layoutFile(part int) string {
	return filepath.Join(s.dir, fmt.Sprintf("part-%05d.layout", part))
}

func (s partDir) tokensFile(part int, generation uint32) string {
	return filepath.Join(s.dir, fmt.Sprintf("part-%05d.tokens.%d", part, generation))
}

func (s partDir) countsFile(part int, generation uint32) string {
	return filepath.Join(s.dir, fmt.Sprintf("part-%05d.counts.%d", part, generation))
}

// ErrDamaged is wrapped by the errors about files that are not what was written.
var ErrDamaged = errors.New("damaged file")

// create begins a file of which write writes the content. What is written goes to
// the system; finish makes it durable, and may be called from another goroutine.
func create(path string, write func(f *os.File) error) (finish func() error, err error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, wholefile.Explain(path, err)
	}
	if err := write(f); err != nil {
		return nil, wholefile.Explain(path, errors.Join(err, f.Close()))
	}
	writeSoon(f)
	return func() error {
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return wholefile.Explain(path, err)
		}
		return nil
	}, nil
}

// writeFile writes a file that need not survive.
func writeFile(path string, b []byte) error {
	if err := os.WriteFile(path, b, 0o666); err != nil {
		return wholefile.Explain(path, err)
	}
	return nil
}

// readFile reads a whole file into a buffer, which grows if it must and begins at
// an address divisible by 8.
func readFile(path string, buffer []byte) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return buffer, fmt.Errorf("cannot read the state of the run: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return buffer, err
	}
	buffer = room(buffer, int(info.Size()))
	if _, err := io.ReadFull(f, buffer); err != nil {
		return buffer, fmt.Errorf("cannot read %s: %w", path, err)
	}
	return buffer, nil
}

// room returns n bytes in the memory of a buffer if it is enough.
func room(buffer []byte, n int) []byte {
	if n > cap(buffer) {
		return mapfile.Aligned(n + n/32)[:n]
	}
	return buffer[:n]
}

// writeTokens writes a part's memory.
func writeTokens(path string, memory []byte) (finish func() error, err error) {
	return create(path, func(f *os.File) error {
		_, err := f.Write(memory)
		if err == nil {
			_, err = f.Write(binary.LittleEndian.AppendUint64(nil, xxh3.Hash(memory)))
		}
		return err
	})
}

// readTokens reads a part's memory.
func readTokens(path string, memory []byte) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("cannot read the state of the run: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() != int64(len(memory))+8 {
		return fmt.Errorf("%s: %w: it has %d bytes, not %d", path, ErrDamaged, info.Size(), len(memory)+8)
	}
	var sum [8]byte
	_, err = io.ReadFull(f, memory)
	if err == nil {
		_, err = io.ReadFull(f, sum[:])
	}
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", path, err)
	}
	if xxh3.Hash(memory) != binary.LittleEndian.Uint64(sum[:]) {
		return fmt.Errorf("%s: %w: the checksum does not match", path, ErrDamaged)
	}
	return nil
}

// readSoon asks the system to read files into its cache, which is not this
// process's memory, while something else is done.
func readSoon(paths ...string) {
	for _, path := range paths {
		if f, err := os.Open(path); err == nil { // whoever reads it in earnest will tell what is wrong
			wantSoon(f)
			f.Close()
		}
	}
}

// wordSlices is the number of slices of the vocabulary.
const wordSlices = 256

// cutWords cuts a vocabulary into slices of about equal numbers of tokens, and
// returns the words at which they begin, and V.
func cutWords(frequencies []uint64) []int {
	total := uint64(0)
	for _, n := range frequencies {
		total += n
	}
	cut := []int{0}
	sum := uint64(0)
	for w, n := range frequencies {
		sum += n
		if sum*wordSlices >= total*uint64(len(cut)) && len(cut) < wordSlices && w+1 < len(frequencies) {
			cut = append(cut, w+1)
		}
	}
	return append(cut, len(frequencies))
}

// EachTopics calls f with the topics of the tokens begin, begin+1, … of every part
// in corpus order. The slice is valid until f returns.
func (s *parts) EachTopics(f func(begin int, z []uint32) error) error {
	var z []uint32
	for i, p := range s.parts {
		if err := s.load(i, 0); err != nil {
			return err
		}
		z = slices.Grow(z[:0], p.span.Tokens())[:p.span.Tokens()]
		s.active.Topics(z)
		if err := f(p.span.Begin, z); err != nil {
			return err
		}
	}
	return nil
}

// Topics implements sampler.Sampler.
func (s *parts) Topics(z []uint32) {
	s.keep(s.EachTopics(func(begin int, own []uint32) error {
		copy(z[begin:], own)
		return nil
	}))
}

// Histograms implements sampler.Sampler.
func (s *parts) Histograms() *counts.Histograms {
	h := &counts.Histograms{Topic: make([][]uint32, s.p.K), TopicTotals: slices.Clone(s.rows.totals)}
	for i := range s.parts {
		if err := s.load(i, 0); err != nil {
			s.keep(err)
			return h
		}
		s.active.AddDocs(h)
	}
	s.keep(s.countRows(h))
	return h
}

// countRows counts n_wk.
func (s *parts) countRows(h *counts.Histograms) error {
	sums := make([]wordTopics, s.threads())
	err := s.parallel(len(s.rows.slices)-1, func(thread, slice int) error {
		opened, done, err := s.rows.openRows(slice)
		if err != nil {
			return err
		}
		defer done()
		for w := s.rows.slices[slice]; w < s.rows.slices[slice+1]; w++ {
			s.entries[thread] = opened.AppendRow(s.entries[thread][:0], w)
			sums[thread].add(s.entries[thread])
		}
		return nil
	})
	for _, sum := range sums {
		h.Add(&counts.Histograms{WordTopic: sum})
	}
	return err
}

// escape takes the special meaning of characters in a name for filepath.Glob away.
func escape(name string) string {
	var out []rune
	for _, c := range filepath.ToSlash(name) {
		if slices.Contains([]rune(`*?[\`), c) {
			out = append(out, '\\')
		}
		out = append(out, c)
	}
	return string(out)
}
