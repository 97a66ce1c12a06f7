package sweep

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/analysis/compare"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/metrics"
	"github.com/topoi-lda/topoi/internal/rows"
	_ "github.com/topoi-lda/topoi/internal/rows/parquetrows" // every sweep writes sweep.parquet
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// Result is a sweep that is done.
type Result struct {
	Name           string
	Dir            string
	Corpus         *corpus.Corpus // what was swept, with the words of Record.Top
	Sample         Sampled
	HeldOut        int     // documents left out of training
	Groups         []Group // by number of topics
	Recommendation Recommendation
}

// Group is all runs with one number of topics.
type Group struct {
	Topics  int
	Records []*Record // by seed

	// Stability describes how the runs agree; nil if there is but one.
	Stability *compare.Stability

	Best *Record // the run that predicts best

	mean, spread map[string]float64 // of every metric over seeds
}

// Mean returns the mean of a metric over seeds, NaN if no run has it.
func (g *Group) Mean(metric string) float64 { return orNaN(g.mean, metric) }

// Spread returns the standard deviation of a metric over seeds, NaN for fewer than two.
func (g *Group) Spread(metric string) float64 { return orNaN(g.spread, metric) }

func orNaN(values map[string]float64, name string) float64 {
	if v, ok := values[name]; ok {
		return v
	}
	return math.NaN()
}

// Typical returns the run that agrees best with the others; the only one if there is but one.
func (g *Group) Typical() *Record {
	if g.Stability == nil {
		return g.Records[0]
	}
	return g.Records[g.Stability.Typical]
}

// metric returns the value of a metric, the seconds included.
func (r *Record) metric(name string) float64 {
	if name == metrics.Seconds {
		if r.Seconds == 0 {
			return math.NaN()
		}
		return r.Seconds
	}
	return r.Value(name)
}

// Model returns the directory of a run's model, relative to that of the sweep; "" if it was not kept.
func (r *Result) Model(run Run) string { return r.there("models/" + run.Name()) }

// Page returns the page of a run's model, likewise.
func (r *Result) Page(run Run) string { return r.there("pages/" + run.Name() + ".html") }

func (r *Result) there(path string) string {
	if _, err := os.Stat(filepath.Join(r.Dir, filepath.FromSlash(path))); err != nil {
		return ""
	}
	return path
}

// Recommendation describes which number of topics a sweep speaks for, and why.
//
// Numbers of topics predict as well as the best one if their mean held-out score is within the tolerance of its:
// twice the standard error of a difference of two means over seeds, or a fiftieth of the range of all means if that
// is more. Of those the most stable one is recommended, the smallest of equals. Where the largest number that was
// swept predicts better than all others there is no best one yet, and the knee of the curve is recommended. Without
// held-out documents stability alone decides.
type Recommendation struct {
	Topics    int      `json:"topics"` // 0: there is nothing to go by
	Reasons   []string `json:"reasons"`
	Cautions  []string `json:"cautions"`          // what speaks against trusting it
	Others    []Other  `json:"others"`            // numbers that also have something for them
	Knee      int      `json:"knee,omitempty"`    // of the held-out curve; 0: it has none
	Tolerance float64  `json:"tolerance"`         // of held-out scores, nats per token
	AsGood    []int    `json:"as_good,omitempty"` // numbers that predict as well as the best one
	Plateau   bool     `json:"plateau,omitempty"` // at least three numbers in a row predict as well as the best one
	Rising    bool     `json:"rising,omitempty"`  // predictions still get better at the largest number

	// Low and High enclose the numbers that 95 % of sweeps with other seeds would suggest; 0 with a single seed.
	Low  int `json:"low,omitempty"`
	High int `json:"high,omitempty"`
}

// Other is a number of topics and what speaks for it.
type Other struct {
	Topics int    `json:"topics"`
	Why    string `json:"why"`
}

// The rows of the tables, the same in CSV and Parquet. Tags name the columns; pointers are nil where there is no value.

// runRow is a run. It holds nothing that depends on the machine.
type runRow struct {
	Topics        int32    `parquet:"topics"`
	Seed          uint64   `parquet:"seed"`
	Sampler       string   `parquet:"sampler"`
	Iterations    int32    `parquet:"iterations"`
	Stopped       string   `parquet:"stopped"`
	HeldOut       *float64 `parquet:"heldout,optional"`
	Stability     *float64 `parquet:"stability,optional"`
	NPMI          *float64 `parquet:"npmi,optional"`
	CV            *float64 `parquet:"c_v,optional"`
	UMass         *float64 `parquet:"umass,optional"`
	Exclusivity   *float64 `parquet:"exclusivity,optional"`
	Diversity     *float64 `parquet:"diversity,optional"`
	InvertedRBO   *float64 `parquet:"inverted_rbo,optional"`
	CaoJuan       *float64 `parquet:"cao_juan_2009,optional"`
	Arun          *float64 `parquet:"arun_2010,optional"`
	Deveaud       *float64 `parquet:"deveaud_2014,optional"`
	Griffiths     *float64 `parquet:"griffiths_2004,optional"`
	LogLikelihood float64  `parquet:"log_likelihood_per_token"`
	AlphaSum      float64  `parquet:"alpha_sum"`
	Beta          float64  `parquet:"beta"`
	Fingerprint   string   `parquet:"fingerprint"`
}

// topicRow is a topic of a run.
type topicRow struct {
	Topics      int32    `parquet:"topics"`
	Seed        uint64   `parquet:"seed"`
	Topic       int32    `parquet:"topic"`
	Tokens      int64    `parquet:"tokens"`
	Share       float64  `parquet:"share"` // of the training tokens
	Stability   *float64 `parquet:"stability,optional"`
	NPMI        *float64 `parquet:"npmi,optional"`
	CV          *float64 `parquet:"c_v,optional"`
	UMass       *float64 `parquet:"umass,optional"`
	Exclusivity *float64 `parquet:"exclusivity,optional"`
	TopWords    string   `parquet:"top_words"`
}

// pairRow is how two runs agree.
type pairRow struct {
	Topics    int32   `parquet:"topics"`
	SeedA     uint64  `parquet:"seed_a"`
	SeedB     uint64  `parquet:"seed_b"`
	Agreement float64 `parquet:"agreement"`
}

// timeRow holds the times of a run.
type timeRow struct {
	Topics     int32   `parquet:"topics"`
	Seed       uint64  `parquet:"seed"`
	Iterations int32   `parquet:"iterations"`
	Seconds    float64 `parquet:"seconds"`
}

func (r *Record) row() runRow {
	v := func(name string) *float64 { return rows.Finite(r.Value(name)) }
	return runRow{
		Topics: int32(r.Topics), Seed: r.Seed, Sampler: r.Sampler, Iterations: int32(r.Iterations),
		Stopped: string(r.Stopped),
		HeldOut: v(metrics.HeldOut), Stability: v(metrics.Stability), NPMI: v(metrics.NPMI), CV: v(metrics.CV),
		UMass:       v(metrics.UMass),
		Exclusivity: v(metrics.Exclusivity), Diversity: v(metrics.Diversity), InvertedRBO: v(metrics.InvertedRBO),
		CaoJuan: v(metrics.CaoJuan), Arun: v(metrics.Arun), Deveaud: v(metrics.Deveaud),
		Griffiths:     v(metrics.Griffiths),
		LogLikelihood: r.LogLikelihood, AlphaSum: r.AlphaSum, Beta: r.Beta, Fingerprint: r.Fingerprint,
	}
}

// topicRows are the topics of a run.
func (r *Record) topicRows(word func(int) string) []topicRow {
	list := make([]topicRow, len(r.Top))
	for k := range list {
		v := func(name string) *float64 {
			if values := r.ByTopic[name]; k < len(values) {
				return rows.Finite(values[k])
			}
			return nil
		}
		words := lists.Of(r.Top[k][:min(metrics.TopWords, len(r.Top[k]))], word)
		list[k] = topicRow{
			Topics: int32(r.Topics), Seed: r.Seed, Topic: int32(k), Tokens: int64(r.Totals[k]),
			Share:     float64(r.Totals[k]) / float64(max(r.Tokens, 1)),
			Stability: v(metrics.Stability), NPMI: v(metrics.NPMI), CV: v(metrics.CV), UMass: v(metrics.UMass),
			Exclusivity: v(metrics.Exclusivity), TopWords: strings.Join(words, " "),
		}
	}
	return list
}

// pairRows are the agreements of the runs of a number of topics.
func (g *Group) pairRows() []pairRow {
	var list []pairRow
	for i := range g.Records {
		for j := i + 1; j < len(g.Records) && g.Stability != nil; j++ {
			list = append(list, pairRow{
				int32(g.Topics), g.Records[i].Seed, g.Records[j].Seed,
				g.Stability.Agreement[i][j],
			})
		}
	}
	return list
}

// writeTables writes all tables and the recommendation.
func (r *Result) writeTables() error {
	var runs []runRow
	var topics []topicRow
	var pairs []pairRow
	var times []timeRow
	for _, g := range r.Groups {
		for _, rec := range g.Records {
			runs, topics = append(runs, rec.row()), append(topics, rec.topicRows(r.Corpus.Word)...)
			times = append(times, timeRow{int32(rec.Topics), rec.Seed, int32(rec.Iterations), rec.Seconds})
		}
		pairs = append(pairs, g.pairRows()...)
	}
	path := func(name string) string { return filepath.Join(r.Dir, name) }
	for _, write := range []func() error{
		func() error { return writeTable(path("times.csv"), times) },
		func() error { return writeTable(path("stability.csv"), pairs) },
		func() error { return writeTable(path("topics.parquet"), topics) },
		func() error { return writeTable(path("topics.csv"), topics) },
		func() error { return writeJSON(path("recommendation.json"), r.Recommendation) },
		func() error { return writeTable(path("sweep.parquet"), runs) },
		func() error { return writeTable(path("sweep.csv"), runs) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// writeTable writes rows in the format that the name of the file ends in.
func writeTable[T any](path string, list []T) error {
	var b bytes.Buffer
	if err := rows.Write(&b, filepath.Ext(path)[1:], slices.Values(list)); err != nil {
		return err
	}
	return wholefile.Put(path, b.Bytes())
}
