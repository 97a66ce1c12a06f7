package coherence

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// TestWindowsAgreeWithGensim compares with what gensim 4.2 measures on the same
// texts; testdata/gensim_coherence.py made the file.
func TestWindowsAgreeWithGensim(t *testing.T) {
	var file struct {
		Topics   [][]int
		Measures map[string][]float64
		Texts    [][]uint32
	}
	data, err := os.ReadFile("testdata/gensim_coherence.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	c, other := NewWindows(file.Topics), NewWindows(file.Topics)
	for i, text := range file.Texts {
		if i%2 == 0 {
			c.Add(text)
		} else {
			other.Add(text)
		}
	}
	c.Merge(other)
	got := c.Measure()
	for name, values := range map[string][]float64{"c_v": got.CV, "c_uci": got.UCI, "c_npmi": got.NPMI} {
		for k, want := range file.Measures[name] {
			if math.Abs(values[k]-want) > 1e-6 { // gensim works with float32 in places
				t.Errorf("%s of topic %d: %v, gensim has %v", name, k, values[k], want)
			}
		}
	}
}

// TestWindowsByHand slides a window over random texts, one word at a time, and
// asks which words are in it.
func TestWindowsByHand(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	topics := [][]int{{0, 1, 2, 3}, {3, 4, 0}, {9, 5, 7, 8, 6}, {50, 1}}
	c := NewWindows(topics)
	var texts [][]uint32
	for range 60 {
		text := make([]uint32, random.IntN(260)*random.IntN(2)+random.IntN(14))
		for i := range text {
			text[i] = random.Uint32N(40)
		}
		texts = append(texts, text)
		c.Add(text)
	}
	for _, s := range c.sizes {
		var all uint64
		want := make([][]uint64, len(topics))
		for k, words := range topics {
			want[k] = make([]uint64, len(words)*(len(words)+1)/2)
		}
		for _, text := range texts {
			for begin := 0; begin == 0 && len(text) > 0 || begin+s.words <= len(text); begin++ {
				all++
				inside := make(map[int]bool)
				for _, w := range text[begin:min(begin+s.words, len(text))] {
					inside[int(w)] = true
				}
				for k, words := range topics {
					for i := range words {
						for j := range i + 1 {
							if inside[words[i]] && inside[words[j]] {
								want[k][i*(i+1)/2+j]++
							}
						}
					}
				}
			}
		}
		if all != s.all {
			t.Errorf("%d windows of %d words, want %d", s.all, s.words, all)
		}
		for k := range topics {
			for at, n := range want[k] {
				if s.both[k][at] != n {
					t.Errorf("windows of %d words, topic %d, pair %d: %d, want %d", s.words, k, at, s.both[k][at], n)
				}
			}
		}
	}
}

// Topics whose words do not occur, never meet or always do.
func TestWindowsAtTheEdges(t *testing.T) {
	c := NewWindows([][]int{{1, 2}, {1, 3}, {7, 8}, {1}, {1, 7, 2}})
	if v := c.Measure().CV[0]; !math.IsNaN(v) {
		t.Errorf("without text C_V is %v", v)
	}
	for range 3 {
		c.Add([]uint32{1, 2, 9, 9})
	}
	c.Add(nil)
	got := c.Measure()
	if got.CV[0] != 1 || got.NPMI[0] != 1 || math.Abs(got.UCI[0]) > 1e-9 {
		t.Errorf("words that always meet: %v %v %v", got.CV[0], got.NPMI[0], got.UCI[0])
	}
	for _, k := range []int{1, 2, 3} {
		if !math.IsNaN(got.CV[k]) || !math.IsNaN(got.UCI[k]) || !math.IsNaN(got.NPMI[k]) {
			t.Errorf("topic %d has fewer than two words that occur, but %v %v %v", k, got.CV[k], got.UCI[k], got.NPMI[k])
		}
	}
	if got.CV[4] != 1 {
		t.Errorf("a word that does not occur is counted: %v", got.CV[4])
	}
	c.Add([]uint32{3})
	if got := c.Measure(); !(got.NPMI[1] < -0.9) || math.IsInf(got.UCI[1], 0) {
		t.Errorf("words that never meet: NPMI %v, UCI %v", got.NPMI[1], got.UCI[1])
	}
}
