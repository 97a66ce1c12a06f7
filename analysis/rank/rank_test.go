package rank

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/topoi-lda/topoi/internal/tablemodel"
)

// reference holds the values that testdata/reference.py computed with NumPy and SciPy. Tables are
// V × K.
type reference struct {
	Beta        float64
	Counts      [][]uint32
	Phi, Lift   [][]float64
	Relevance   map[string][][]float64 // by λ
	FREX        map[string][][]float64 // by w
	Exclusivity []float64
}

func readReference(t *testing.T) (reference, *Ranker) {
	t.Helper()
	b, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var ref reference
	if err := json.Unmarshal(b, &ref); err != nil {
		t.Fatal(err)
	}
	return ref, New(&tablemodel.Model{Counts: ref.Counts, Prior: ref.Beta})
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

func TestMeasuresAreThoseOfNumPy(t *testing.T) {
	ref, r := readReference(t)
	seen := 0
	for topic := range r.Each(nil) {
		k := topic.Topic
		check := func(what string, got, want float64) {
			if !near(got, want) {
				t.Errorf("topic %d: %s is %v, want %v", k, what, got, want)
			}
		}
		check("exclusivity", topic.Exclusivity, ref.Exclusivity[k])
		for _, w := range topic.Words {
			seen++
			check("φ", w.Phi, ref.Phi[w.Word][k])
			check("lift", w.Lift, ref.Lift[w.Word][k])
			for name, table := range ref.Relevance {
				check("relevance "+name, w.Relevance(weight(t, name)), table[w.Word][k])
			}
			for name, table := range ref.FREX {
				check("FREX "+name, w.FREX(weight(t, name)), table[w.Word][k])
			}
		}
	}
	if seen == 0 {
		t.Error("no word was compared")
	}
}

func weight(t *testing.T, name string) float64 {
	x, err := strconv.ParseFloat(name, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// dense is the definition of FREX and exclusivity with all zeros: V values for a topic.
func dense(m *tablemodel.Model, k int) (fr, ex []float64) {
	phi := m.Phi()
	value := make([]float64, m.NumWords())
	for w := range value {
		sum := 0.0
		for j := range phi {
			sum += phi[j][w]
		}
		value[w] = phi[k][w] / sum
	}
	return meanRanks(phi[k]), meanRanks(value)
}

// meanRanks returns (number below + half of the number equal, itself once more)/V.
func meanRanks(values []float64) []float64 {
	ranks := make([]float64, len(values))
	for i, x := range values {
		for _, y := range values {
			switch {
			case math.Abs(x-y) < 1e-12*x:
				ranks[i] += 0.5
			case y < x:
				ranks[i]++
			}
		}
		ranks[i] = (ranks[i] + 0.5) / float64(len(values))
	}
	return ranks
}

func TestRanksCountWordsThatDoNotOccur(t *testing.T) {
	for seed := range uint64(30) {
		m := tablemodel.Random(seed, 1+int(seed)*3, 1+int(seed)%7, 0.3)
		r := New(m)
		for topic := range r.Each(nil) {
			fr, ex := dense(m, topic.Topic)
			for _, w := range topic.Words {
				if !near(w.Frequent, fr[w.Word]) || !near(w.Exclusive, ex[w.Word]) {
					t.Fatalf("seed %d, topic %d, word %d: ranks %v and %v, want %v and %v",
						seed, topic.Topic, w.Word, w.Frequent, w.Exclusive, fr[w.Word], ex[w.Word])
				}
			}
		}
	}
}

// The lists are those over all V words without the words that do not occur; by
// probability they are their beginning.
func TestListsAreThoseOverAllWords(t *testing.T) {
	ref, r := readReference(t)
	for name, table := range map[string][][]float64{"probability": ref.Phi, "lift": ref.Lift, "relevance": ref.Relevance["0.6"], "frex": ref.FREX["0.5"]} {
		order, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		for topic := range r.Each(nil) {
			k := topic.Topic
			var all []int
			for w := range table {
				all = append(all, w)
			}
			slices.SortStableFunc(all, func(a, b int) int {
				switch d := table[b][k] - table[a][k]; {
				case d > 1e-12:
					return 1
				case d < -1e-12:
					return -1
				}
				return int(ref.Counts[b][k]) - int(ref.Counts[a][k])
			})
			occurring := slices.DeleteFunc(slices.Clone(all), func(w int) bool { return ref.Counts[w][k] == 0 })
			var got []int
			for _, w := range topic.Top(order, 1000) {
				got = append(got, w.Word)
			}
			if !slices.Equal(got, occurring) {
				t.Errorf("topic %d by %s: %v, want %v", k, name, got, occurring)
			}
			if name == "probability" && !slices.Equal(got, all[:len(got)]) {
				t.Errorf("topic %d by probability: %v, want the beginning of %v", k, got, all)
			}
		}
	}
}

// The numbers of topics have no influence.
func TestRenumbering(t *testing.T) {
	m := tablemodel.Random(5, 120, 9, 0.2)
	perm := rand.New(rand.NewPCG(1, 2)).Perm(9)
	before, after := New(m), New(m.Renumbered(perm))
	for k := range 9 {
		a, b := before.Topic(k), after.Topic(perm[k])
		if a.Exclusivity != b.Exclusivity || !slices.Equal(a.Words, b.Words) {
			t.Errorf("topic %d differs after renumbering", k)
		}
	}
}

func TestOneTopicOneWord(t *testing.T) {
	topic := New(&tablemodel.Model{Counts: [][]uint32{{5}}, Prior: 0.1}).Topic(0)
	want := Word{Word: 0, Count: 5, Phi: 1, Lift: 1, Frequent: 1, Exclusive: 1}
	if len(topic.Words) != 1 || topic.Words[0] != want || topic.Exclusivity != 1 {
		t.Errorf("%+v", topic)
	}
	if got := topic.Top(Order{}, 0); len(got) != 0 {
		t.Errorf("no words asked for, got %v", got)
	}
}

func TestAnEmptyTopic(t *testing.T) {
	topic := New(&tablemodel.Model{Counts: [][]uint32{{5, 0}, {2, 0}}, Prior: 0.1}).Topic(1)
	if len(topic.Words) != 0 || math.IsNaN(topic.Exclusivity) || topic.Exclusivity <= 0 {
		t.Errorf("%+v", topic)
	}
}

func TestFind(t *testing.T) {
	for _, name := range measures() {
		o, err := Find(name)
		if err != nil || o.Measure != name || o.Validate() != nil {
			t.Errorf("%s: %+v, %v", name, o, err)
		}
	}
	if _, err := Find("relevence"); err == nil || err.Error() != `unknown order of words "relevence": did you mean "relevance"?` {
		t.Errorf("error %v", err)
	}
	for _, o := range []Order{{relevance, -0.1}, {frex, 1.1}, {relevance, math.NaN()}, {Measure: "x"}} {
		if o.Validate() == nil {
			t.Errorf("%+v passes", o)
		}
	}
}

// Few words are found without sorting all: the list of n is the beginning of the whole one.
func TestTopIsTheBeginning(t *testing.T) {
	topic := New(tablemodel.Random(11, 300, 3, 0.7)).Topic(1)
	for _, o := range []Order{{}, {relevance, 0.3}, {frex, 0.5}, {Measure: lift}} {
		all := topic.Top(o, len(topic.Words))
		for _, n := range []int{1, 2, 7, 50, len(all) - 1, len(all) + 5} {
			if got := topic.Top(o, n); !slices.Equal(got, all[:min(n, len(all))]) {
				t.Errorf("%+v: %d words are not the first of all", o, n)
			}
		}
	}
}
