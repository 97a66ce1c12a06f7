package bench

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/topic"
	"github.com/topoi-lda/topoi/train"
)

// measureInfer compares the ways to infer topics of documents that are held out: the expected topics, and 100 sweeps
// of draws, each beside 2,000 sweeps. Distances are means of Σ|θ_dk − θ'_dk| of whole documents, θ' of the 2,000
// sweeps; scores are of the second half of every document by the topics of the first, in nats per token.
func measureInfer(c *corpus.Corpus, o topoi.Options) (string, error) {
	docs, held, err := halves(c, o)
	if err != nil {
		return "", err
	}
	o.Holdout, o.HoldoutSeed = 0, 0
	m, err := train.Run(context.Background(), docs, o)
	if err != nil {
		return "", err
	}
	var some []uint32
	for d := 0; d < held.NumDocs(); d += max(1, held.NumDocs()/2000) {
		some = append(some, uint32(d))
	}
	held = held.Select(some)
	first, second := eachHalf(held)
	line := fmt.Sprintf("%d documents of %.0f tokens:", held.NumDocs(), float64(held.NumTokens())/float64(held.NumDocs()))
	var long [][]float64
	var slow float64
	for _, sweeps := range []int{2000, 100, 0} {
		began := time.Now()
		theta, err := thetas(m, held, sweeps)
		if err != nil {
			return "", err
		}
		seconds := time.Since(began).Seconds()
		halved, err := thetas(m, first, sweeps)
		if err != nil {
			return "", err
		}
		score := completion(m, halved, second)
		switch sweeps {
		case 2000:
			long = theta
			line += fmt.Sprintf(" long chain %.4f", score)
		case 100:
			slow = seconds
			line += fmt.Sprintf("; draws %.4f, distance %.3f", score, distance(long, theta))
		default:
			line += fmt.Sprintf("; expected %.4f, distance %.3f, %.1f times as fast", score, distance(long, theta), slow/seconds)
		}
	}
	return line, nil
}

// eachHalf returns every other token of each document, and the rest.
func eachHalf(c *corpus.Corpus) (first, second *corpus.Corpus) {
	words := make([]string, c.NumWords())
	for w := range words {
		words[w] = c.Word(w)
	}
	var lists [2][][]uint32
	for d := range c.NumDocs() {
		var halves [2][]uint32
		for i, w := range c.Doc(d) {
			halves[i%2] = append(halves[i%2], w)
		}
		lists[0], lists[1] = append(lists[0], halves[0]), append(lists[1], halves[1])
	}
	return corpus.FromIDs(words, lists[0]), corpus.FromIDs(words, lists[1])
}

// thetas returns θ of all documents, by one goroutine.
func thetas(m *topoi.Model, docs *corpus.Corpus, sweeps int) (all [][]float64, err error) {
	err = m.Infer(context.Background(), docs, topoi.InferOptions{Iterations: sweeps, Threads: 1, Device: "cpu"}, func(d *topoi.DocTopics) error {
		all = append(all, d.Theta(nil))
		return nil
	})
	return all, err
}

// completion returns the mean of log Σ_k θ_dk φ_wk.
func completion(m *topoi.Model, theta [][]float64, docs *corpus.Corpus) float64 {
	totals, vbeta := m.TopicTotals(), m.Beta()*float64(m.NumWords())
	sum, n := 0.0, 0
	var row []topic.Count
	for d := range docs.NumDocs() {
		for _, w := range docs.Doc(d) {
			row = m.AppendRow(row[:0], int(w))
			p, at := 0.0, 0
			for k, share := range theta[d] {
				count := m.Beta()
				if at < len(row) && int(row[at].Topic) == k {
					count += float64(row[at].Count)
					at++
				}
				p += share * count / (float64(totals[k]) + vbeta)
			}
			sum += math.Log(p)
			n++
		}
	}
	return sum / float64(n)
}

// distance returns the mean of Σ|a − b|.
func distance(a, b [][]float64) float64 {
	sum := 0.0
	for d := range a {
		for k := range a[d] {
			sum += math.Abs(a[d][k] - b[d][k])
		}
	}
	return sum / float64(len(a))
}
