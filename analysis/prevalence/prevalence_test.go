package prevalence

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/dates"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/topic"
)

// drawn is documents with random topics.
type drawn struct {
	topics int
	z      []uint32 // of all tokens
	docs   *corpus.Corpus
}

func (m *drawn) NumTopics() int                { return m.topics }
func (m *drawn) Alpha() []float64              { return make([]float64, m.NumTopics()) }
func (m *drawn) Docs() (*corpus.Corpus, error) { return m.docs, nil }

func (m *drawn) AppendTopics(dst []uint32, lo, hi int) []uint32 { return append(dst, m.z[lo:hi]...) }

// draw makes documents of up to 40 tokens; describe gives label and time.
func draw(seed uint64, topics, docs int, describe func(d int) (label, time string)) *drawn {
	r := rand.New(rand.NewPCG(seed, 9))
	m := &drawn{topics: topics}
	var b corpus.Builder
	for d := range docs {
		n := r.IntN(41)
		label, time := describe(d)
		b.Add(corpus.Document{Label: label, Time: time, Tokens: strings.Fields(strings.Repeat("w ", n))})
		main := uint32(r.IntN(topics))
		for range n {
			if r.IntN(2) == 0 {
				m.z = append(m.z, main)
			} else {
				m.z = append(m.z, uint32(r.IntN(topics)))
			}
		}
	}
	m.docs = b.Corpus()
	return m
}

func (m *drawn) of(d int) []uint32 { return m.z[m.docs.Offsets()[d]:m.docs.Offsets()[d+1]] }

func byThree(d int) (label, time string) {
	return []string{"b", "a", "<script>"}[d%3], fmt.Sprint(1990 + d%4)
}

func compute(t *testing.T, m topic.Documents, o Options) *Result {
	t.Helper()
	r, err := Compute(t.Context(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSharesAreTheDefinition(t *testing.T) {
	m := draw(1, 4, 100, byThree)
	r := compute(t, m, Options{By: labelAndTime, Replicates: 8})
	if len(r.Cells) != 12 || r.Bins != dates.ByYear {
		t.Fatalf("%d cells by %s", len(r.Cells), r.Bins)
	}
	for c, cell := range r.Cells {
		total := 0
		counts := make([]int, 4)
		for d := range m.docs.NumDocs() {
			if m.docs.Label(d) == cell.Label && m.docs.Time(d) == cell.Period.Name {
				for _, k := range m.of(d) {
					counts[k]++
					total++
				}
			}
		}
		if cell.Tokens != uint64(total) {
			t.Errorf("cell %d has %d tokens, want %d", c, cell.Tokens, total)
		}
		for k, n := range counts {
			if s := r.Shares[c][k]; s.Tokens != uint64(n) || math.Abs(s.Share-float64(n)/float64(total)) > 1e-15 {
				t.Errorf("cell %d, topic %d: %+v, want %d of %d", c, k, s, n, total)
			}
		}
	}
}

// TestIntervalsAreTheDefinition repeats the bootstrap in another way: one replicate after the
// other, random words one at a time, quantiles by sorting.
func TestIntervalsAreTheDefinition(t *testing.T) {
	m := draw(2, 3, 60, byThree)
	const replicates, seed = 203, 77
	r := compute(t, m, Options{Replicates: replicates, Seed: seed, Interval: 0.8, Labels: []string{"a", "b"}, Difference: true})
	values := map[string][][]float64{"a": make([][]float64, 3), "b": make([][]float64, 3)}
	var differences [3][]float64
	for i := range replicates {
		share := map[string][]float64{}
		for label := range values {
			sums, total := make([]float64, 3), 0.0
			for d := range m.docs.NumDocs() {
				if m.docs.Label(d) != label {
					continue
				}
				word := rng.NewKey(seed).Block(uint32(d<<16+i/4), 0, uint32(forReplicates), 0)[i%4]
				w := poissonQuantile(float64(word) / (1 << 32))
				for _, k := range m.of(d) {
					sums[k] += w
					total += w
				}
			}
			for k := range sums {
				sums[k] /= total
				values[label][k] = append(values[label][k], sums[k])
			}
			share[label] = sums
		}
		for k := range differences {
			differences[k] = append(differences[k], share["a"][k]-share["b"][k])
		}
	}
	check := func(what string, list []float64, low, high float64) {
		slices.Sort(list)
		if wantLow, wantHigh := bySorting(list, 0.1), bySorting(list, 0.9); math.Abs(low-wantLow) > 1e-12 || math.Abs(high-wantHigh) > 1e-12 {
			t.Errorf("%s: [%v, %v], want [%v, %v]", what, low, high, wantLow, wantHigh)
		}
	}
	for c, cell := range r.Cells {
		for k, s := range r.Shares[c] {
			check(fmt.Sprint(cell.Label, k), values[cell.Label][k], s.Low, s.High)
		}
	}
	for k, c := range r.Differences[0].Changes {
		check(fmt.Sprint("difference ", k), differences[k], c.Low, c.High)
		if want := r.Shares[0][k].Share - r.Shares[1][k].Share; c.Difference != want {
			t.Errorf("difference %d is %v, want %v", k, c.Difference, want)
		}
	}
}

// poissonQuantile inverts the distribution function of Poisson(1) by its series.
func poissonQuantile(u float64) float64 {
	p := math.Exp(-1)
	for n, sum := 0.0, p; ; sum += p {
		if u < sum || n > 12 {
			return n
		}
		n++
		p /= n
	}
}

// bySorting is NumPy's default quantile of sorted values.
func bySorting(sorted []float64, p float64) float64 {
	place := p * float64(len(sorted)-1)
	i := int(place)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i]*(1-(place-float64(i))) + sorted[i+1]*(place-float64(i))
}

// TestIntervalsHaveTheRightWidth compares with the normal interval of a ratio of sums,
// whose variance is Σ_d (n_dk − share N_d)²/(Σ N_d)². With 1,000 documents the shares of
// replicates are close to normal, and a quantile at 5 % of 4,000 replicates is off by about
// √(0.05·0.95/4000)/0.103 = 3.3 % of a standard deviation, 2 % of the half width; 8 % is
// four times that, and the widths follow from a fixed seed.
func TestIntervalsHaveTheRightWidth(t *testing.T) {
	m := draw(3, 3, 1000, func(int) (string, string) { return "all", "" })
	r := compute(t, m, Options{Replicates: 4000, Interval: 0.9})
	for k, s := range r.Shares[0] {
		variance := 0.0
		for d := range m.docs.NumDocs() {
			n := 0.0
			for _, z := range m.of(d) {
				if int(z) == k {
					n++
				}
			}
			variance += math.Pow(n-s.Share*float64(len(m.of(d))), 2)
		}
		half := 1.6449 * math.Sqrt(variance) / float64(r.Cells[0].Tokens)
		if got := (s.High - s.Low) / 2; math.Abs(got/half-1) > 0.08 || s.Low > s.Share || s.High < s.Share {
			t.Errorf("topic %d: [%v, %v] about %v, want ± %v", k, s.Low, s.High, s.Share, half)
		}
	}
}

func sameShares(a, b *Result) bool {
	for c := range a.Shares {
		if !slices.Equal(a.Shares[c], b.Shares[c]) {
			return false
		}
	}
	return len(a.Shares) == len(b.Shares)
}

func TestThreadsAndPartsDoNotMatter(t *testing.T) {
	m := draw(4, 5, 90, byThree)
	o := Options{By: labelAndTime, Replicates: 150, Threads: 1}
	want := compute(t, m, o)
	o.Threads = 3
	if !sameShares(compute(t, m, o), want) {
		t.Error("the number of threads matters")
	}
	defer func(n int) { replicateBytes = n }(replicateBytes)
	replicateBytes = 2 * 8 * 12 * 150 // two topics at a time
	if !sameShares(compute(t, m, o), want) {
		t.Error("the number of topics at a time matters")
	}
	o.Topics = []int{3, 1}
	some := compute(t, m, o)
	for c := range want.Shares {
		if some.Shares[c][0] != want.Shares[c][3] || some.Shares[c][1] != want.Shares[c][1] {
			t.Error("asking for some topics changes their shares")
		}
	}
	o.Seed = 1
	if compute(t, m, o).Shares[0][0].Low == some.Shares[0][0].Low {
		t.Error("the seed does not matter")
	}
	replicateBytes = 8
	if _, err := Compute(t.Context(), m, o); err == nil {
		t.Error("more memory than allowed")
	}
}

func TestWhatIsLeftOut(t *testing.T) {
	times := []string{"2020-01-05", "2020", "", "soon", "2020-03-01T10:00:00Z", "later", "2020-03"}
	var b corpus.Builder
	m := &drawn{topics: 1}
	for d, s := range times {
		b.Add(corpus.Document{Label: []string{"x", ""}[d%2], Time: s, Tokens: []string{"w"}})
		m.z = append(m.z, 0)
	}
	b.Add(corpus.Document{Label: "x", Time: "2020-01-05"})
	m.docs = b.Corpus()
	r := compute(t, m, Options{By: byTime, Bins: dates.ByMonth})
	if want := (LeftOut{Empty: 1, NoTime: 1, Unread: 2, Coarse: 1, Example: "soon"}); r.LeftOut != want {
		t.Errorf("left out %+v, want %+v", r.LeftOut, want)
	}
	if len(r.Cells) != 3 || r.Cells[0].Docs != 1 || r.Cells[1].Docs != 0 || r.Cells[2].Docs != 2 {
		t.Errorf("cells %+v", r.Cells)
	}
	if s := r.Shares[1][0]; !math.IsNaN(s.Share) {
		t.Errorf("a period without documents has %+v", s)
	}
	if s := r.Shares[0][0]; s.Share != 1 || !math.IsNaN(s.Low) {
		t.Errorf("one document has %+v, want no interval", s)
	}
	if s := r.Shares[2][0]; s.Low != 1 || s.High != 1 {
		t.Errorf("two documents of one topic have %+v", s)
	}
	if r := compute(t, m, Options{By: byTime, Interval: -1}); r.Interval != 0 || r.Bins != dates.ByYear {
		t.Errorf("interval %v, bins %s", r.Interval, r.Bins)
	}
	r = compute(t, m, Options{})
	if r.LeftOut.NoLabel != 3 || r.LeftOut.Empty != 1 || r.Cells[0].Docs != 4 {
		t.Errorf("by label: %+v", r.Grouping)
	}
}

func TestDateOrderIsTold(t *testing.T) {
	for _, c := range []struct {
		times []string
		want  dates.Order
		read  int
	}{
		{[]string{"3/5/2024", "3/25/2024"}, dates.MonthFirst, 2},
		{[]string{"3/5/2024", "25/3/2024"}, dates.DayFirst, 2},
		{[]string{"3/5/2024", "25/3/2024", "3/25/2024", "2024-01-01"}, "", 1},
		{[]string{"3/5/2024", "2024-01-01"}, "", 1},
	} {
		m := &drawn{topics: 1}
		var b corpus.Builder
		for _, s := range c.times {
			b.Add(corpus.Document{Time: s, Tokens: []string{"w"}})
			m.z = append(m.z, 0)
		}
		m.docs = b.Corpus()
		r := compute(t, m, Options{By: byTime})
		if r.DateOrder != string(c.want) || len(c.times)-r.LeftOut.Unread != c.read {
			t.Errorf("%v: %q, %d unread", c.times, r.DateOrder, r.LeftOut.Unread)
		}
	}
}

func TestFaults(t *testing.T) {
	m := draw(5, 2, 10, func(int) (string, string) { return "", "" })
	if _, err := Compute(t.Context(), m, Options{}); !errors.Is(err, ErrNoLabels) {
		t.Errorf("no labels: %v", err)
	}
	if _, err := Compute(t.Context(), m, Options{By: byTime}); !errors.Is(err, ErrNoTimes) {
		t.Errorf("no times: %v", err)
	}
	m = draw(5, 2, 10, func(int) (string, string) { return "spring", "4/5/2020" })
	for want, o := range map[string]Options{
		`no document has the label "sprig": did you mean "spring"?`: {Labels: []string{"sprig"}},
		"there is no topic 2: the model has 2, counted from 0":      {Topics: []int{2}},
		"or say whether the day or the month comes first":           {By: byTime},
		`cannot group by "lable": did you mean "label"?`:            {By: "lable"},
		"the interval is 1: it must be below 1":                     {Interval: 1},
		"a difference is between two groups":                        {Difference: true, Labels: []string{"spring"}},
		`unknown order of dates "ymd"`:                              {DateOrder: "ymd"},
		"the number of replicates is -1":                            {Replicates: -1},
		`unknown bins "moth": did you mean "month"?`:                {By: byTime, Bins: "moth"},
	} {
		if _, err := Compute(t.Context(), m, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	m = draw(5, 2, 10, func(int) (string, string) { return "", "2020" })
	if _, err := Compute(t.Context(), m, Options{By: byTime, Bins: dates.ByMonth}); err == nil || err.Error() != "no time is exact to the month: choose longer bins" {
		t.Errorf("error %v", err)
	}
}

func TestQuantileIsSorting(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := 1; n < 60; n++ {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(r.IntN(20))
		}
		sorted := slices.Sorted(slices.Values(values))
		for _, p := range []float64{0, 0.05, 0.5, 0.77, 1} {
			if got, want := quantile(sorted, p), bySorting(sorted, p); math.Abs(got-want) > 1e-12 {
				t.Fatalf("quantile %v of %v is %v, want %v", p, sorted, got, want)
			}
		}
	}
}
