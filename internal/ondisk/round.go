package ondisk

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"sort"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// round samples all parts that have documents in a round, and sums their counts.
func (s *parts) round(ctx context.Context, at sampler.Step, restored int, priors *sampler.Priors) error {
	var list []int
	for i, p := range s.parts {
		if s.plan.Takes(p.span, at) {
			list = append(list, i)
		}
	}
	s.generation++
	written := newBehind()
	var err error
	for i := 0; i < len(list) && err == nil; i++ {
		if i+1 < len(list) {
			next := list[i+1]
			go readSoon(s.layoutFile(next), s.tokensFile(next, s.parts[next].generation))
		}
		if err = s.load(list[i], restored); err == nil {
			err = s.active.Round(ctx, at, s.rows.frozen(), priors)
		}
		if err == nil {
			err = s.save(list[i], written)
		}
	}
	if err = cmp.Or(err, written.wait()); err != nil {
		return err
	}
	for _, part := range list {
		p := s.parts[part]
		p.generation, p.ends, p.newEnds = s.generation, p.newEnds, nil
	}
	return s.rows.merge()
}

// load reads a part into memory, in place of the one before.
func (s *parts) load(part, restored int) error {
	p := s.parts[part]
	path := s.layoutFile(part)
	var err error
	if s.layout, err = readFile(path, s.layout); err != nil {
		return err
	}
	if s.current, err = sampler.ParseLayout(s.layout); err == nil {
		err = s.current.Check(p.span.Tokens(), s.p.V)
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
	}
	s.active = s.plan.NewPartOf(p.span, s.current, s.active)
	path = s.tokensFile(part, p.generation)
	memory := s.memory()
	if err := readTokens(path, memory); err != nil {
		return err
	}
	if err := checkTopics(path, memory, s.p.K); err != nil {
		return err
	}
	if s.given {
		return s.active.Start(s.z, nil)
	}
	s.active.Restore(restored)
	return nil
}

// memory returns the topics of the active part's tokens in corpus order: its own memory or, if given, a copy.
func (s *parts) memory() []byte {
	if !s.given {
		return s.active.Memory()
	}
	s.z = alloc.Resize(s.z, s.active.Span().Tokens())
	s.active.Topics(s.z)
	return mapfile.Bytes(s.z)
}

// checkTopics checks that the topics in a part's memory are below k.
func checkTopics(path string, memory []byte, k int) error {
	for _, topic := range mapfile.View[uint32](memory) {
		if int(topic) >= k {
			return fmt.Errorf("%s: %w: a token has topic %d of %d", path, ErrDamaged, topic, k)
		}
	}
	return nil
}

// save writes the files of the active part's next generation. They are durable when written has finished.
func (s *parts) save(part int, written *behind) error {
	finish, err := createSummed(s.tokensFile(part, s.generation), s.memory())
	if err != nil {
		return err
	}
	written.add(finish)
	finish, err = create(s.countsFile(part, s.generation), func(f *os.File) error { return s.writeCounts(part, s.generation, f) })
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
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("cannot read the state of the run: %w", err)
	}
	defer f.Close()
	slice := 0
	return s.eachCounts(part, p.generation, func(want []byte) error {
		got := make([]byte, p.ends[slice+1]-p.ends[slice])
		if _, err := f.ReadAt(got, p.ends[slice]); err != nil && err != io.EOF {
			return fmt.Errorf("cannot read %s: %w", path, err)
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
	for i, k := range mapfile.View[uint32](s.memory()) {
		own.Add(int(local[i]), int(k), 1)
	}
	return own
}

// ownID identifies the counts of a part's own tokens in a slice.
func (s *parts) ownID(part int, generation uint32, slice int) blob.ID {
	return blob.ID{Kind: blob.Counts, Round: generation, Part: uint32(part), Slice: uint32(slice), Topics: uint32(s.p.K)}
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
