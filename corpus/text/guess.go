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
	if p.main != 0 && !p.clearly(best, most, dst[start:]) {
		drop |= p.main
		best = -1
	}
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

// acceptQuickly is accept for a document in a main language. It counts what tells
// whether the document may be in another.
func (p *Pipeline) acceptQuickly(dst [][]byte, word []byte, lists languageSet) [][]byte {
	switch {
	case lists == 0:
		return append(dst, word)
	case lists&p.main != 0:
		p.mains++
		return dst
	case lists&^userWords != 0:
		p.others++
	}
	if lists&p.drop != 0 {
		return dst
	}
	return append(dst, word)
}

// doubtful says whether the words counted leave it open that clearly holds of some
// language: its stop words are at most those counted.
func (p *Pipeline) doubtful() bool {
	return float64(p.others) >= (foreignFactor-1)*float64(p.mains) && p.mains+p.others >= foreignVotes
}

// clearly says whether a document with so many stop words of a language is
// clearly in it rather than in one of the main languages.
func (p *Pipeline) clearly(lang int, votes int32, words [][]byte) bool {
	if lang < 0 || votes < foreignVotes || float64(votes) < minCoverage*float64(len(words)) {
		return false
	}
	main := int32(0)
	for _, lists := range p.lists {
		if lists&p.main != 0 {
			main++
		}
	}
	if float64(votes) < foreignFactor*float64(main) {
		return false
	}
	kinds := make(map[string]bool)
	for i, word := range words {
		if p.lists[i]&(1<<lang) != 0 {
			kinds[string(word)] = true
		}
	}
	return len(kinds) >= minKinds
}
