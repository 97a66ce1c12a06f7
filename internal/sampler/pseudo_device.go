package sampler

import (
	"weak"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/grid"
)

// PseudoOn holds pseudo-counts on a device, as amounts to add to the cells of a table.
type PseudoOn struct {
	cells   *device.Buffer[uint64]
	amounts *device.Buffer[uint32]
	n       int
}

// PseudoRowsOn copies pseudo-counts to a device. cell returns the position of n_wk in a table, or
// false if the table has none. Each count is multiplied by unit.
func PseudoRowsOn(a *device.Arena, m *counts.Pseudo, unit uint32, cell func(w int, k uint32) (uint64, bool)) *PseudoOn {
	var cells []uint64
	var amounts []uint32
	m.Cells(func(w int, e counts.Entry) {
		if at, ok := cell(w, e.Topic); ok {
			cells, amounts = append(cells, at), append(amounts, unit*e.Count)
		}
	})
	return uploadPseudo(a, cells, amounts)
}

// PseudoBytes returns an upper bound of the device memory for the pseudo-counts of rows and totals.
func PseudoBytes(m *counts.Pseudo) int64 {
	const each, round = 12, 4 << 8 // bytes of a cell with its amount, and what rounding adds to four allocations
	if m == nil {
		return 0
	}
	return each*int64(m.Entries()+len(m.Totals())) + round
}

// PseudoTotalsOn copies m_k to a device.
func PseudoTotalsOn(a *device.Arena, m *counts.Pseudo) *PseudoOn {
	var cells []uint64
	var amounts []uint32
	for k, n := range m.Totals() {
		cells, amounts = append(cells, uint64(k)), append(amounts, uint32(n))
	}
	return uploadPseudo(a, cells, amounts)
}

func uploadPseudo(a *device.Arena, cells []uint64, amounts []uint32) *PseudoOn {
	if len(cells) == 0 {
		return nil
	}
	return &PseudoOn{device.Upload(a, cells), device.Upload(a, amounts), len(cells)}
}

// Add queues the addition to a table in the device's main queue.
func (m *PseudoOn) Add(d *device.Device, table *device.Buffer[uint32]) error {
	if m == nil {
		return nil
	}
	return d.Launch("count", "count_add", device.Spread(d, m.n, 256, 0, 8), table, m.cells, m.amounts, uint32(m.n))
}

// CorpusKey is the key of data of a corpus that a device keeps from one run to the next (see
// device.Keep). It does not depend on the number of topics or the seed.
type CorpusKey struct {
	words *uint32                 // address of the corpus's first token
	n     int                     // its tokens
	grid  weak.Pointer[grid.Grid] // how it is cut: one of Problem.Grids, not kept alive by the key
	what  string                  // which data
	by    [3]int                  // other numbers that the data depends on
}

// Key returns the common part of the keys of data that depends on the corpus, and on its cut unless that is nil.
func (p *Problem) Key(cut *grid.Grid) CorpusKey {
	key := CorpusKey{n: len(p.Words)}
	if cut != nil {
		key.grid = weak.Make(cut)
	}
	if len(p.Words) > 0 {
		key.words = &p.Words[0]
	}
	return key
}

// For completes a key: what names the data, by has up to three numbers that it depends on.
func (k CorpusKey) For(what string, by ...int) CorpusKey {
	k.what = what
	copy(k.by[:], by)
	return k
}
