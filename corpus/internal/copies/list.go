package copies

import (
	"errors"
	"slices"
	"sort"
)

// List says which documents are copies: pairs of a document, rising, and the first document of its group.
type List []uint64

// HasCopies reports whether documents are known to be copies of others.
func (l List) HasCopies() bool { return len(l) > 0 }

// CopyOf returns the first document of the group of copies that document d belongs to. It is d itself if d is no copy
// of an earlier document.
func (l List) CopyOf(d int) int {
	n := len(l) / 2
	i := sort.Search(n, func(i int) bool { return l[2*i] >= uint64(d) })
	if i < n && l[2*i] == uint64(d) {
		return int(l[2*i+1])
	}
	return d
}

// Among returns the list of a selection of n documents, the number of each given by at.
func Among(l List, n int, at func(i int) int) List {
	if len(l) == 0 {
		return nil
	}
	known := make(map[int]bool) // first documents that have copies
	for i := 1; i < len(l); i += 2 {
		known[int(l[i])] = true
	}
	var list List
	place := make(map[int]int) // of the first document of each group in the selection
	for i := range n {
		first := l.CopyOf(at(i))
		if !known[first] {
			continue
		}
		if p, has := place[first]; has {
			list = append(list, uint64(i), uint64(p))
		} else {
			place[first] = i
		}
	}
	return list
}

// After returns the list of documents that follow n others.
func After(l List, n int) List {
	moved := make(List, len(l))
	for i, d := range l {
		moved[i] = uint64(n) + d
	}
	return moved
}

// Check returns an error if the list contradicts itself.
func Check(l List, docs uint64) error {
	if len(l)%2 != 0 {
		return errors.New("a pair is cut short")
	}
	copied := make(map[uint64]bool, len(l)/2)
	last := uint64(0)
	for i := 0; i < len(l); i += 2 {
		doc, first := l[i], l[i+1]
		if doc <= last || doc >= docs || first >= doc || copied[first] {
			return errors.New("the copies are not in their order")
		}
		copied[doc], last = true, doc
	}
	return nil
}

// ListOf makes a list of copies and the first documents of their groups, after some documents were left out. A group
// whose first document is missing goes on with its next one. The list is nil without copies.
func ListOf(copies [][2]uint32, left []uint32) List {
	if len(copies) == 0 {
		return nil
	}
	list := List{}
	number := func(doc uint32) (final uint64, kept bool) {
		i, dropped := slices.BinarySearch(left, doc)
		return uint64(doc) - uint64(i), !dropped
	}
	firsts := make(map[uint32]uint64) // of groups whose first document is missing
	for _, p := range copies {
		doc, kept := number(p[0])
		if !kept {
			continue
		}
		first, is := number(p[1])
		if !is {
			if first, is = firsts[p[1]]; !is {
				firsts[p[1]] = doc
				continue
			}
		}
		list = append(list, doc, first)
	}
	return list
}
