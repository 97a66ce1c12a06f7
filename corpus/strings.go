package corpus

import (
	"bytes"
	"errors"
	"iter"
	"slices"

	"github.com/topoi-lda/topoi/corpus/internal/intern"
)

// Strings is an immutable list of strings, stored as one run of bytes. Millions of document ids need
// neither string headers nor garbage collection, and can be in a memory map.
type Strings struct {
	ends   []uint64 // end of string i in bytes; string i begins where i-1 ends
	bytes  []byte
	begin  uint64   // where string 0 begins
	picked []uint32 // the list holds the strings with these numbers; nil if it holds all
}

// MakeStrings copies list into a Strings.
func MakeStrings(list []string) Strings {
	n := 0
	for _, x := range list {
		n += len(x)
	}
	s := Strings{ends: make([]uint64, 0, len(list)), bytes: make([]byte, 0, n)}
	for _, x := range list {
		s.add(x)
	}
	return s
}

// add appends x. Only code that builds a list may call it.
func (s *Strings) add(x string) {
	s.bytes = append(s.bytes, x...)
	s.ends = append(s.ends, uint64(len(s.bytes)))
}

// Len returns the number of strings.
func (s Strings) Len() int {
	if s.picked != nil {
		return len(s.picked)
	}
	return len(s.ends)
}

// At returns string i.
func (s Strings) At(i int) string { return string(s.Bytes(i)) }

// Bytes returns string i without copying it.
func (s Strings) Bytes(i int) []byte {
	if s.picked != nil {
		i = int(s.picked[i])
	}
	begin := s.begin
	if i > 0 {
		begin = s.ends[i-1]
	}
	return s.bytes[begin:s.ends[i]:s.ends[i]]
}

// Clone returns a copy that shares nothing with s, so that it stays valid when a memory map is closed.
func (s Strings) Clone() Strings {
	s = s.packed()
	return Strings{ends: slices.Clone(s.ends), bytes: slices.Clone(s.bytes)}
}

// All yields every index with its string.
func (s Strings) All() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i := range s.Len() {
			if !yield(i, s.At(i)) {
				return
			}
		}
	}
}

// List copies the strings into a slice.
func (s Strings) List() []string {
	list := make([]string, s.Len())
	for i := range list {
		list[i] = s.At(i)
	}
	return list
}

// Equal reports whether two lists hold the same strings in the same order. It reads both, unless they are one.
func (s Strings) Equal(t Strings) bool {
	if s.Len() != t.Len() {
		return false
	}
	if s.Len() == 0 || s.picked == nil && t.picked == nil && &s.ends[0] == &t.ends[0] {
		return true
	}
	s, t = s.packed(), t.packed()
	return slices.Equal(s.ends, t.ends) && bytes.Equal(s.bytes, t.bytes)
}

// slice returns strings lo, …, hi-1, sharing memory.
func (s Strings) slice(lo, hi int) Strings {
	if s.picked != nil {
		s.picked = s.picked[lo:hi:hi]
		return s
	}
	if lo > 0 {
		s.begin = s.ends[lo-1]
	}
	s.ends = s.ends[lo:hi:hi]
	return s
}

// pick returns the strings with the given numbers, sharing memory. It keeps the slice numbers.
func (s Strings) pick(numbers []uint32) Strings {
	if numbers == nil {
		numbers = []uint32{}
	}
	if s.picked != nil {
		all := s.picked
		s.picked = make([]uint32, len(numbers))
		for i, n := range numbers {
			s.picked[i] = all[n]
		}
		return s
	}
	s.picked = numbers
	return s
}

// packed returns s in the form that the corpus file holds: string 0 begins at byte 0, and there are no bytes
// after the last string. It copies the ends of a slice that begins elsewhere, and strings that were picked.
func (s Strings) packed() Strings {
	if s.picked != nil {
		var p Strings
		for i := range s.picked {
			p.add(s.At(i))
		}
		return p
	}
	if len(s.ends) == 0 {
		return Strings{}
	}
	end := s.ends[len(s.ends)-1]
	p := Strings{ends: s.ends, bytes: s.bytes[s.begin:end:end]}
	if s.begin > 0 {
		p.ends = append([]uint64(nil), s.ends...)
		for i := range p.ends {
			p.ends[i] -= s.begin
		}
	}
	return p
}

// StringsOver returns a list that shares memory with its arguments: string i ends at ends[i] in bytes and
// begins where string i-1 ends. The ends must rise to the length of bytes.
func StringsOver(ends []uint64, bytes []byte) (Strings, error) {
	end := uint64(0)
	if len(ends) > 0 {
		end = ends[len(ends)-1]
	}
	if end != uint64(len(bytes)) || !slices.IsSorted(ends) {
		return Strings{}, errors.New("the ends of the strings do not rise to the number of their bytes")
	}
	return Strings{ends: ends, bytes: bytes}, nil
}

// tableOf returns a table of words, and the id of each word in the list. A word that occurs twice has its first id.
func tableOf(words Strings) (table *intern.Table, firsts []uint32) {
	table = intern.New(words.Len())
	for i := range words.Len() {
		word := words.Bytes(i)
		if id := table.Intern(word, intern.Hash(word)); int(id) == len(firsts) {
			firsts = append(firsts, uint32(i))
		}
	}
	return table, firsts
}
