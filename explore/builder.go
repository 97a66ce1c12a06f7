package explore

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"strconv"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/guide"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/webpage"
)

// mostTopics is the largest number of topics that a page shows.
const mostTopics = 50_000

// Options of a page. The zero value makes one that suits most models.
type Options struct {
	// Name of the model, shown in the page. Default: "topic model".
	Name string

	// Docs is the most documents that the page holds; where the model has more, those
	// in which a topic has the largest share θ are taken. Default: 20,000.
	Docs int

	// Interval is the probability that intervals of shares in groups and periods hold, above 0 and below 1. Default: 0.95.
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
	o.Interval = cmp.Or(o.Interval, 0.95)
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

// page is the state of all steps. Its own methods relate topics to each other and to groups of documents.
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

	drift    []guide.SliceWords // of every slice and topic
	bag      []uint32           // words of the documents, by id
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
	Draws       int            `json:"draws,omitempty"`  // counts of words and totals are sums over these
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

// columnInfo describes a column of the documents that the page can filter and group by.
type columnInfo struct {
	Name   string      `json:"name"`
	Kind   column.Kind `json:"kind"`
	Levels []string    `json:"levels,omitempty"` // values of a category, items of a list, values of a number that has few
	Groups []group     `json:"groups,omitempty"` // the largest of them, with shares of topics
	Left   int         `json:"groupsLeftOut,omitempty"`
}

// effectsInfo describes a regression of the shares on columns.
type effectsInfo struct {
	Formula string   `json:"formula"`
	Methods string   `json:"methods"` // what was done, in words
	Terms   []string `json:"terms"`
	Bases   []string `json:"bases"` // the value that each term is compared with, "" for none
	With    []int    `json:"with"`  // how many documents have the term's value
}

// numbered is the name of an array of column or calendar i.
func numbered(name string, i int) string { return name + strconv.Itoa(i) }

// driftInfo describes what the words of topics over time are.
type driftInfo struct {
	Unit    string   `json:"unit"` // of a slice: day, week, month, quarter, year or decade
	Carry   float64  `json:"carry"`
	Periods []string `json:"periods"`
}

// group is a label of documents.
type group struct {
	Name string `json:"name"`
	Docs int    `json:"docs"` // that have tokens
}

// calendar is a division of time into periods.
type calendar struct {
	Unit string   `json:"unit"` // day, week, month, quarter, year or decade
	Bins []string `json:"bins"` // names of the periods
	Docs []int    `json:"docs"` // of each period, those that have tokens
}

// groups describes where documents belong.
type groups struct {
	labels []string  // of the groups in the page
	of     []int32   // D: group of each document, −1 for none; nil without groups
	bins   [][]int32 // by calendar, D: period of each document, −1 for none
}

// places returns every division of the documents.
func (g *groups) places() [][]int32 {
	if g.of == nil {
		return g.bins
	}
	return append([][]int32{g.of}, g.bins...)
}

// packPlaces adds where the documents of the page belong, 0 for nowhere.
func (g *groups) packPlaces(p *webpage.Pack, docs []int) {
	add := func(name string, of []int32) {
		webpage.Varint(p, name, lists.Of(docs, func(d int) int { return int(of[d]) + 1 }))
	}
	if g.of != nil {
		add("docGroups", g.of)
	}
	for c, of := range g.bins {
		add(numbered("docBins", c), of)
	}
}

// columns are the words of topics that the page has.
type columns struct {
	sizes  []int    // K
	words  []uint32 // ids, rising within a topic
	counts []uint32 // n_wk
	frex   []uint16 // FREX · 65,535
}

// wordSet is a set of words by id.
type wordSet struct {
	has   []bool // V
	place []uint32
}

// number gives the words of the set their places, by rising id, and returns the ids.
func (s *wordSet) number() []int {
	s.place = make([]uint32, len(s.has))
	var ids []int
	for w, has := range s.has {
		if has {
			s.place[w] = uint32(len(ids))
			ids = append(ids, w)
		}
	}
	return ids
}

// differences returns rising numbers as differences, the first one whole.
func differences(rising []int) []int {
	list := make([]int, len(rising))
	last := 0
	for i, x := range rising {
		list[i], last = x-last, x
	}
	return list
}

// threads returns the number of goroutines.
func (b *builder) threads() int { return cmp.Or(b.options.Threads, runtime.GOMAXPROCS(0)) }

// What a page holds at most, so that its file stays below 25 MB. The comments give what an element takes in the file.
const (
	wordBudget    = 1_000_000 // n_wk: 6 bytes
	rowBudget     = 300_000   // n_wk of words that no topic lists: 4 bytes
	topicBudget   = 400_000   // n_dk: 3 bytes
	bagBudget     = 900_000   // words of documents by topic: 5 bytes
	textBudget    = 9_000_000 // bytes of snippets or texts: 0.6 bytes
	cellBudget    = 250_000   // shares in groups, or in the periods of a calendar: 14 bytes
	crossBudget   = 400_000   // shares in groups × periods: 2 bytes
	columnBudget  = 500_000   // values of columns: 4 bytes
	longestString = 300       // characters of a word, a title, an id, a label
)

// shorten cuts a string to longestString characters.
func shorten(s string) string { return cutRunes(s, longestString) }

// cutRunes cuts a string to at most n characters, the last of them "…" if it is cut.
func cutRunes(s string, n int) string {
	last, count := 0, 0 // where character n-1 begins
	for i := range s {
		if count == n {
			return s[:last] + "…"
		}
		if count == n-1 {
			last = i
		}
		count++
	}
	return s
}

// topWords is the number of words that coherence looks at, the usual one.
const topWords = 10
