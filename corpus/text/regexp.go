package text

import "unicode/utf8"

// matches appends what the user's expression matches in the normalised text.
func (p *Pipeline) matches(dst [][]byte, s []byte) [][]byte {
	text := p.normalize(s)
	for _, at := range p.regexp.FindAllIndex(text, -1) {
		word := text[at[0]:at[1]]
		if n := utf8.RuneCount(word); n > 0 && n >= p.min && n <= p.max {
			word = p.store(word)
			finalSigma(word)
			dst = p.accept(dst, word)
		}
	}
	return dst
}
