package guide

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/topic"
	"github.com/topoi-lda/topoi/train"
)

// years returns documents of three years, one after the other in the file, and some without a time between them.
func years() *corpus.Corpus {
	var b corpus.Builder
	for i := range 90 {
		doc := corpus.Document{ID: fmt.Sprint(i), Time: fmt.Sprint(2000 + i%3)}
		length := 12
		if i%5 == 4 {
			doc.Time, length = "", i/5-1 // 0 words at first, then 0, 1, 2 …
		}
		for j := range length {
			doc.Tokens = append(doc.Tokens, fmt.Sprint("w", (i%2)*6+(i+j*j)%6))
		}
		b.Add(doc)
	}
	return b.Corpus()
}

// By hand: slice t is trained with ⌊c·(n + m)⌋ of the slice before, and its documents keep the topics that it found. Documents
// without a time have those that the last model infers.
func TestByTimeIsSliceAfterSlice(t *testing.T) {
	c := years()
	of, rest := make([][]uint32, 3), []uint32(nil)
	for d := range c.NumDocs() {
		switch {
		case c.Time(d) != "":
			of[d%3] = append(of[d%3], uint32(d))
		case len(c.Doc(d)) > 0:
			rest = append(rest, uint32(d))
		}
	}
	results := map[float64]string{}
	for _, carry := range []float64{0, 0.8} {
		o := ByTimeOptions{Bins: "year", Carry: carry, Options: topoi.Options{Topics: 3, Iterations: 15, Seed: 4, Threads: 1}}
		var told []string
		o.Slice = func(name string, docs int) { told = append(told, fmt.Sprint(name, " ", docs)) }
		m, err := ByTime(t.Context(), c, o)
		if err != nil {
			t.Fatal(err)
		}
		results[carry] = m.Fingerprint()
		if want := []string{"2000 24", "2001 24", "2002 24"}; !slices.Equal(told, want) {
			t.Errorf("slices %q, want %q", told, want)
		}
		z := topicsOf(t, m)
		var last *topoi.Model
		for i, docs := range of {
			run := o.Options
			if last != nil && carry > 0 {
				before := last
				run.Pseudo = topic.NewPseudoCounts(c.NumWords(), 3, func(w int) (row []topic.Count) {
					for _, e := range before.Row(w) { // which has n + m
						row = append(row, topic.Count{Topic: e.Topic, Count: uint32(math.Floor(carry * float64(e.Count)))})
					}
					return row
				})
			}
			if last, err = train.Run(t.Context(), c.Select(docs), run); err != nil {
				t.Fatal(err)
			}
			at, found := 0, topicsOf(t, last)
			for _, d := range docs {
				n := len(c.Doc(int(d)))
				if begin := c.Offsets()[d]; !slices.Equal(z[begin:begin+uint64(n)], found[at:at+n]) {
					t.Fatalf("carry %v, slice %d: document %d does not have the topics of its slice", carry, i, d)
				}
				at += n
			}
		}
		start, err := startOf(t.Context(), last, c.Select(rest), 0, nil, UpdateOptions{Options: o.Options})
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for _, d := range rest {
			n := len(c.Doc(int(d)))
			if begin := c.Offsets()[d]; !slices.Equal(z[begin:begin+uint64(n)], start.Topics[at:at+n]) {
				t.Fatalf("carry %v: document %d without a time does not have the topics that the last model infers", carry, d)
			}
			at += n
		}
		if manifest := m.Manifest(); manifest.Iterations != 15 || !slices.Equal(m.Alpha(), last.Alpha()) || m.Beta() != last.Beta() {
			t.Errorf("%d iterations, α %v and β %v, want those of the last slice: %v and %v", manifest.Iterations, m.Alpha(), m.Beta(), last.Alpha(), last.Beta())
		}
		if bins, share := slicesOf(m); bins != "year" || share != carry {
			t.Errorf("slices of %s with %v carried on", bins, share)
		}
		if bins, share := slicesOf(last); bins != "" || share != 0.8 {
			t.Errorf("a model of one slice has carried %v in %q", share, bins)
		}
	}
	if results[0] == results[0.8] {
		t.Error("carrying counts on changes nothing")
	}
}

// Options of a slice have nothing of a whole run's checkpoints, and carry nothing on where all counts round to 0.
func TestSliceOptions(t *testing.T) {
	c, z := small()
	last := told(t, c, []float64{1, 1, 1, 1}, z, nil)
	o := ByTimeOptions{Carry: 1, Options: topoi.Options{Topics: 4, Checkpoint: "x", Resume: true, Iterations: 9}}
	run := sliceOptions(o, last)
	if run.Checkpoint != "" || run.Resume || run.Iterations != 9 || run.Pseudo == nil || run.Pseudo.Tokens() != 9 {
		t.Errorf("%+v", run)
	}
	if run = sliceOptions(o, nil); run.Pseudo != nil || run.Checkpoint != "" || run.Resume {
		t.Errorf("the first slice has %+v", run)
	}
	if o.Carry = 0.9; sliceOptions(o, last).Pseudo != nil { // no count is above 1
		t.Error("nothing is carried on, as pseudo-counts")
	}
	for _, share := range []float64{0, 1} {
		if _, err := ByTime(t.Context(), years(), ByTimeOptions{Bins: "year", Carry: share, Options: topoi.Options{Topics: 2, Iterations: 1}}); err != nil {
			t.Errorf("a share of %v is refused: %v", share, err)
		}
	}
	for _, share := range []float64{-0.01, 1.01, math.NaN()} {
		if _, err := ByTime(t.Context(), years(), ByTimeOptions{Bins: "year", Carry: share, Options: topoi.Options{Topics: 2, Iterations: 1}}); err == nil {
			t.Errorf("a share of %v is accepted", share)
		}
	}
}

// Words of a topic in each slice, by hand, where half of the counts is carried on and β is 0.5: topic 0 has a 5 times and b
// once in 2000; ⌊5/2⌋ = 2 a are left in 2001, where b comes twice more; ⌊2/2⌋ = 1 each in 2002, where nothing is new.
func TestDriftNumbers(t *testing.T) {
	var b corpus.Builder
	for year, tokens := range [][]string{{"a", "a", "a", "a", "a", "b"}, {"b", "b", "c"}, {"c", "c"}} {
		b.Add(corpus.Document{Time: fmt.Sprint(2000 + year), Tokens: tokens})
	}
	c := b.Corpus()
	z := []uint32{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1}
	m := told(t, c, []float64{1, 1}, z, nil)
	list, err := Drift(m, "year", 0.5, []int{0}, 2)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range list {
		s := fmt.Sprintf("%d %s %d:", w.Topic, w.Period, w.Tokens)
		for _, x := range w.Top {
			s += fmt.Sprintf(" %s %d %.4f", x.Term, x.Count, x.Phi)
		}
		got = append(got, s)
	}
	want := []string{
		"0 2000 6: a 5 0.7333 b 1 0.2000", // 5.5/7.5, 1.5/7.5
		"0 2001 2: a 2 0.4545 b 2 0.4545", // 2.5/5.5
		"0 2002 0: a 1 0.4286 b 1 0.4286", // 1.5/3.5
	}
	if !slices.Equal(got, want) {
		t.Errorf("drift %q, want %q", got, want)
	}
	if list, err := Drift(m, "year", 0.5, nil, 5); err != nil || len(list) != 6 || list[5].Topic != 1 || list[5].Tokens != 2 || len(list[5].Top) != 1 {
		t.Errorf("%+v %v", list, err)
	}
	for _, k := range []int{-1, 2} {
		if _, err := Drift(m, "year", 0.5, []int{k}, 2); err == nil {
			t.Errorf("topic %d is accepted", k)
		}
	}
}
