package counts

import "slices"

// ChangeSet holds the changes of n_wk that one part of a corpus made in one round: words in increasing order,
// and topics in increasing order inside a word.
type ChangeSet struct {
	words []uint32
	ends  []int // the changes of words[i] end at changes[ends[i]]
	list  []Change
}

// Append adds the changes of a word, which must be larger than all words before.
func (s *ChangeSet) Append(w uint32, changes []Change) {
	if n := len(s.words); n > 0 && s.words[n-1] >= w {
		panic("counts: words of a set of changes must increase")
	}
	s.list = append(s.list, changes...)
	s.words, s.ends = append(s.words, w), append(s.ends, len(s.list))
}

// Join adds all words of o, which must be larger than those of s.
func (s *ChangeSet) Join(o *ChangeSet) { o.Each(s.Append) }

// Row returns the changes of word w. They must not be changed.
func (s *ChangeSet) Row(w uint32) []Change {
	i, found := slices.BinarySearch(s.words, w)
	if !found {
		return nil
	}
	return s.row(i)
}

func (s *ChangeSet) row(i int) []Change {
	begin := 0
	if i > 0 {
		begin = s.ends[i-1]
	}
	return s.list[begin:s.ends[i]:s.ends[i]]
}

// Each calls f for every word that changed, in increasing order.
func (s *ChangeSet) Each(f func(w uint32, changes []Change)) {
	for i, w := range s.words {
		f(w, s.row(i))
	}
}

// AddTo adds the changes to a table with the counts before them.
func (s *ChangeSet) AddTo(t *Table) {
	s.Each(func(w uint32, changes []Change) { t.change(int(w), changes, 1) })
}

// TakeFrom subtracts the changes from a table with the counts after them.
func (s *ChangeSet) TakeFrom(t *Table) {
	s.Each(func(w uint32, changes []Change) { t.change(int(w), changes, -1) })
}

// change adds sign times the changes of word w. Negative ones come first, so that the row never has more
// tokens than the word.
func (t *Table) change(w int, changes []Change, sign int32) {
	for _, c := range changes {
		if c.Delta*sign < 0 {
			t.Add(w, int(c.Topic), c.Delta*sign)
		}
	}
	for _, c := range changes {
		if c.Delta*sign > 0 {
			t.Add(w, int(c.Topic), c.Delta*sign)
		}
	}
}

// AddTotals adds the changes to n_k.
func (s *ChangeSet) AddTotals(nk []uint64) {
	for _, c := range s.list {
		nk[c.Topic] += uint64(int64(c.Delta))
	}
}

// Merge appends to dst the sum of a row and changes to it.
func Merge(dst, row []Entry, changes []Change) []Entry {
	for len(row) > 0 || len(changes) > 0 {
		switch {
		case len(changes) == 0:
			return append(dst, row...)
		case len(row) > 0 && row[0].Topic < changes[0].Topic:
			dst = append(dst, row[0])
			row = row[1:]
			continue
		}
		n := int64(changes[0].Delta)
		if len(row) > 0 && row[0].Topic == changes[0].Topic {
			n += int64(row[0].Count)
			row = row[1:]
		}
		switch {
		case n < 0:
			panic(faultBelow)
		case n > 0:
			dst = append(dst, Entry{Topic: changes[0].Topic, Count: uint32(n)})
		}
		changes = changes[1:]
	}
	return dst
}
