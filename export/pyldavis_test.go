package export

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestBestIsSorting compares with sorting everything.
func TestBestIsSorting(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 12 {
		list := make([]weighted, 9)
		for i := range list {
			list[i] = weighted{uint32(i), float64(r.IntN(4))}
		}
		want := slices.Clone(list)
		slices.SortFunc(want, func(a, b weighted) int {
			if a.before(b) {
				return -1
			}
			return 1
		})
		if got := best(list, n); !slices.Equal(got, want[:min(n, 9)]) {
			t.Errorf("best %d: %v, want %v", n, got, want)
		}
	}
}

// TestDivergencesByDefinition computes the same divergences from dense φ.
func TestDivergencesByDefinition(t *testing.T) {
	m := goldenModel(t)
	j := &modelJob{ctx: t.Context(), model: m}
	got, err := j.divergences(allColumns(m))
	if err != nil {
		t.Fatal(err)
	}
	k := m.NumTopics()
	phi := make([][]float64, k)
	for i := range phi {
		for w := range m.NumWords() {
			n := uint32(0)
			for _, e := range m.Row(w) {
				if int(e.Topic) == i {
					n = e.Count
				}
			}
			phi[i] = append(phi[i], j.phi(n, i))
		}
	}
	for a := range k {
		for b := range k {
			want := 0.0
			for w := range phi[a] {
				mean := (phi[a][w] + phi[b][w]) / 2
				want += 0.5*phi[a][w]*math.Log(phi[a][w]/mean) + 0.5*phi[b][w]*math.Log(phi[b][w]/mean)
			}
			if math.Abs(got[a*k+b]-want) > 1e-12 {
				t.Errorf("divergence of %d and %d is %v, want %v", a, b, got[a*k+b], want)
			}
		}
	}
}

// TestCoordinatesKeepDistances: three points always lie in a plane, so classical
// scaling of their distances must give these back.
func TestCoordinatesKeepDistances(t *testing.T) {
	m := goldenModel(t)
	j := &modelJob{ctx: t.Context(), model: m}
	c := allColumns(m)
	d, err := j.divergences(c)
	if err != nil {
		t.Fatal(err)
	}
	x, y, err := j.coordinates(c)
	if err != nil {
		t.Fatal(err)
	}
	for a := range 3 {
		for b := range 3 {
			if got := math.Hypot(x[a]-x[b], y[a]-y[b]); math.Abs(got-d[a*3+b]) > 1e-9 {
				t.Errorf("topics %d and %d are %v apart, want %v", a, b, got, d[a*3+b])
			}
		}
	}
}

// TestPyLDAvisData checks keys, lengths and that shares add up to 1.
func TestPyLDAvisData(t *testing.T) {
	m := goldenModel(t)
	b := exported(t, m, "pyldavis", Options{Words: 4})[""]
	for _, key := range []string{"mdsDat", "tinfo", "token.table", "R", "lambda.step", "plot.opts", "topic.order"} {
		if !strings.Contains(string(b), `"`+key+`":`) {
			t.Errorf("no key %s", key)
		}
	}
	var v visData
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	n := len(v.Terms.Term)
	if v.R != 4 || len(v.Terms.Freq) != n || len(v.Terms.Total) != n || len(v.Terms.LogProb) != n || len(v.Terms.LogLift) != n {
		t.Errorf("R = %d, %d terms: %+v", v.R, n, v.Terms)
	}
	rows := map[string]int{}
	for i, category := range v.Terms.Category {
		rows[category]++
		if v.Terms.Freq[i] > v.Terms.Total[i] {
			t.Errorf("%s has %v of %v tokens in %s", v.Terms.Term[i], v.Terms.Freq[i], v.Terms.Total[i], category)
		}
	}
	if rows["Default"] != 4 || rows["Topic1"] < 4 || rows["Topic2"] < 4 || rows["Topic3"] < 4 || len(rows) != 4 {
		t.Errorf("terms by category: %v", rows)
	}
	shares := map[string]float64{}
	for i, term := range v.Tokens.Term {
		shares[term] += v.Tokens.Freq[i]
	}
	for term, sum := range shares {
		if math.Abs(sum-1) > 1e-12 || !slices.Contains(v.Terms.Term, term) {
			t.Errorf("%s: shares add up to %v", term, sum)
		}
	}
	if sum := v.Topics.Freq[0] + v.Topics.Freq[1] + v.Topics.Freq[2]; math.Abs(sum-100) > 1e-9 {
		t.Errorf("topics have %v percent", sum)
	}
}
