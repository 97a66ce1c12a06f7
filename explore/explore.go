// Package explore writes a topic model as one HTML file that people can look into: topics, words, documents, groups,
// time and how topics belong together. The file needs no network and no other file, and its Content-Security-Policy
// lets nothing run but its own script.
//
// Every number is computed by the packages rank, topicmap, prevalence and eval; the page shows them, and recomputes
// only what its slider for λ changes, from counts and with the formula of package rank.
//
// # Data
//
// The page's data is one block: a pack (see internal/webpage), compressed by gzip and written as base64. A list of
// lists is two arrays: the sizes, and all elements one after the other. Rising numbers in a list are stored as
// differences. K topics, W words and S documents are in the page.
//
//	totals, alpha, npmi, exclusivity       f64     K        n_k + m_k, α_k, NPMI and exclusivity
//	tokens                                 varint  K        n_k
//	dominant                               varint  K        documents in which a topic is the largest
//	spread                                 varint  9 K      documents with θ from 0.1, 0.2, … 0.9
//	wordText, wordIDs, wordTotals                  W        words, their ids (differences), n_w + m_w
//	wordPseudo                             varint  W        m_w; all n_wk here include pseudo-counts m_wk
//	columnSizes                            varint  K        words of topics in the page:
//	columnWords, columnCounts, columnFrex                   places in wordText (differences), n_wk, FREX · 65,535
//	rowSizes, rowTopics, rowCounts         varint  W …      largest n_wk of words that no column has
//	mapX, mapY                             f32     K        the map
//	nearTopics, nearDistances                      n K      the n nearest topics of each
//	treeLeft, treeRight, treeHeights               K−1      mergers; K + i is the i-th
//	correlations                           f32     K(K−1)/2 of topics i < j at j(j−1)/2 + i, or
//	relatedTopics, relatedValues                   n K      the n strongest of each topic
//	pairA, pairB, pairR                                     pairs that stand out
//	groupShares, groupLow, groupHigh       f32     K G      shares of topic k in group g at kG + g
//	timeSharesC, timeLowC, timeHighC       f32     K T      the same for the periods of calendar C
//	crossTopics, crossTokens, crossCounts  varint           topics that have groups × time; N_gt at gT + t; n_gtk
//	docNumbers, docLengths                 varint  S        numbers in the corpus (differences), N_d
//	docIDs, docTitles, docSnippets, docTimes  text  S       where the corpus has them
//	docGroups, docBinsC                    varint  S        1 + the group or period, 0 for none
//	columnNumbersC                         f64     S        numbers of column C, dates in seconds since 1970
//	columnSizesC, columnLevelsC            varint  S …      how many values of column C, 1 + their places in its levels
//	columnSharesC, columnLowC, columnHighC f32     K G      shares in the groups of column C
//	driftSizes, driftTokens                varint  T K      words and tokens of topic k in slice t of time at tK + k
//	driftWords, driftPhi                                    places in wordText and φ there, falling
//	effects, effectLow, effectHigh, effectP  f32   K T      effects of T terms on shares, intervals and p
//	docTopicSizes, docTopics, docCounts    varint  S …      topics of documents (differences), n_dk
//	bagSizes, bagWords, bagTopics, bagCounts  varint  S …   words of documents by topic: tokens
//	markSizes, markGaps, markLengths, markTopics  varint S … words in snippets, in UTF-16 units: how far
//	                                                        behind the one before, how long, which topic
//
// What a model has more than fits is cut evenly: the longest lists lose first, and the page says so.
package explore

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/webpage"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/revise"
)

// MostTopics is the largest number of topics that a page shows.
const MostTopics = 50_000

// Options of a page. The zero value makes one that suits most models.
type Options struct {
	// Name of the model, shown in the page. Default: "topic model".
	Name string

	// Docs is the most documents that the page holds; where the model has more, those
	// in which a topic has the largest share θ are taken. Default: 20,000.
	Docs int

	// Interval is the probability that intervals of shares in groups and periods hold,
	// above 0 and below 1. Default: 0.9.
	Interval float64

	// Replicates is the number of samples of the documents behind the intervals. Default: 1000 as package prevalence
	// has it, but 200 where there are more than 20,000 shares or 200,000 documents.
	Replicates int

	// Effects is a formula such as "~ party + s(date)": the page then shows how topics depend
	// on these columns, as package effects computes it. Default: none.
	Effects string

	// Served makes a page for a server that answers /v1/infer: it has a box to type a text
	// into, and may ask the server that it came from, and nobody else.
	Served bool

	Threads  int                                  // goroutines; 0 means all cores. It never changes the page
	Progress func(step string, done, total int64) // called before every step when set
}

// WithDefaults returns o with every default filled in.
func (o Options) WithDefaults() Options {
	o.Name = cmp.Or(o.Name, "topic model")
	o.Docs = cmp.Or(o.Docs, 20_000)
	o.Interval = cmp.Or(o.Interval, 0.9)
	return o
}

// Validate returns all faults of the options at once, or nil.
func (o Options) Validate() error {
	return errors.Join(
		human.FaultIf(o.Docs < 0, "the number of documents is %d: it must be at least 1", o.Docs),
		human.FaultIf(o.Interval != 0 && !(o.Interval > 0 && o.Interval < 1),
			"the probability of intervals is %v: it must be above 0 and below 1", o.Interval),
		human.FaultIf(o.Replicates < 0, "the number of replicates is %d: it must be at least 1", o.Replicates))
}

// Save writes the page of a model to path, whole or not at all.
func Save(ctx context.Context, m *topoi.Model, path string, o Options) error {
	return wholefile.Write(path, func(w io.Writer) error { return Write(ctx, m, w, o) })
}

// Write writes the page of a model. It is a function of model, labels and options: no
// time and no machine leaves a trace in it.
func Write(ctx context.Context, m *topoi.Model, w io.Writer, o Options) error {
	data, err := gather(ctx, m, o)
	if err != nil {
		return err
	}
	parts := modelParts
	if o.Served {
		parts = servedParts
	}
	return parts().Write(w, o.WithDefaults().Name, data)
}

// gather makes the data of a page.
func gather(ctx context.Context, m *topoi.Model, o Options) ([]byte, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if m.NumTopics() > MostTopics {
		return nil, fmt.Errorf("the model has %d topics, and a page shows at most %d", m.NumTopics(), MostTopics)
	}
	docs, err := m.Docs()
	if err != nil {
		return nil, err
	}
	b := &builder{words: &wordSet{has: make([]bool, m.NumWords())}}
	b.page = page{ctx: ctx, model: m, docs: docs, options: o.WithDefaults(), pack: webpage.NewPack()}
	steps := []struct {
		name string
		do   func() error
	}{
		{"describing topics", b.describe},
		{"ranking words", b.rankWords},
		{"measuring coherence", b.measure},
		{"comparing topics", b.relate},
		{"counting over time", b.groupAndTime},
		{"choosing documents", b.chooseDocs},
		{"reading documents", b.readDocs},
		{"grouping by columns", b.packColumns},
		{"computing effects", b.packEffects},
		{"following words", b.findDrift},
		{"gathering words", b.packWords},
	}
	for i, s := range steps {
		if o.Progress != nil {
			o.Progress(s.name, int64(i), int64(len(steps)))
		}
		if err := cmp.Or(ctx.Err(), s.do()); err != nil {
			return nil, err
		}
	}
	b.pack.Info = b.info
	return b.pack.Bytes()
}

// page is what every step works on. Its own methods relate topics to each other and to groups of documents.
type page struct {
	ctx     context.Context
	model   *topoi.Model
	docs    *corpus.Corpus
	options Options
	pack    *webpage.Pack
	info    info
	groups  groups
}

// builder gathers the data of a page, step by step.
type builder struct {
	page
	words *wordSet // that the page needs
	list  columns  // words of topics
	top   [][]int  // K: the top words of each topic

	chosen []int // documents of the page, rising

	drift    []revise.Words // of every slice and topic
	bag      []uint32       // words of the documents, by id
	bagSizes []int
}

// info is the small part of the data, as JSON.
type info struct {
	Version     int            `json:"version"`
	Name        string         `json:"name"`
	Fingerprint string         `json:"fingerprint"`
	Topics      int            `json:"topics"`           // K
	Words       int            `json:"words"`            // V
	Docs        int            `json:"docs"`             // D
	Tokens      int            `json:"tokens"`           // N
	Pseudo      uint64         `json:"pseudo,omitempty"` // Σ m_wk, which counts of words and totals include
	Beta        float64        `json:"beta"`
	Sampler     string         `json:"sampler"`
	Iterations  int            `json:"iterations"`
	Labels      map[int]string `json:"labels"`
	Hidden      []int          `json:"hidden"`
	Served      bool           `json:"served,omitempty"` // by a server that answers /v1/infer
	Texts       bool           `json:"texts,omitempty"`  // documents have their whole texts

	WordsComplete bool   `json:"wordsComplete"` // every n_wk > 0 is there
	Map           string `json:"map"`           // how the map was made
	Distance      string `json:"distance"`      // of neighbours
	Tree          string `json:"tree"`          // how the tree was made

	Interval      float64    `json:"interval"`
	Groups        []group    `json:"groups"`
	GroupsLeftOut int        `json:"groupsLeftOut"` // smaller groups
	Calendars     []calendar `json:"calendars"`     // the first is the one to show first
	CrossCalendar int        `json:"crossCalendar"` // that of groups × time
	TimesLeftOut  int        `json:"timesLeftOut"`  // documents without a time that could be read
	TimeFault     string     `json:"timeFault,omitempty"`

	GroupName      string       `json:"groupName,omitempty"` // of the column that holds the labels
	Columns        []columnInfo `json:"columns,omitempty"`
	ColumnsLeftOut int          `json:"columnsLeftOut,omitempty"`
	Effects        *effectsInfo `json:"effects,omitempty"`
	Drift          *driftInfo   `json:"drift,omitempty"`
}

// dataVersion is the version of the data's grammar; the page that reads it is made with it.
const dataVersion = 1

// describe takes what the model says of itself.
func (b *builder) describe() error {
	labels, err := b.model.Labels()
	if err != nil {
		return err
	}
	m := b.model.Manifest()
	b.info = info{
		Version: dataVersion, Name: b.options.Name, Fingerprint: b.model.Fingerprint(),
		Topics: m.Topics, Words: m.Words, Docs: b.docs.NumDocs(), Tokens: m.Tokens, Pseudo: m.PseudoTokens, Beta: m.Beta,
		Sampler: m.Options.Sampler, Iterations: m.Iterations,
		Labels: labels.Names, Hidden: labels.Hidden, Served: b.options.Served, Interval: b.options.Interval,
	}
	b.pack.F64("totals", each(b.model.TopicTotals(), func(n uint64) float64 { return float64(n) }))
	webpage.Varint(b.pack, "tokens", b.model.TopicTokens())
	b.pack.F64("alpha", b.model.Alpha())
	dominant, err := b.model.DominantDocs()
	if err != nil {
		return err
	}
	webpage.Varint(b.pack, "dominant", dominant)
	return nil
}

//go:embed page/*.js
var pageFiles embed.FS

// modelParts, servedParts and comparisonParts join the modules of the kinds of pages once.
// A page of a server may ask that server; files ask nobody.
var (
	modelParts      = sync.OnceValue(func() webpage.Frame { return webpage.Assemble(pageFiles, "main.js") })
	servedParts     = sync.OnceValue(func() webpage.Frame { return webpage.Assemble(pageFiles, "main.js", "connect-src 'self'") })
	comparisonParts = sync.OnceValue(func() webpage.Frame { return webpage.Assemble(pageFiles, "comparison.js") })
)
