package text

import "math/bits"

// settle guesses the language of the document whose words are dst[start:],
// each with the stop lists it is on in p.lists. It removes the stop words and
// returns the language to stem in, or -1. The language is the one with most stop words in
// the document; the earlier in the table wins a tie, and none wins when there
// is no stop word at all.
func (p *Pipeline) settle(dst [][]byte, start int) ([][]byte, int) {
	var votes [64]int32
	for _, lists := range p.lists {
		(lists & p.guess).vote(&votes)
	}
	best, most := -1, int32(0)
	for l, n := range votes[:len(languages)] {
		if n > most {
			best, most = l, n
		}
	}
	drop, stem := p.drop, p.stem
	if best >= 0 {
		if p.guessed {
			drop |= 1 << best
		}
		if languages[best].stem != nil {
			stem = best
		}
	}
	kept := dst[:start]
	for i, word := range dst[start:] {
		if p.lists[i]&drop == 0 {
			kept = append(kept, word)
		}
	}
	return kept, stem
}

// vote counts one for every language of the set.
func (s languageSet) vote(votes *[64]int32) {
	for rest := s; rest != 0; rest &= rest - 1 {
		votes[bits.TrailingZeros64(uint64(rest))]++
	}
}
