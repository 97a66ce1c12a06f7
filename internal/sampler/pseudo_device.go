package sampler

import (
	"weak"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/grid"
)

// PseudoOn is pseudo-counts on a device, as amounts to add to the cells of a table.
type PseudoOn struct {
	cells   *device.Buffer[uint64]
	amounts *device.Buffer[uint32]
	n       int
}

// PseudoRowsOn brings pseudo-counts to a device. cell returns the place of n_wk in a table, or
// false if the table has none; each count is multiplied by unit.
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

// PseudoBytes bounds the memory that a device takes for the pseudo-counts of rows and totals.
func PseudoBytes(m *counts.Pseudo) int64 {
	const each, round = 12, 4 << 8 // bytes of a cell and its amount, and by which devices round four allocations
	if m == nil {
		return 0
	}
	return each*int64(m.Entries()+len(m.Totals())) + round
}

// PseudoTotalsOn brings m_k to a device.
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

// Add puts the addition to a table into the device's main queue.
func (m *PseudoOn) Add(d *device.Device, table *device.Buffer[uint32]) error {
	if m == nil {
		return nil
	}
	return d.Launch("count", "count_add", device.Spread(d, m.n, 256, 0, 8), table, m.cells, m.amounts, uint32(m.n))
}

// CorpusKey names numbers that a device keeps of a corpus from one run to the next: see
// device.Keep. Runs with another number of topics or seed have the same keys.
type CorpusKey struct {
	words *uint32                 // the first token of the corpus
	n     int                     // its tokens
	grid  weak.Pointer[grid.Grid] // how it is cut: one of Problem.Grids, which it does not hold
	what  string                  // which numbers
	by    [3]int                  // what else they depend on
}

// Key begins the keys of numbers that depend on the corpus, and on its cut unless that
// is nil.
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

// For makes a key of one that was begun: of which numbers, and up to three others that
// they depend on.
func (k CorpusKey) For(what string, by ...int) CorpusKey {
	k.what = what
	copy(k.by[:], by)
	return k
}
