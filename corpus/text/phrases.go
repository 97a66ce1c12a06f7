package text

import "bytes"

// join joins adjacent tokens of dst[start:] that form phrases, from left to
// right. A joined token may be joined again with what follows it.
func (p *Pipeline) join(dst [][]byte, start int) [][]byte {
	out := start
	for i := start; i < len(dst); i++ {
		if out > start && p.heads[string(dst[out-1])] {
			p.pair = append(append(append(p.pair[:0], dst[out-1]...), ' '), dst[i]...)
			if p.phrases[string(p.pair)] {
				p.pair[len(dst[out-1])] = '_'
				dst[out-1] = p.store(p.pair)
				continue
			}
		}
		dst[out] = dst[i]
		out++
	}
	return dst[:out]
}

// grams replaces dst[start:] by all its runs of the lengths in Options.Grams, in the order of their last tokens.
func (p *Pipeline) grams(dst [][]byte, start int) [][]byte {
	tokens := append([][]byte(nil), dst[start:]...)
	dst = dst[:start]
	for end := range tokens {
		for _, n := range p.options.Grams {
			switch {
			case n == 1:
				dst = append(dst, tokens[end])
			case n <= end+1:
				dst = append(dst, p.store(bytes.Join(tokens[end+1-n:end+1], []byte("_"))))
			}
		}
	}
	return dst
}

// store copies b to the arena. The arena may move when it grows; tokens made
// before keep the old one alive.
func (p *Pipeline) store(b []byte) []byte {
	begin := len(p.arena)
	p.arena = append(p.arena, b...)
	return p.arena[begin:len(p.arena):len(p.arena)]
}
