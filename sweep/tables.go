package sweep

import (
	"bytes"
	"encoding/csv"
	"math"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/metrics"
)

// The rows of the tables, the same in CSV and Parquet. Tags name the columns; pointers
// are nil where there is no value.

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

// timeRow is what a run took.
type timeRow struct {
	Topics     int32   `parquet:"topics"`
	Seed       uint64  `parquet:"seed"`
	Iterations int32   `parquet:"iterations"`
	Seconds    float64 `parquet:"seconds"`
}

func (r *Record) row() runRow {
	v := func(name string) *float64 { return orNil(r.Value(name)) }
	return runRow{
		Topics: int32(r.Topics), Seed: r.Seed, Sampler: r.Sampler, Iterations: int32(r.Iterations), Stopped: string(r.Stopped),
		HeldOut: v(metrics.HeldOut), Stability: v(metrics.Stability), NPMI: v(metrics.NPMI), CV: v(metrics.CV), UMass: v(metrics.UMass),
		Exclusivity: v(metrics.Exclusivity), Diversity: v(metrics.Diversity), InvertedRBO: v(metrics.InvertedRBO),
		CaoJuan: v(metrics.CaoJuan), Arun: v(metrics.Arun), Deveaud: v(metrics.Deveaud), Griffiths: v(metrics.Griffiths),
		LogLikelihood: r.LogLikelihood, AlphaSum: r.AlphaSum, Beta: r.Beta, Fingerprint: r.Fingerprint,
	}
}

func orNil(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// topicRows are the topics of a run.
func (r *Record) topicRows(word func(int) string) []topicRow {
	rows := make([]topicRow, len(r.Top))
	for k := range rows {
		v := func(name string) *float64 {
			if values := r.ByTopic[name]; k < len(values) {
				return orNil(values[k])
			}
			return nil
		}
		var words []string
		for _, w := range r.Top[k][:min(metrics.TopWords, len(r.Top[k]))] {
			words = append(words, word(w))
		}
		rows[k] = topicRow{
			Topics: int32(r.Topics), Seed: r.Seed, Topic: int32(k), Tokens: int64(r.Totals[k]),
			Share:     float64(r.Totals[k]) / float64(max(r.Tokens, 1)),
			Stability: v(metrics.Stability), NPMI: v(metrics.NPMI), CV: v(metrics.CV), UMass: v(metrics.UMass),
			Exclusivity: v(metrics.Exclusivity), TopWords: strings.Join(words, " "),
		}
	}
	return rows
}

// pairRows are the agreements of the runs of a number of topics.
func (g *Group) pairRows() []pairRow {
	var rows []pairRow
	for i := range g.Records {
		for j := i + 1; j < len(g.Records) && g.Stability != nil; j++ {
			rows = append(rows, pairRow{int32(g.Topics), g.Records[i].Seed, g.Records[j].Seed, g.Stability.Agreement[i][j]})
		}
	}
	return rows
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
		func() error { return writeCSV(path("times.csv"), times) },
		func() error { return writeCSV(path("stability.csv"), pairs) },
		func() error { return writeParquet(path("topics.parquet"), topics) },
		func() error { return writeCSV(path("topics.csv"), topics) },
		func() error { return writeJSON(path("recommendation.json"), r.Recommendation) },
		func() error { return writeParquet(path("sweep.parquet"), runs) },
		func() error { return writeCSV(path("sweep.csv"), runs) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// writeParquet writes rows as a Zstandard-compressed table.
func writeParquet[T any](path string, rows []T) error {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("topoi", "1", ""))
	if _, err := w.Write(rows); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return wholefile.Put(path, b.Bytes())
}

// writeCSV writes rows under the names of their columns. Numbers keep all their digits.
func writeCSV[T any](path string, rows []T) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	kind := reflect.TypeFor[T]()
	line := make([]string, kind.NumField())
	for i := range line {
		line[i], _, _ = strings.Cut(kind.Field(i).Tag.Get("parquet"), ",")
	}
	if err := w.Write(line); err != nil {
		return err
	}
	for _, row := range rows {
		for i := range line {
			line[i] = cell(reflect.ValueOf(row).Field(i))
		}
		if err := w.Write(line); err != nil {
			return err
		}
	}
	w.Flush()
	return wholefile.Put(path, b.Bytes())
}

// cell returns a value as text, empty for none.
func cell(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return ""
		}
		return cell(v.Elem())
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10)
	}
	return v.String()
}
