package sampler

import (
	"context"
	"errors"
	"fmt"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// Several is a sampler on several devices: each has a part of the corpus and all of the model. In a sweep every
// device samples its part against the same counts, and then tells the others what it changed, so that the result is that of one.
type Several struct {
	p        *Problem
	stations []*station
	begins   []int // slices + 1: the first word of each slice, and V

	// At the last Fetch:
	rows   [][]byte     // by slice: blobs of counts
	places []blob.Place // V: where the row of a word is there
	totals []uint64     // K: n_k
}

// station is a device with what is there.
type station struct {
	plan *Plan
	part *Part
	rows RowsOn
}

// slicesPerStation is how many slices of the model there are for each device: enough for the threads of the host to
// share the work on blobs.
const slicesPerStation = 16

// NewSeveral makes a sampler on several devices.
func NewSeveral(info Info, p *Problem, devices []*device.Device) (*Several, error) {
	switch {
	case info.Cutting == nil || info.Cutting.On == nil:
		return nil, notOnSeveral(info)
	case p.Tuning.Staleness > 0:
		return nil, fmt.Errorf("several GPUs see each other's changes at once: train without staleness, by workers, or on the CPU (%w)", ErrNotOnDevice)
	}
	s := &Several{p: p, begins: EqualRanges(p.Words, p.V, slicesPerStation*len(devices))}
	own := *p
	own.Threads = max(1, p.Threads/len(devices))
	frequencies := counts.Frequencies(p.Words, p.V)
	for i, d := range devices {
		if err := s.add(info, &own, d, i, len(devices), frequencies); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// add gives a device the i-th of n parts.
func (s *Several) add(info Info, p *Problem, d *device.Device, i, n int, frequencies []uint64) error {
	plan, err := PlanFor(info, p)
	if err != nil {
		return err
	}
	if err := plan.PlaceOn(d); err != nil {
		return err
	}
	if plan.On.Rows == nil {
		return errors.Join(notOnSeveral(info), plan.PlaceHere())
	}
	st := &station{plan: plan}
	s.stations = append(s.stations, st)
	var span Span
	if spans := plan.Cut(n); i < len(spans) { // a small corpus may have fewer blocks than there are devices
		span = spans[i]
	}
	if st.part, err = plan.NewPart(span, p.Words[span.Begin:span.End]); err != nil {
		return err
	}
	if st.rows, err = plan.RowsOn(frequencies, s.begins); err == nil && st.rows == nil {
		err = fmt.Errorf("the model cannot be kept on several GPUs: %d topics of %d words are too many for sampler %s there: choose one GPU (%w)", p.K, p.V, info.Name, ErrNotOnDevice)
	}
	return err
}

// notOnSeveral is about a sampler that works on one GPU at most.
func notOnSeveral(info Info) error {
	return fmt.Errorf("sampler %q cannot share its work between several GPUs, while warp can: choose sampler warp, or one GPU (%w)", info.Name, ErrNotOnDevice)
}

// each calls f for every station at the same time, and returns the first fault.
func (s *Several) each(f func(i int, st *station) error) error {
	faults := make([]error, len(s.stations))
	parallel.Each(len(s.stations), func(i int) { faults[i] = f(i, s.stations[i]) })
	return device.FirstError(faults...)
}

// id says what a blob holds; only this process sees it.
func (s *Several) id(kind blob.Kind, part int) func(slice int) blob.ID {
	return func(slice int) blob.ID {
		return blob.ID{Kind: kind, Slice: uint32(slice), Part: uint32(part), Topics: uint32(s.p.K)}
	}
}

// open opens a blob for every slice.
func (s *Several) open(blobs [][]byte, id func(slice int) blob.ID) ([]blob.Decoder, error) {
	decoders, faults := make([]blob.Decoder, len(blobs)), make([]error, len(blobs))
	err := parallel.Do(context.Background(), s.p.Threads, len(blobs), func(_, slice int) {
		decoders[slice], faults[slice] = blob.Open(blobs[slice], id(slice))
	})
	return decoders, device.FirstError(append(faults, err)...)
}

// Start implements Sampler.
func (s *Several) Start(z []uint32, priors *Priors) error {
	err := s.each(func(_ int, st *station) error {
		span := st.part.Span()
		if z == nil {
			return st.part.Start(nil, priors)
		}
		return st.part.Start(z[span.Begin:span.End], priors)
	})
	if err != nil {
		return err
	}
	if z == nil {
		z = make([]uint32, s.p.N())
		s.Topics(z)
	}
	blobs := encodeCounts(s.p, z, s.begins, s.id(blob.Counts, 0))
	return s.each(func(_ int, st *station) error {
		decoders, err := s.open(blobs, s.id(blob.Counts, 0))
		if err != nil {
			return err
		}
		return st.rows.Load(decoders)
	})
}

// Sweep implements Sampler. When ctx ends inside a sweep the state is left half-way and must not be used.
func (s *Several) Sweep(ctx context.Context, iteration int, priors *Priors) error {
	for r := range s.stations[0].plan.Rounds(iteration) {
		bodies := make([][]blob.Body, len(s.stations)) // by device, by slice
		err := s.each(func(i int, st *station) error {
			if err := st.part.Round(ctx, Step{iteration, r}, FrozenOn(st.rows), priors); err != nil {
				return err
			}
			bodies[i], _ = st.part.Bodies()
			return nil
		})
		if err == nil {
			err = s.each(func(_ int, st *station) error { return st.rows.Add(s.layers(bodies)) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// layers makes what all devices changed ready to be added.
func (s *Several) layers(bodies [][]blob.Body) []Layer {
	layers := make([]Layer, len(bodies))
	for i, list := range bodies {
		id := s.id(blob.Changes, i)
		for slice, body := range list {
			layers[i].Slices = append(layers[i].Slices, body.Decoder(id(slice)))
		}
	}
	return layers
}

// Fetch implements Remote.
func (s *Several) Fetch() error {
	rows := make([][]byte, len(s.begins)-1)
	places := make([]blob.Place, s.p.V)
	id := s.id(blob.Counts, 0)
	err := s.each(func(i int, st *station) error {
		if err := st.part.Fetch(); err != nil {
			return err
		}
		for slice := i; slice < len(rows); slice += len(s.stations) {
			b, err := st.rows.Encode(slice, id(slice))
			if err != nil {
				return err
			}
			d, err := blob.Open(b, id(slice))
			if err != nil {
				return err
			}
			for d.Next() {
				places[d.Word()] = d.Place()
			}
			rows[slice] = b
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.rows, s.places, s.totals = rows, places, append([]uint64(nil), s.stations[0].rows.TopicTotals()...)
	return nil
}

// Topics implements Sampler.
func (s *Several) Topics(z []uint32) {
	for _, st := range s.stations {
		span := st.part.Span()
		st.part.Topics(z[span.Begin:span.End])
	}
}

// AppendRow implements Sampler.
func (s *Several) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	if s.places[w].Empty() {
		return dst
	}
	slice := 0
	for s.begins[slice+1] <= w {
		slice++
	}
	d := blob.At(s.rows[slice], s.p.K, s.places[w])
	return d.Counts(dst)
}

// Capabilities implements Sampler.
func (s *Several) Capabilities() Capabilities { return Capabilities{} }

// TopicTotals implements Sampler.
func (s *Several) TopicTotals() []uint64 { return append([]uint64(nil), s.totals...) }

// Histograms implements Sampler.
func (s *Several) Histograms() *counts.Histograms {
	h := RowHistograms(s.p, s, s.begins)
	for _, st := range s.stations {
		st.part.AddDocs(&h.Histograms)
	}
	copy(h.TopicTotals, s.totals)
	return &h.Histograms
}

// Close implements Remote.
func (s *Several) Close() error {
	var first error
	for _, st := range s.stations {
		if st.part != nil {
			first = device.FirstError(first, st.part.Close())
		}
		first = device.FirstError(first, st.plan.PlaceHere())
	}
	return first
}

// encodeCounts counts the topics z of all tokens, slice by slice.
func encodeCounts(p *Problem, z []uint32, begins []int, id func(slice int) blob.ID) [][]byte {
	first := make([]int, p.V+1) // where a word's tokens begin among all, sorted by word
	for _, w := range p.Words {
		first[w+1]++
	}
	for w := range p.V {
		first[w+1] += first[w]
	}
	sorted, next := make([]uint32, len(z)), append([]int(nil), first[:p.V]...)
	for i, w := range p.Words {
		sorted[next[w]] = z[i]
		next[w]++
	}
	blobs := make([][]byte, len(begins)-1)
	_ = parallel.Do(context.Background(), p.Threads, len(blobs), func(_, slice int) {
		var e blob.Encoder
		var row []counts.Entry
		n := make([]uint32, p.K)
		e.Begin(nil, id(slice))
		for w := begins[slice]; w < begins[slice+1]; w++ {
			for _, k := range sorted[first[w]:first[w+1]] {
				n[k]++
			}
			row = row[:0]
			for k, c := range n {
				if c > 0 {
					row = append(row, counts.Entry{Topic: uint32(k), Count: c})
				}
			}
			clear(n)
			e.Counts(uint32(w), row)
		}
		blobs[slice] = e.Finish()
	})
	return blobs
}
