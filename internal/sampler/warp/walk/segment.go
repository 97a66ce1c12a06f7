package walk

// Topic is how a topic is stored: in 16 bits up to 65,536 topics.
type Topic interface{ uint16 | uint32 }

// MostTokens is how many tokens of a word are worked on at once: their columns
// stay in the first-level cache.
const MostTokens = 512

// Segment is tokens of one word in one block, at most MostTokens: a word with
// more has several.
type Segment struct {
	Block uint32 // index of the block
	Begin uint32 // place of the first token in the block
	N     uint32 // number of tokens
}

// TokensIn returns the number of tokens in segments.
func TokensIn(segments []Segment) (n int) {
	for _, seg := range segments {
		n += int(seg.N)
	}
	return n
}

// AtLeast returns the number of tokens in segments or, where there are as many as enough, some number from that on.
func AtLeast(segments []Segment, enough int) (n int) {
	for _, seg := range segments {
		if n >= enough {
			break
		}
		n += int(seg.N)
	}
	return n
}

// FirstChunk returns how many of the first segments make a chunk: at least one, and
// together at most MostTokens tokens.
func FirstChunk(segments []Segment) int {
	n := uint32(0)
	for i, seg := range segments {
		n += seg.N
		if n > MostTokens {
			return i
		}
	}
	return len(segments)
}
