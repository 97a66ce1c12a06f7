package hyper

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
)

// docCounts are the topics of a document.
type docCounts struct {
	group, length int
	topics        []counts.Entry
}

// histogramsOf counts documents by group.
func histogramsOf(docs []docCounts, topics int) []counts.Bin {
	var groups []uint32
	for _, d := range docs {
		groups = append(groups, uint32(d.group))
	}
	tally := counts.NewTally(groups, topics)
	for _, d := range docs {
		tally.Count(counts.Cell(uint32(d.group), topics, topics), uint32(d.length))
		for _, e := range d.topics {
			tally.Count(counts.Cell(uint32(d.group), int(e.Topic), topics), e.Count)
		}
	}
	return tally.Bins()
}

// regressed makes documents of two topics and a rest whose α depend on a category and a number, in groups of one
// number each.
func regressed(docs int, lambda [][]float64) (rows [][]float64, list []docCounts) {
	r := rand.New(rand.NewPCG(3, 1))
	for d := range docs {
		g := d % 40
		if d < 40 {
			rows = append(rows, []float64{1, float64(g % 2), float64(g)/20 - 1})
		}
		alpha := Regression{Rows: rows[g : g+1], Threads: 1}.Alpha(lambda)[0]
		doc := docCounts{group: g, length: 30}
		for k, n := range multinomial(r, dirichlet(r, alpha), 30) {
			if n > 0 {
				doc.topics = append(doc.topics, counts.Entry{Topic: uint32(k), Count: uint32(n)})
			}
		}
		list = append(list, doc)
	}
	return rows, list
}

// logPosterior is the function that Learn climbs, count by count.
func logPosterior(r Regression, lambda [][]float64, docs []docCounts) float64 {
	lgamma := func(x float64) float64 { y, _ := math.Lgamma(x); return y }
	alpha, total := r.Alpha(lambda), 0.0
	for _, d := range docs {
		sum := 0.0
		for _, a := range alpha[d.group] {
			sum += a
		}
		total += lgamma(sum) - lgamma(sum+float64(d.length))
		for _, t := range d.topics {
			a := alpha[d.group][t.Topic]
			total += lgamma(a+float64(t.Count)) - lgamma(a)
		}
	}
	for _, row := range lambda {
		for f, l := range row {
			total -= l * l * precision(f) / 2
		}
	}
	return total
}

// λ of 4,000 documents is found to 0.15 (its standard errors are below 0.05), every call climbs, the end is a
// maximum, and threads change no bit.
func TestRegressionIsRecovered(t *testing.T) {
	want := [][]float64{{-0.5, 1, 0}, {-1, 0, 1.2}, {0.3, -0.5, 0.4}}
	rows, docs := regressed(4000, want)
	r, groups := Regression{Rows: rows, Threads: 2}, histogramsOf(docs, len(want))
	lambda := [][]float64{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}
	before := logPosterior(r, lambda, docs)
	for i := range 40 {
		next, alpha := r.Learn(lambda, r.Alpha(lambda), &counts.Histograms{Groups: groups})
		if !reflect.DeepEqual(alpha, r.Alpha(next)) {
			t.Fatal("α is not that of λ")
		}
		if i == 0 {
			one := r
			one.Threads = 1
			again, _ := one.Learn(lambda, r.Alpha(lambda), &counts.Histograms{Groups: groups})
			for k, row := range again {
				for f := range row {
					if row[f] != next[k][f] {
						t.Fatal("the number of threads changes λ")
					}
				}
			}
		}
		after := logPosterior(r, next, docs)
		if after < before-1e-8 {
			t.Fatalf("call %d went down from %.10f to %.10f", i, before, after)
		}
		lambda, before = next, after
	}
	for k := range want {
		for f := range want[k] {
			if math.Abs(lambda[k][f]-want[k][f]) > 0.15 {
				t.Errorf("λ of topic %d is %.3f, want %.3f", k, lambda[k], want[k])
				break
			}
		}
	}
	for k := range lambda {
		for f := range lambda[k] {
			const dx = 1e-4
			x := lambda[k][f]
			lambda[k][f] = x + dx
			up := logPosterior(r, lambda, docs)
			lambda[k][f] = x - dx
			down := logPosterior(r, lambda, docs)
			lambda[k][f] = x
			if slope := (up - down) / (2 * dx); math.Abs(slope) > 2 { // against hundreds at λ + 0.1
				t.Errorf("slope %.3f along λ of topic %d, coefficient %d", slope, k, f)
			}
		}
	}
}
