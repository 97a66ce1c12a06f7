package sampler

import "github.com/topoi-lda/topoi/internal/radix"

// WordTokens says where the tokens of some words that follow each other are among their records, block after block.
type WordTokens struct {
	First    []int    // words+1: word number i has segments First[i] … First[i+1]-1
	Segments []uint32 // three numbers for each: block, first place in it, tokens, at most as many as was asked for
	Begins   []int    // by block: where the record of its token in place 0 would be, if it was there
	Starts   []int    // blocks+1: the first record of each block, and their number
}

// Tokens is how many there are.
func (t *WordTokens) Tokens() int { return t.Starts[len(t.Starts)-1] }

// wordLayout finds the tokens of the words of some slices of the vocabulary.
type wordLayout struct {
	plan   *Plan
	begins []int    // slices+1: the first word of each slice
	slice  []uint32 // V: the slice of a word
	most   int      // tokens of a segment
	wanted []*WordTokens
	next   [][]int // by slice, by word of a slice that is wanted: segments of it so far

	sorter radix.Sorter
	counts []int    // by slice: tokens in a block
	list   []uint32 // words of a block that are wanted
}

// LayWords finds the tokens of all words of the wanted slices: by slice, nil for others. Slice i has words begins[i] … begins[i+1]-1, and
// slice is the slice of each word. words returns those of a span's tokens, and spans make up the corpus. A segment has
// at most so many tokens.
func (l *Plan) LayWords(wanted []int, begins []int, slice []uint32, spans []Span, words func(span int) ([]uint32, error), most int) ([]*WordTokens, error) {
	w := &wordLayout{
		plan: l, begins: begins, slice: slice, most: most,
		wanted: make([]*WordTokens, len(begins)-1), next: make([][]int, len(begins)-1), counts: make([]int, len(begins)-1),
	}
	for _, i := range wanted {
		n := begins[i+1] - begins[i]
		w.wanted[i] = &WordTokens{First: make([]int, n+1), Begins: make([]int, 0, l.Blocks()), Starts: make([]int, 1, l.Blocks()+1)}
		w.next[i] = w.wanted[i].First[1:]
	}
	if err := w.each(spans, words, w.count); err != nil {
		return nil, err
	}
	for _, i := range wanted {
		t := w.wanted[i]
		for j := range begins[i+1] - begins[i] {
			t.First[j+1] += t.First[j]
		}
		w.next[i] = append([]int(nil), t.First...)
		t.Segments = make([]uint32, 3*t.First[len(t.First)-1])
	}
	return w.wanted, w.each(spans, words, w.fill)
}

// each calls f for every block with how many of its tokens are of each slice and, sorted, the words of those that are wanted.
func (w *wordLayout) each(spans []Span, words func(span int) ([]uint32, error), f func(block int)) error {
	for number, span := range spans {
		all, err := words(number)
		if err != nil {
			return err
		}
		for b := span.FirstBlock; b < span.LastBlock; b++ {
			block := w.plan.blocks[b]
			clear(w.counts)
			w.list = w.list[:0]
			for _, word := range all[block.Begin-span.Begin : block.End-span.Begin] {
				i := w.slice[word]
				w.counts[i]++
				if w.wanted[i] != nil {
					w.list = append(w.list, word)
				}
			}
			w.sorter.Sort(w.list, len(w.slice))
			f(b)
		}
	}
	return nil
}

// runs calls f for the segments of the wanted words of a block, which are in list.
func (w *wordLayout) runs(f func(slice, word, begin, n int)) {
	list, place := w.list, 0
	for slice, tokens := range w.counts {
		if w.wanted[slice] == nil {
			place += tokens
			continue
		}
		for rest := list[:tokens]; len(rest) > 0; {
			n := 1
			for n < len(rest) && n < w.most && rest[n] == rest[0] {
				n++
			}
			f(slice, int(rest[0])-w.begins[slice], place, n)
			rest, place = rest[n:], place+n
		}
		list = list[tokens:]
	}
}

// count counts the segments of a block, and where its records are.
func (w *wordLayout) count(int) {
	place := 0
	for slice, tokens := range w.counts {
		if t := w.wanted[slice]; t != nil {
			before := t.Tokens()
			t.Begins = append(t.Begins, before-place)
			t.Starts = append(t.Starts, before+tokens)
		}
		place += tokens
	}
	w.runs(func(slice, word, _, _ int) { w.next[slice][word]++ })
}

// fill notes the segments of a block.
func (w *wordLayout) fill(block int) {
	w.runs(func(slice, word, begin, n int) {
		at := w.next[slice][word]
		w.next[slice][word]++
		copy(w.wanted[slice].Segments[3*at:], []uint32{uint32(block), uint32(begin), uint32(n)})
	})
}
