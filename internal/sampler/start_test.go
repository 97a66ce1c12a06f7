package sampler

import "testing"

// A word begins with few topics, which no cut of the corpus changes.
func TestStartTopics(t *testing.T) {
	const words, most = 50, 4
	p := &Problem{K: 1000, Seed: 7, Threads: 3, Tuning: Tuning{StartTopics: most}}
	tokens := make([]uint32, 2*startChunk+5)
	for i := range tokens {
		tokens[i] = uint32(i % 1000 * i % words)
	}
	whole, part := make([]uint32, len(tokens)), make([]uint32, startChunk)
	StartTopics(p, 0, tokens, whole)
	StartTopics(p, 2345, tokens[2345:2345+startChunk], part)
	topics, all := map[uint32]map[uint32]bool{}, map[uint32]bool{}
	for i, w := range tokens {
		if topics[w] == nil {
			topics[w] = map[uint32]bool{}
		}
		topics[w][whole[i]], all[whole[i]] = true, true
	}
	for i, k := range part {
		if k != whole[2345+i] {
			t.Fatalf("token %d begins with topic %d, and as one of a part with %d", 2345+i, whole[2345+i], k)
		}
	}
	for w, list := range topics {
		if len(list) > most {
			t.Errorf("word %d begins with %d topics", w, len(list))
		}
	}
	if len(all) < most*len(topics)/2 {
		t.Errorf("%d words begin with %d topics together", len(topics), len(all))
	}
}
