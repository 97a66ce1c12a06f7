package rank

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/tablemodel"
)

// The exclusivity of a topic is that of its ten most probable words, of which those that do not occur in it are the
// first of the vocabulary; fewer if there are fewer words. Many words are equally frequent and exclusive.
func TestExclusivityIsTheDefinition(t *testing.T) {
	models := []*tablemodel.Model{equalWords(30, 12), equalWords(12, 3)}
	for seed := range uint64(12) {
		models = append(models, tablemodel.Random(seed, 4+int(seed), 3, 0.3), tablemodel.Random(seed, 40, 4, 0.5))
	}
	for i, m := range models {
		for topic := range New(m).Each(nil) {
			fr, ex := dense(m, topic.Topic)
			var present, absent []int
			for w, row := range m.Counts {
				if row[topic.Topic] > 0 {
					present = append(present, w)
				} else {
					absent = append(absent, w)
				}
			}
			slices.SortStableFunc(present, func(a, b int) int {
				return int(m.Counts[b][topic.Topic]) - int(m.Counts[a][topic.Topic])
			})
			all := slices.Concat(present[:min(10, len(present))], absent)
			want := 0.0
			for _, w := range all[:min(10, len(all))] {
				want += 1 / (0.7/ex[w] + 0.3/fr[w])
			}
			if !near(topic.Exclusivity, want) {
				t.Errorf("model %d, topic %d: %v, want %v", i, topic.Topic, topic.Exclusivity, want)
			}
			for _, w := range topic.Words {
				if !near(w.Frequent, fr[w.Word]) || !near(w.Exclusive, ex[w.Word]) {
					t.Errorf("model %d, topic %d: %+v, want ranks %v and %v", i, topic.Topic, w, fr[w.Word], ex[w.Word])
				}
			}
		}
	}
}

// equalWords is a model of two topics and v words, the first n of which occur in topic 0 alone, each twice.
func equalWords(v, n int) *tablemodel.Model {
	m := &tablemodel.Model{Prior: 0.1}
	for w := range v {
		row := []uint32{0, 1}
		if w < n {
			row = []uint32{2, 0}
		}
		m.Counts = append(m.Counts, row)
	}
	return m
}

// All gives every topic once, as Each does, to any number of goroutines.
func TestAll(t *testing.T) {
	r := New(tablemodel.Random(3, 50, 7, 0.3))
	for threads := 1; threads < 10; threads++ {
		var mutex sync.Mutex
		got := make([][]*Topic, 7)
		err := r.All(t.Context(), threads, func(topic *Topic) {
			mutex.Lock()
			defer mutex.Unlock()
			got[topic.Topic] = append(got[topic.Topic], topic)
		})
		if err != nil {
			t.Fatal(err)
		}
		for topic := range r.Each(nil) {
			list := got[topic.Topic]
			if len(list) != 1 || list[0].Exclusivity != topic.Exclusivity || !slices.Equal(list[0].Words, topic.Words) {
				t.Errorf("%d threads: topic %d came %d times", threads, topic.Topic, len(list))
			}
		}
	}
	for topic := range r.Each([]int{4, 2}) {
		if topic.Topic != 4 {
			t.Errorf("topic %d comes first", topic.Topic)
		}
		break
	}
}

// Scores of a word by its numbers, and its weight on either side.
func TestScores(t *testing.T) {
	w := Word{Phi: 0.25, Lift: 4, Frequent: 0.5, Exclusive: 0.2, Count: 3}
	for o, want := range map[Order]float64{
		{}:                                    0.25,
		{Measure: probability, Weight: 9}:     0.25,
		{Measure: lift}:                       4,
		{Measure: relevance, Weight: 0}:       math.Log(4),
		{Measure: relevance, Weight: 1}:       math.Log(0.25),
		{Measure: relevance, Weight: 0.75}:    -0.5 * math.Log(4),
		{Measure: frex, Weight: 1}:            0.5,
		{Measure: frex, Weight: 0}:            0.2,
		{Measure: frex, Weight: 0.25}:         1 / (0.25/0.5 + 0.75/0.2),
		{Measure: relevance, Weight: 1.0 / 2}: 0,
	} {
		if got := w.Score(o); !near(got, want) {
			t.Errorf("%+v: %v, want %v", o, got, want)
		}
	}
	for name, want := range map[string]Order{
		"probability": {Measure: probability}, "lift": {Measure: lift}, "relevance": {relevance, 0.6}, "frex": {frex, 0.5},
	} {
		if got, err := Find(name); err != nil || got != want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for _, o := range []Order{{}, {Measure: lift, Weight: 7}, {relevance, 0}, {relevance, 1}, {frex, 0}, {frex, 1}} {
		if err := o.Validate(); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
	words := []Word{
		{Word: 0, Lift: 1, Count: 2},
		{Word: 1, Lift: 2, Count: 1},
		{Word: 2, Lift: 2, Count: 3},
		{Word: 3, Lift: 1, Count: 2},
	}
	var got []int
	for _, w := range top(words, Order{Measure: lift}, 9) {
		got = append(got, w.Word)
	}
	if !slices.Equal(got, []int{2, 1, 0, 3}) {
		t.Errorf("equal scores are in the order %v", got)
	}
}

// Values are rounded to the nearest of 2^40 steps of their size.
func TestCoarse(t *testing.T) {
	for x, want := range map[float64]float64{
		1:                     1,
		1 + 0x1p-41 - 0x1p-52: 1,
		1 + 0x1p-41:           1 + 0x1p-40,
		1 + 0x1p-40:           1 + 0x1p-40,
		1 - 0x1p-53:           1,
		0.75 + 0x1p-42:        0.75 + 0x1p-41,
		3e-9:                  coarse(3e-9 * (1 + 0x1p-50)),
	} {
		if got := coarse(x); got != want {
			t.Errorf("%b becomes %b, want %b", x, got, want)
		}
	}
}

// A topic that is asked for twice has the same list twice; a search can be cancelled and may fail.
func TestTopDocsOfAnyTopics(t *testing.T) {
	h := &heard{alpha: []float64{0.5, 0.1}, docs: [][]uint32{{0, 1}, {1}, {0, 0}}, all: []uint32{0, 1, 1, 0, 0}}
	got, err := TopDocs(t.Context(), h, []int{1, 0, 1}, 5)
	if err != nil {
		t.Fatal(err)
	}
	one := []Doc{{1, 1.1 / 1.6, 1, 0}, {0, 1.1 / 2.6, 1, 0}}
	for i, want := range [][]Doc{one, {{2, 2.5 / 2.6, 2, 0}, {0, 1.5 / 2.6, 1, 0}}, one} {
		if !slices.EqualFunc(got[i], want,
			func(a, b Doc) bool { return a.Doc == b.Doc && a.Tokens == b.Tokens && near(a.Theta, b.Theta) }) {
			t.Errorf("list %d: %v, want %v", i, got[i], want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := TopDocs(ctx, h, nil, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := TopDocs(t.Context(), lost{h}, nil, 1); !errors.Is(err, errLost) {
		t.Errorf("without documents: %v", err)
	}
}

// lost is a model without documents.
type lost struct{ *heard }

var errLost = errors.New("lost")

func (lost) Docs() (*corpus.Corpus, error) { return nil, errLost }

// All stops between two topics when its context ends.
func TestAllCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	came := 0
	err := New(tablemodel.Random(3, 50, 7, 0.3)).All(ctx, 1, func(*Topic) {
		came++
		cancel()
	})
	if came != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d topics came, then %v", came, err)
	}
}
