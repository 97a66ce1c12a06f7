package sweep

import (
	"context"
	"embed"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/explore"
	"github.com/topoi-lda/topoi/internal/webpage"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

//go:embed page/*.js
var pageFiles embed.FS

var pageFrame = sync.OnceValue(func() webpage.Frame { return webpage.Assemble(pageFiles, "sweep.js") })

// pageInfo is the small part of the page's data, as JSON.
type pageInfo struct {
	Version        int            `json:"version"`
	Name           string         `json:"name"`
	Corpus         string         `json:"corpus"`
	Docs           int            `json:"docs"`
	Words          int            `json:"words"`
	Tokens         int            `json:"tokens"`
	HeldOut        int            `json:"heldOut"`
	Sample         Sampled        `json:"sample"`
	Metrics        []eval.Metric  `json:"metrics"`
	Recommendation Recommendation `json:"recommendation"`
	Runs           []pageRun      `json:"runs"` // by number of topics, then by seed
}

type pageRun struct {
	Topics      int              `json:"topics"`
	Seed        uint64           `json:"seed"`
	Name        string           `json:"name"`
	Page        string           `json:"page"`
	Model       string           `json:"model"`
	Iterations  int              `json:"iterations"`
	Stopped     topoi.StopReason `json:"stopped"`
	Fingerprint string           `json:"fingerprint"`
	Typical     bool             `json:"typical"`
}

// pageVersion is the version of the data's grammar; the page that reads it is made with it.
const pageVersion = 1

// pageTopics is the most topics that a page holds; of more, only those of the best run of each number of topics are
// taken.
const pageTopics = 20_000

// WritePage writes the page of a sweep. The arrays of its data, for R runs and T topics of them, are
//
//	value_METRIC                        f64     R   of the run; NaN for none
//	topicRun, topicNumber               varint  T   which run it is of, and which topic
//	topicShare, topic_METRIC            f64     T   n_k/N; NaN for none
//	topicWords                          text    T   top words, separated by blanks
//	agreement                           f64         for each number of topics, seeds × seeds
func (r *Result) WritePage(w io.Writer) error {
	p := webpage.NewPack()
	info := pageInfo{
		Version: pageVersion, Name: r.Name, Corpus: r.Corpus.Fingerprint(), Docs: r.Corpus.NumDocs(),
		Words:  r.Corpus.NumWords(),
		Tokens: r.Corpus.NumTokens(), HeldOut: r.HeldOut, Sample: r.Sample, Metrics: eval.Metrics(),
		Recommendation: r.Recommendation,
	}
	values := map[string][]float64{}
	var agreement []float64
	for i := range r.Groups {
		g := &r.Groups[i]
		for _, rec := range g.Records {
			run := rec.Run()
			info.Runs = append(info.Runs, pageRun{
				Topics: run.Topics, Seed: run.Seed, Name: run.Name(), Page: r.Page(run), Model: r.Model(run),
				Iterations: rec.Iterations, Stopped: rec.Stopped, Fingerprint: rec.Fingerprint,
				Typical: rec == g.Typical() &&
					len(g.Records) > 1,
			})
			for _, m := range info.Metrics {
				values[m.Name] = append(values[m.Name], rec.metric(m.Name))
			}
		}
		agreement = append(agreement, g.agreement()...)
	}
	for _, m := range info.Metrics {
		p.F64("value_"+m.Name, values[m.Name])
	}
	p.F64("agreement", agreement)
	r.packTopics(p)
	p.Info = info
	data, err := p.Bytes()
	if err != nil {
		return err
	}
	return pageFrame().Write(w, r.Name, data)
}

// agreement returns seeds × seeds, 1 for the only one.
func (g *Group) agreement() []float64 {
	if g.Stability == nil {
		return []float64{1}
	}
	var all []float64
	for _, row := range g.Stability.Agreement {
		all = append(all, row...)
	}
	return all
}

// packTopics adds the topics of all runs, or of the best ones.
func (r *Result) packTopics(p *webpage.Pack) {
	total := 0
	for _, g := range r.Groups {
		total += g.Topics * len(g.Records)
	}
	var runs, numbers []int
	var shares []float64
	var words []string
	values := map[string][]float64{}
	place := 0
	for _, g := range r.Groups {
		for _, rec := range g.Records {
			if total > pageTopics && rec != g.Best {
				place++
				continue
			}
			for _, row := range rec.topicRows(r.Corpus.Word) {
				runs, numbers, shares, words = append(runs, place), append(numbers, int(row.Topic)),
					append(shares, row.Share),
					append(words, cutText(row.TopWords))
			}
			for _, m := range eval.Metrics() {
				if m.PerTopic {
					values[m.Name] = append(values[m.Name], rec.topicValues(m.Name)...)
				}
			}
			place++
		}
	}
	webpage.Varint(p, "topicRun", runs)
	webpage.Varint(p, "topicNumber", numbers)
	p.F64("topicShare", shares)
	p.Text("topicWords", words)
	for _, m := range eval.Metrics() {
		if m.PerTopic {
			p.F64("topic_"+m.Name, values[m.Name])
		}
	}
}

// topicValues returns a value for each topic, NaN where there is none.
func (r *Record) topicValues(metric string) []float64 {
	if values := r.ByTopic[metric]; len(values) == len(r.Top) {
		return values
	}
	return slices.Repeat([]float64{math.NaN()}, len(r.Top))
}

// cutText keeps words of absurd length out of the page.
func cutText(text string) string {
	const most = 400
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// The page of a model has a tenth of the documents that topoi explore takes, and intervals from fewer samples: with
// all of them it would cost as much time as a short run.
const (
	pageDocs       = 2000
	pageReplicates = 200
)

// writePages writes the pages of models that are wanted, unless they are there, and that of the sweep.
func (s *Sweep) writePages(ctx context.Context, r *Result) error {
	for i, g := range r.Groups {
		for _, rec := range g.Records {
			if s.options.Pages == keepNone || s.options.Pages == keepBest && rec != g.Best {
				continue
			}
			s.options.Events.phase("make pages", i, len(r.Groups))
			if err := s.writeModelPage(ctx, rec.Run(), r); err != nil {
				return err
			}
		}
	}
	return wholefile.Write(filepath.Join(s.dir, "index.html"), r.WritePage)
}

// writeModelPage writes the page of a run's model, if that was kept.
func (s *Sweep) writeModelPage(ctx context.Context, run Run, r *Result) error {
	if r.Model(run) == "" || r.Page(run) != "" {
		return nil
	}
	m, err := topoi.Open(s.modelDir(run))
	if err != nil {
		return err
	}
	defer m.Close()
	o := explore.Options{
		Name: r.Name + " " + run.Name(), Docs: pageDocs, Replicates: pageReplicates, Threads: s.threads(),
	}
	return wholefile.Write(s.pageFile(run), func(w io.Writer) error { return explore.Write(ctx, m, w, o) })
}
