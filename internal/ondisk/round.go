package ondisk

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// incoming is a part on its way into memory.
type incoming struct {
	part           int
	layout, topics []byte // the files
	err            error
}

// outgoing is a part on its way out.
type outgoing struct {
	part       int
	generation uint32
	topics     []byte   // the file
	header     []byte   // of the counts' file: where the blobs begin and end
	counts     [][]byte // a blob for every slice
	ends       []int64
}

// round samples all parts that are in a round, and sums their counts.
func (s *Sampler) round(ctx context.Context, at sampler.Step, priors *sampler.Priors) error {
	var list []int
	for i, p := range s.parts {
		if s.plan.Takes(p.span, at) {
			list = append(list, i)
		}
	}
	s.generation++
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	in, inFree := s.readAhead(ctx, list)
	out, written := s.writeBehind(cancel)
	var err error
	for job := range in {
		if err = job.err; err == nil {
			err = s.sample(ctx, job, at, priors)
		}
		if err != nil {
			cancel()
			break
		}
		o := <-out.free
		s.collect(job.part, s.generation, o)
		inFree <- job // the part does not need its layout any more
		out.parts <- o
	}
	close(out.parts)
	if fault := <-written; fault != nil {
		return fault // the reason of the other, if there is one
	}
	if err != nil {
		return err
	}
	for _, part := range list {
		p := s.parts[part]
		p.generation, p.ends, p.newEnds = s.generation, p.newEnds, nil
	}
	return s.rows.merge()
}

// readAhead reads parts in order. The receiver gives each back when it has no more
// use for its bytes; there are two, so that one is read while one is used.
func (s *Sampler) readAhead(ctx context.Context, list []int) (in <-chan *incoming, free chan<- *incoming) {
	parts, spare := make(chan *incoming), make(chan *incoming, 2)
	spare <- &incoming{}
	spare <- &incoming{}
	go func() {
		defer close(parts)
		for _, part := range list {
			var job *incoming
			select {
			case job = <-spare:
			case <-ctx.Done():
				return
			}
			job.part = part
			job.layout, job.err = readFile(s.layoutFile(part), job.layout)
			if job.err == nil {
				job.topics, job.err = readFile(s.topicsFile(part, s.parts[part].generation), job.topics)
			}
			select {
			case parts <- job:
			case <-ctx.Done():
				return
			}
		}
	}()
	return parts, spare
}

// writer is where parts go to be written.
type writer struct {
	parts chan *outgoing // closed after the last
	free  chan *outgoing // to be filled
}

// writeBehind writes parts. When one cannot be written it cancels the round; the
// error, or nil, comes when all is done. There are two parts to fill, so that one
// is filled while the other is written.
func (s *Sampler) writeBehind(cancel func()) (writer, <-chan error) {
	w := writer{parts: make(chan *outgoing), free: make(chan *outgoing, 2)}
	w.free <- &outgoing{}
	w.free <- &outgoing{}
	done := make(chan error, 1)
	go func() {
		var err error
		for o := range w.parts {
			if err == nil {
				if err = s.write(o); err != nil {
					cancel()
				}
			}
			w.free <- o
		}
		done <- err
	}()
	return w, done
}

// sample makes a part of what was read and samples it.
func (s *Sampler) sample(ctx context.Context, job *incoming, at sampler.Step, priors *sampler.Priors) error {
	layout, err := sampler.ParseLayout(job.layout)
	if err != nil {
		return fmt.Errorf("%s: %w: %w", s.layoutFile(job.part), ErrDamaged, err)
	}
	p := s.parts[job.part]
	z := s.topics(p.span)
	if err := s.decodeTopics(z, job.topics); err != nil {
		return fmt.Errorf("%s: %w", s.topicsFile(job.part, p.generation), err)
	}
	s.active = s.plan.NewPartOf(p.span, layout, s.active)
	if err := s.active.Start(z, priors); err != nil {
		return err
	}
	return s.active.Round(ctx, at, s.rows, priors)
}

// collect puts the active part's topics and counts into o.
func (s *Sampler) collect(part int, generation uint32, o *outgoing) {
	o.part, o.generation = part, generation
	z := s.topics(s.parts[part].span)
	s.active.Topics(z)
	o.topics = s.encodeTopics(o.topics, z)
	n := len(s.rows.slices) - 1
	for len(o.counts) < n {
		o.counts = append(o.counts, nil)
	}
	words, own := s.active.Words(), s.active.Counts()
	_ = s.parallel(n, func(_, slice int) error {
		var e blob.Encoder
		var row []counts.Entry
		e.Begin(o.counts[slice][:0], s.ownID(part, generation, slice))
		for i := lowerBound(words, s.rows.slices[slice]); i < len(words) && int(words[i]) < s.rows.slices[slice+1]; i++ {
			row = own.AppendRow(row[:0], i)
			e.Counts(words[i], row)
		}
		o.counts[slice] = e.Finish()
		return nil
	})
	o.header, o.ends = o.header[:0], o.ends[:0]
	at := int64(8 * (n + 1))
	for slice := range n + 1 {
		o.ends = append(o.ends, at)
		o.header = binary.LittleEndian.AppendUint64(o.header, uint64(at))
		if slice < n {
			at += int64(len(o.counts[slice]))
		}
	}
}

// write writes a part's files, and notes where its counts are.
func (s *Sampler) write(o *outgoing) error {
	if err := writeFile(s.topicsFile(o.part, o.generation), [][]byte{o.topics}, true); err != nil {
		return err
	}
	pieces := append([][]byte{o.header}, o.counts...)
	if err := writeFile(s.countsFile(o.part, o.generation), pieces, true); err != nil {
		return err
	}
	s.parts[o.part].newEnds = append([]int64(nil), o.ends...)
	return nil
}

// ownID identifies the counts of a part's own tokens in a slice.
func (s *Sampler) ownID(part int, generation uint32, slice int) blob.ID {
	return blob.ID{Kind: blob.Counts, Round: generation, Part: uint32(part), Slice: uint32(slice), Topics: uint32(s.p.K)}
}

// readEnds reads where the blobs are in a part's counts.
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
	for _, end := range mapfile.View[uint64](header) {
		if int64(end) < last || int64(end) > info.Size() {
			return fmt.Errorf("%s: %w: its table of contents does not fit", path, ErrDamaged)
		}
		last = int64(end)
		p.ends = append(p.ends, last)
	}
	return nil
}

// lowerBound returns the first place whose word is at least w.
func lowerBound(words []uint32, w int) int {
	lo, hi := 0, len(words)
	for lo < hi {
		if middle := (lo + hi) / 2; int(words[middle]) < w {
			lo = middle + 1
		} else {
			hi = middle
		}
	}
	return lo
}
