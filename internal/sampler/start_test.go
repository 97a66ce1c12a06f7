package sampler

import (
	"slices"
	"testing"
)

// A word begins with few topics, which no cut of the corpus changes.
func TestStartTopics(t *testing.T) {
	const words, most = 50, 4
	p := &Problem{K: 1000, Seed: 7, Threads: 3, Tuning: Tuning{StartTopics: most}}
	tokens := make([]uint32, 2*startChunk+5)
	for i := range tokens {
		tokens[i] = uint32(i % 1000 * i % words)
	}
	whole, part := FirstTopics(p, 0, tokens), FirstTopics(p, 2345, tokens[2345:2345+startChunk])
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

// One topic of a word is as much likelier as asked, whatever the cut of the corpus, and the others are equally likely.
func TestStartLift(t *testing.T) {
	const topics, words, lift, each = 100, 20, 20, 20_000
	p := &Problem{K: topics, Seed: 7, Threads: 3, Tuning: Tuning{StartLift: lift}}
	tokens := make([]uint32, words*each)
	for i := range tokens {
		tokens[i] = uint32(i / each)
	}
	whole, part := FirstTopics(p, 0, tokens), FirstTopics(p, 2345, tokens[2345:])
	if !slices.Equal(part, whole[2345:]) {
		t.Fatal("a part begins with other topics than the whole corpus")
	}
	for w := range words {
		n := make([]int, topics)
		for _, k := range whole[w*each : (w+1)*each] {
			n[k]++
		}
		slices.Sort(n)
		const any = each * (topics - lift) / topics / topics // tokens of every other topic
		if own := n[topics-1]; own < any+each*lift/topics-300 || own > any+each*lift/topics+300 || n[0] < any-60 || n[topics-2] > any+60 {
			t.Errorf("word %d: %d tokens begin with its topic, %d to %d with others", w, own, n[0], n[topics-2])
		}
	}
}
