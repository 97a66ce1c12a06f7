package exchange

import (
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// apartView gives a part its rows in a round where rows are apart.
type apartView struct {
	*feed
	part   *localPart
	totals []uint64 // K: n_k with the part's own changes
}

// frozen returns the view in the form that parts read.
func (v *apartView) frozen() *sampler.Frozen {
	return &sampler.Frozen{Totals: v.totals, Sliced: &sampler.Sliced{Begins: v.x.o.Cut.Begins, Open: v.open}}
}

// open opens a slice, for sampler.Sliced.
func (v *apartView) open(slice int) (counts.Rows, func(), error) {
	maker := v.x.makers.Get().(*sliceMaker)
	if err := v.read(maker, slice); err != nil {
		return nil, nil, err
	}
	return &maker.rows, func() { v.x.makers.Put(maker) }, nil
}

// read reads the rows of a slice, and adds the part's own changes since.
func (v *apartView) read(m *sliceMaker, slice int) error {
	b, err := v.take(slice)
	if err != nil {
		return err
	}
	sources, err := v.own(slice)
	if err != nil {
		return err
	}
	return m.read(v.x.core, b, slice, v.version, sources)
}

// own opens the part's changes of a slice since the version.
func (v *apartView) own(slice int) ([]rows.Source, error) {
	var sources []rows.Source
	for i, own := range v.part.recent {
		if own.Blobs == nil {
			continue // it was not in that round
		}
		round := v.part.recentTo - len(v.part.recent) + 1 + i
		d, err := v.x.o.Job.OpenChange(own.Blobs[slice], slice, round, v.part.Number)
		if err != nil {
			return nil, err
		}
		sources = append(sources, rows.Source{Decoder: d})
	}
	return sources, nil
}

// whole opens all slices at once.
func (v *apartView) whole() (*sampler.Frozen, error) {
	w := &rows.OpenSlices{Cut: v.x.o.Cut, Slices: make([]*rows.OpenSlice, v.x.o.Job.Slices), Totals: v.totals}
	for i := range w.Slices {
		maker := new(sliceMaker)
		if err := v.read(maker, i); err != nil {
			return nil, err
		}
		w.Slices[i] = &maker.rows
	}
	return w.Frozen(), nil
}
