package ondisk

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/sampler"
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
	wholefile.BeginWriting(f, 0, 0)
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

// readLayout reads the layout of a part with the given number of tokens. buffer is as in readFile.
func (s *partStore) readLayout(part, tokens int, buffer []byte) (*sampler.Layout, []byte, error) {
	path := s.layoutFile(part)
	buffer, err := readFile(path, buffer)
	if err != nil {
		return nil, buffer, err
	}
	layout, err := sampler.ParseLayout(buffer)
	if err == nil {
		err = layout.Check(tokens, s.p.V)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
	}
	return layout, buffer, err
}

// readTokens reads a part's memory, and checks that its topics are below k.
func readTokens(path string, memory []byte, k int) error {
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
	mapfile.ToMemory[uint32](memory)
	for _, topic := range mapfile.OfMemory[uint32](memory) {
		if int(topic) >= k {
			return fmt.Errorf("%s: %w: a token has topic %d of %d", path, ErrDamaged, topic, k)
		}
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

// sumBytes returns a checksum as it is stored in files.
func sumBytes(sum uint64) []byte { return binary.LittleEndian.AppendUint64(nil, sum) }

// behind makes files durable one after the other while other work goes on.
type behind struct {
	jobs chan func() error
	done chan error
}

func newBehind() *behind {
	b := &behind{jobs: make(chan func() error, 1<<16), done: make(chan error, 1)} // never full, since a part has two files
	guard.Go(func() {
		var err error
		for job := range b.jobs {
			err = cmp.Or(err, job())
		}
		b.done <- err
	})
	return b
}

func (b *behind) add(job func() error) { b.jobs <- job }

// wait waits until all files are durable, and returns the first error.
func (b *behind) wait() error {
	close(b.jobs)
	return <-b.done
}

// partStore reads the files of all parts of a problem.
type partStore struct {
	fault
	partDir
	p       *sampler.Problem
	parts   []*partFiles
	buffers sync.Pool // of *[]byte
}

// partFiles describes where the files of a part are.
type partFiles struct {
	span       sampler.Span
	generation uint32
	ends       []int64 // slices+1: ends of the blobs in the part's file of counts, after the first begin
	newEnds    []int64 // the same for the next generation, while it is being written
}

// readEnds reads the n positions at the beginning of a part's file of counts, which has n-1 blobs.
func (p *partFiles) readEnds(path string, n int) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("cannot read the state of the run: %w", err)
	}
	defer f.Close()
	header := mapfile.Aligned(8 * n)
	if _, err := io.ReadFull(f, header); err != nil {
		return fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	p.ends = p.ends[:0]
	last := int64(8 * n)
	for i, end := range mapfile.View[uint64](header) {
		if i == 0 && int64(end) != last || int64(end) < last || int64(end) > info.Size() {
			return fmt.Errorf("%s: %w: its table of contents does not fit", path, ErrDamaged)
		}
		last = int64(end)
		p.ends = append(p.ends, last)
	}
	if last != info.Size() {
		return fmt.Errorf("%s: %w: it has %d bytes, not %d", path, ErrDamaged, info.Size(), last)
	}
	return nil
}

// readCounts reads the blob of a slice from a part's counts.
func (p *partFiles) readCounts(buffer []byte, path string, slice int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return buffer, fmt.Errorf("cannot read the state of the run: %w", err)
	}
	defer f.Close()
	begin, end := p.ends[slice], p.ends[slice+1]
	buffer = room(buffer, int(end-begin))
	if _, err := f.ReadAt(buffer, begin); err != nil && err != io.EOF {
		return buffer, fmt.Errorf("cannot read %s: %w", path, err)
	}
	return buffer, nil
}

// ownID identifies the counts of a part's own tokens in a slice.
func (s *partStore) ownID(part int, generation uint32, slice int) blob.ID {
	return blob.ID{
		Kind: blob.Counts, Round: generation, Part: uint32(part), Slice: uint32(slice),
		Topics: uint32(s.p.K),
	}
}

func (s *partStore) threads() int { return max(1, s.p.Threads) }
