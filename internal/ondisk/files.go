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

// partDir returns the names of the parts' files. A layout is written once. Every round writes new
// files of tokens and counts, with the next generation number, beside the old ones.
//
//	part-00012.layout        sampler.Layout
//	part-00012.tokens.345    the memory of the sampler.Part, then its XXH3-64
//	part-00012.counts.345    the part's own n_wk: slices+1 positions of uint64, then a blob for every slice of words
//	slice-00034.rows         n_wk of a slice of words: a blob; not part of a saved state
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

// ErrDamaged is wrapped by errors about files that were changed after they were written.
var ErrDamaged = errors.New("damaged file")

// create creates a file, whose content write writes, and starts writing it to disk. finish makes it
// durable, and may be called from another goroutine.
func create(path string, write func(f *os.File) error) (finish func() error, err error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, wholefile.Explain(path, err)
	}
	if err := write(f); err != nil {
		return nil, wholefile.Explain(path, errors.Join(err, f.Close()))
	}
	writeSoon(f)
	return func() error { return wholefile.Explain(path, errors.Join(f.Sync(), f.Close())) }, nil
}

// readFile reads a whole file into buffer, which grows if necessary and is aligned to 8 bytes.
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

// room returns n bytes, in the memory of buffer if that is large enough.
func room(buffer []byte, n int) []byte {
	if n > cap(buffer) {
		return mapfile.Aligned(n + n/32)[:n]
	}
	return buffer[:n]
}

// createSummed creates a file that holds body and its checksum.
func createSummed(path string, body []byte) (finish func() error, err error) {
	return create(path, func(f *os.File) error {
		_, err := f.Write(body)
		if err == nil {
			_, err = f.Write(sumBytes(xxh3.Hash(body)))
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

// readSoon asks the system to read files into its cache in the background. The cache does not count
// as memory of this process.
func readSoon(paths ...string) {
	for _, path := range paths {
		if f, err := os.Open(path); err == nil { // the real read reports errors
			wantSoon(f)
			f.Close()
		}
	}
}

// wordSlices is the number of slices of the vocabulary.
const wordSlices = 256

// cutWords cuts the vocabulary into slices of about equal numbers of tokens. It returns the first
// word of every slice, then V.
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

// EachTopics implements Sampler, part by part.
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

// countRows adds the histogram of n_wk to h.
func (s *parts) countRows(h *counts.Histograms) error {
	sums := make([]wordTopics, s.threads())
	err := eachTask(s.p.Threads, len(s.rows.slices)-1, func(thread, slice int) error {
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
