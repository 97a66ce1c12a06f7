package rows

import "github.com/topoi-lda/topoi/internal/counts"

// newerRows are sparse rows that stand for some of a slice's until these are written
// anew with the next changes. That of the slice's word number places[i] is row i.
type newerRows struct {
	places []uint32 // increasing
	Slice
}

// clear begins anew.
func (n *newerRows) clear() {
	n.places, n.ends, n.entries = n.places[:0], n.ends[:0], n.entries[:0]
}

// Renew adds changes to the sparse row of a word, and to the totals. Words come in
// increasing order. ok is as for appendSum.
func (m *Model) Renew(w uint32, changes []counts.Change) (row []counts.Entry, ok bool) {
	slice, place := m.cut.Slice[w], m.cut.Place[w]
	n := &m.newer[slice]
	begin := len(n.entries)
	n.entries, ok = appendSum(n.entries, m.slices[slice].row(int(place)), changes, 1)
	n.places = append(n.places, place)
	n.ends = append(n.ends, len(n.entries))
	for _, c := range changes {
		m.Totals[c.Topic] += uint64(int64(c.Delta)) // modulo 2^64, as it should
	}
	return n.entries[begin:], ok
}

// Renewed says whether there are newer rows.
func (m *Model) Renewed() bool {
	for i := range m.newer {
		if len(m.newer[i].places) > 0 {
			return true
		}
	}
	return false
}
