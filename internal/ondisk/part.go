package ondisk

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"sort"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// parts is a Sampler that works part by part.
type parts struct {
	partStore
	plan    *sampler.Plan
	budget  *Budget
	release func(lo, hi int)
	between func() error // Config.Round

	generation uint32 // of the files written last
	done       int    // rounds of the iteration in progress
	rows       *rows
	active     *sampler.Part // the part in memory
	layout     []byte        // bytes of its layout
	current    *sampler.Layout
	given      bool      // sampler.Files.Groups
	z          []uint32  // topics of the part in memory, if given
	drawn      int       // iteration whose α the tokens' state depends on; 0: unknown
	alpha      []float64 // K: the α of that iteration

	entries  [][]counts.Entry // by goroutine: scratch for a row
	encoders []blob.Encoder   // by goroutine
	blobs    [][]byte         // blobs about to be written
}

// load reads a part into memory, in place of the one before.
func (s *parts) load(part, restored int) error {
	p := s.parts[part]
	var err error
	if s.current, s.layout, err = s.readLayout(part, p.span.Tokens(), s.layout); err != nil {
		return err
	}
	s.active = s.plan.NewPartOf(p.span, s.current, s.active)
	if err := readTokens(s.tokensFile(part, p.generation), s.memory(), s.p.K); err != nil {
		return err
	}
	if s.given {
		return s.active.Start(s.z, nil)
	}
	s.active.Restore(restored)
	return nil
}

// memory returns the topics of the active part's tokens in corpus order as memory of uint32: its own or, if given, a copy.
func (s *parts) memory() []byte {
	if !s.given {
		return s.active.Memory()
	}
	s.z = alloc.Resize(s.z, s.active.Span().Tokens())
	s.active.Topics(s.z)
	return mapfile.Memory(s.z)
}

// save writes the files of the active part's next generation. They are durable when written has finished.
func (s *parts) save(part int, written *behind) error {
	finish, err := createSummed(s.tokensFile(part, s.generation), mapfile.Bytes(mapfile.OfMemory[uint32](s.memory())))
	if err != nil {
		return err
	}
	written.add(finish)
	finish, err = create(s.countsFile(part, s.generation),
		func(f *os.File) error { return s.writeCounts(part, s.generation, f) })
	if err != nil {
		return err
	}
	written.add(finish)
	return nil
}

// writeCounts writes the active part's own n_wk, slice by slice, and stores the positions of the slices.
func (s *parts) writeCounts(part int, generation uint32, f *os.File) error {
	header := make([]byte, 8*len(s.rows.slices))
	if _, err := f.Write(header); err != nil {
		return err
	}
	ends := []int64{int64(len(header))}
	err := s.eachCounts(part, generation, func(b []byte) error {
		ends = append(ends, ends[len(ends)-1]+int64(len(b)))
		_, err := f.Write(b)
		return err
	})
	if err != nil {
		return err
	}
	header = header[:0]
	for _, end := range ends {
		header = binary.LittleEndian.AppendUint64(header, uint64(end))
	}
	s.parts[part].newEnds = ends
	_, err = f.WriteAt(header, 0)
	return err
}

// checkCounts checks that the counts of the active part are those of its tokens.
func (s *parts) checkCounts(part int) error {
	p := s.parts[part]
	path := s.countsFile(part, p.generation)
	var got []byte
	slice := 0
	return s.eachCounts(part, p.generation, func(want []byte) (err error) {
		if got, err = p.readCounts(got, path, slice); err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			return fmt.Errorf("%s: %w: its counts of slice %d are not those of the tokens", path, ErrDamaged, slice)
		}
		slice++
		return nil
	})
}

// eachCounts calls f with the blobs of the active part's own n_wk, slice by slice.
func (s *parts) eachCounts(part int, generation uint32, f func(b []byte) error) error {
	words, cut := s.active.Words(), s.rows.slices
	n := len(cut) - 1
	own := s.countActive()
	const group = 32 // slices made at the same time, then written in order
	for first := 0; first < n; first += group {
		last := min(n, first+group)
		_ = eachTask(s.p.Threads, last-first, func(thread, i int) error {
			slice := first + i
			b, e := &s.blobs[i], &s.encoders[thread]
			e.Begin((*b)[:0], s.ownID(part, generation, slice))
			lo := sort.Search(len(words), func(i int) bool { return int(words[i]) >= cut[slice] })
			for i := lo; i < len(words) && int(words[i]) < cut[slice+1]; i++ {
				s.entries[thread] = own.AppendRow(s.entries[thread][:0], i)
				e.Counts(words[i], s.entries[thread])
			}
			*b = e.Finish()
			return nil
		})
		for _, b := range s.blobs[:last-first] {
			if err := f(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// countActive counts n_wk of the active part's tokens. Its rows are numbered as in Words.
func (s *parts) countActive() *counts.Table {
	words, local := s.current.Words()
	own := counts.NewTable(s.p.K, counts.Frequencies(local, len(words)))
	for i, k := range mapfile.OfMemory[uint32](s.memory()) {
		own.Add(int(local[i]), int(k), 1)
	}
	return own
}
