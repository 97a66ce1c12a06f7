package topoi

import (
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/topics"
)

// Values of Options.Prior.
const (
	PriorHDP    = "hdp"    // a hierarchical Dirichlet process, which finds how many topics there are
	PriorLabels = "labels" // the topics of a document are those of its labels

	PriorCovariates = "covariates" // the topics of a document depend on its columns
)

// Priors lists the values of Options.Prior.
func Priors() []string { return []string{PriorHDP, PriorLabels, PriorCovariates} }

// MaxTopicsHDP is the default of Options.Topics with PriorHDP.
const MaxTopicsHDP = 1000

// drawHDP returns the next α and β of a hierarchical Dirichlet process. See [hyper.HDP].
func (r *run) drawHDP(
	alpha []float64, beta float64, h *counts.Histograms, vocabulary int, length float64, threads int,
) (nextAlpha []float64, nextBeta float64) {
	p := hyper.HDP{
		Key: rng.NewKey(r.opts.Seed), Iteration: uint32(r.iteration), Gamma: 1,
		Tables: sampler.ForTables, Weights: sampler.ForWeights, Threads: threads,
	}
	return p.Alpha(alpha, h, length), hyper.Beta(beta, h, vocabulary)
}

// renumbering gives the new number of each topic that has tokens. Others have none.
type renumbering []uint32

// liveTopics leaves topics without tokens out of the totals, α and manifest of a model, and returns the numbers that
// the others get. It returns nil where all topics stay as they are.
func (r *run) liveTopics(m *Model) renumbering {
	if r.opts.Prior != PriorHDP {
		return nil
	}
	now, totals, alpha := make(renumbering, len(m.has.Totals)), []uint64(nil), []float64(nil)
	for k, n := range m.has.Totals {
		now[k] = uint32(len(totals))
		if n > 0 {
			totals, alpha = append(totals, n), append(alpha, m.has.Alpha[k])
		}
	}
	m.has.Totals, m.has.Alpha, m.manifest.Topics = totals, alpha, len(totals)
	return now
}

// list returns topics of tokens by their new numbers.
func (now renumbering) list(z topics.List) topics.List {
	wide := make([]uint32, z.Len())
	for i := range wide {
		wide[i] = now[z.At(i)]
	}
	return topics.List{Wide: wide}
}

// from renumbers the topics of a row from an element on. Live topics keep their order.
func (now renumbering) from(row []TopicCount, begin int) []TopicCount {
	for i := range row[begin:] {
		row[begin+i].Topic = now[row[begin+i].Topic]
	}
	return row
}

// renumbered is a state in files by the new numbers of topics.
type renumbered struct {
	modelfile.Streamed
	now renumbering
}

func (r renumbered) AppendRow(dst []TopicCount, w int) []TopicCount {
	return r.now.from(r.Streamed.AppendRow(dst, w), len(dst))
}

func (r renumbered) EachTopics(f func(begin int, z []uint32) error) error {
	return r.Streamed.EachTopics(func(begin int, z []uint32) error {
		return f(begin, r.now.list(topics.List{Wide: z}).Wide)
	})
}
