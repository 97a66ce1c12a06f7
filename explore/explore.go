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
//	effects, effectLow, effectHigh, effectP, effectHolm  f32   K T      effects of T terms on shares, intervals, p, and p corrected for all
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
	"fmt"
	"io"
	"sync"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/doctopics"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/webpage"
)

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
	if m.NumTopics() > mostTopics {
		return nil, fmt.Errorf("the model has %d topics, and a page shows at most %d", m.NumTopics(), mostTopics)
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

// describe takes what the model says of itself.
func (b *builder) describe() error {
	labels, err := b.model.Labels()
	if err != nil {
		return err
	}
	m := b.model.Manifest()
	b.info = info{
		Version: dataVersion, Name: b.options.Name, Fingerprint: b.model.Fingerprint(),
		Topics: m.Topics, Words: m.Words, Docs: b.docs.NumDocs(), Tokens: m.Tokens, Draws: m.Draws,
		Beta:    m.BetaPerDraw(),
		Sampler: m.Options.Sampler, Iterations: m.Iterations,
		Labels: labels.Names, Hidden: labels.Hidden, Served: b.options.Served, Interval: b.options.Interval,
	}
	if m.Draws == 0 {
		b.info.Pseudo = m.PseudoTokens
	}
	b.pack.F64("totals", lists.Of(b.model.TopicTotals(), func(n uint64) float64 { return float64(n) }))
	webpage.Varint(b.pack, "tokens", b.model.TopicTokens())
	b.pack.F64("alpha", b.model.Alpha())
	webpage.Varint(b.pack, "dominant", doctopics.Dominant(b.model, b.docs, b.model.Alpha()))
	return nil
}

//go:embed page/*.js
var pageFiles embed.FS

// modelParts, servedParts and comparisonParts join the modules of the kinds of pages once.
// A page of a server may ask that server; files ask nobody.
var (
	modelParts  = sync.OnceValue(func() webpage.Frame { return webpage.Assemble(pageFiles, "main.js") })
	servedParts = sync.OnceValue(func() webpage.Frame {
		return webpage.Assemble(pageFiles, "main.js",
			"connect-src 'self'")
	})
	comparisonParts = sync.OnceValue(func() webpage.Frame { return webpage.Assemble(pageFiles, "comparison.js") })
)
