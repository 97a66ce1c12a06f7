package corpus

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/internal/human"
)

// ImportOptions say how [Import] and [Load] make a corpus. The zero value keeps every document and uses all
// cores. From text it drops what is hardly ever part of a topic: markup, the stop words of the text's language,
// which it detects, and very rare and very common words. It keeps all words of input that holds tokens or counts.
type ImportOptions struct {
	// Source describes how inputs are read. The zero value detects their format.
	Source source.Options

	// Text describes how raw text is cut into tokens. Input that holds tokens or word ids is not changed, except
	// that Text.Phrases are joined in tokens, too. So an option that asks for a change is an error there, unless
	// Vocabulary is given.
	//
	// If Text.Languages and Vocabulary are both empty, the language is detected from the first documents,
	// about a megabyte of text (see [text.Detect]). The corpus stores the options with the languages found.
	Text text.Options

	// Phrases, if not nil, joins frequent pairs of neighbouring words to one word. The pairs are stored
	// with the text options of the corpus, so that new text gets the same phrases.
	Phrases *PhraseOptions

	// MinDF drops words found in fewer documents; 1 keeps all. 0 chooses a value for text by the number of
	// documents (1 below 100 documents, 2 below 1,000, 3 below 10,000, else 5, and less if more than half
	// of the tokens were lost) and keeps all words of other input.
	MinDF int

	// MaxDF drops words found in more documents. Up to 1 it is a fraction of all documents, above 1 a number of
	// documents; 1 keeps all. 0 chooses a value for text (half of the documents; nine tenths if they have more than
	// 500 tokens on average; all below 20 documents) and keeps all words of other input.
	MaxDF float64

	// MinCF drops words with fewer occurrences in the corpus. 0 keeps all;
	// 1 drops the words of a given vocabulary that no document uses.
	MinCF int

	// MaxWords keeps only the most frequent words. Ties are broken by bytewise order, or by the order of
	// the given vocabulary. 0 keeps all.
	MaxWords int

	// DropEmpty leaves out documents without tokens; later documents then get smaller numbers. By default
	// documents keep their numbers.
	DropEmpty bool

	// Duplicates says what happens to documents that are copies of earlier ones: of texts those with the same words in the
	// same order, and near copies, which share three fifths of their sequences of three words; of counts those with the
	// same counts. "group", the default, keeps them and remembers which belong together, so that held-out documents have
	// no copies among those trained on. "drop" leaves them out, and "keep" does not look for them. Documents that a
	// Vocabulary is given for are taken as they are.
	Duplicates string

	// Order is the order of documents: "input", the default, or "hash", by a hash of their ids. Documents with the same
	// id, or without one, are ordered by a hash of all that the corpus keeps of them. An order by hash is the same however
	// the input is ordered or cut into parts; parts themselves are made without it, and joined with it. It reads the
	// documents a second time, and takes only those with the same words for copies, since near copies are found in the
	// order of the input. It does not go with Phrases, Source.Pieces and Vocabulary.
	Order string

	// AllowEmpty allows a corpus in which no document has a word. Otherwise that is [ErrNoWords]. New
	// documents for a model may have no known words.
	AllowEmpty bool

	// Snippet is the number of characters to keep of the beginning of every text, to be shown to readers;
	// see [Corpus.Snippet]. 200 are two lines of a page. 0 keeps none. -1 keeps 200, and every text as a whole,
	// compressed; see [Corpus.Text]. Input that holds tokens or word ids has no text; corpus files keep their snippets.
	Snippet int

	// Vocabulary, if not empty, fixes the words and their ids. Words of the input that are not in it are counted
	// in the report and left out. Words are not pruned. Use it to prepare new documents for a trained model.
	Vocabulary Strings

	// Threads is the number of goroutines; 0 means all cores. It never changes the result.
	Threads int

	// TempDir is the directory for temporary files, which take about a third of the input's size. Default:
	// the directory of the output for Import, the system's temporary directory for Load.
	TempDir string

	// Progress, if set, is called at least once a second until the import returns. Calls never overlap.
	Progress func(Progress)
}

// Values of ImportOptions.Snippet: the length of snippets beside whole texts, and that which keeps whole texts.
const (
	usualSnippet = 200
	wholeText    = -1
)

// Values of ImportOptions.Duplicates.
const (
	groupCopies = "group"
	dropCopies  = "drop"
	keepCopies  = "keep"
)

// Report describes what an import did.
type Report struct {
	Format  string       // the input's format; empty for a source that the caller provides
	Guessed bool         // whether the format was guessed
	Bytes   int64        // size of the input as stored (compressed)
	Input   source.Taken // the role of each column, and similar facts

	LongColumns []string // columns that were not kept because their values are long texts

	Docs   int64 // D, documents in the corpus
	Words  int64 // V, words in the vocabulary
	Tokens int64 // N, tokens in the corpus

	EmptyDocs     int64 // documents without tokens, whether kept or dropped
	DroppedWords  int64 // words left out by pruning
	DroppedTokens int64 // their occurrences
	UnknownWords  int64 // words not in the given vocabulary
	UnknownTokens int64 // their occurrences
	Phrases       int64 // pairs of words found to be phrases
	Text          TextReport
	RepeatedIDs   int64 // documents whose id an earlier one has
	Wholes        int64 // documents that were cut into pieces; Docs counts the pieces

	// Copies describes documents that are copies of earlier ones.
	Copies struct {
		Exact   int64  // documents with the same words in the same order as an earlier one
		Near    int64  // documents that share three fifths of their sequences of three words with an earlier one
		Groups  int64  // documents that have copies
		Largest int64  // size of the largest group, with the document that the others are copies of
		Example string // id of that document; its number if it has no id
		Dropped bool   // whether the copies were left out
	}

	Seconds float64 // wall time
}

// TextReport describes what happened to text on its way to the vocabulary. For input of tokens or counts it
// holds only the words dropped by frequency.
type TextReport struct {
	Languages  []string       // languages whose stop words were dropped, as in text.Options
	Detected   bool           // whether the languages were detected, not given
	Detection  text.Detection // what was found
	SampleDocs int64          // number of documents in the sample, the first of the input

	// Bounds that were applied: words in fewer than MinDF documents or in more than MaxDF were dropped. 0
	// means no bound. Chosen reports that the options left the choice to the import.
	MinDF, MaxDF             int64
	MinDFChosen, MaxDFChosen bool

	RareWords, RareTokens     int64    // dropped because of MinDF
	CommonWords, CommonTokens int64    // dropped because of MaxDF
	CommonList                []string // the most frequent of the common words
}

// commonListed is the largest length of TextReport.CommonList.
const commonListed = 10

// Validate returns all faults of the options at once, or nil.
func (o *ImportOptions) Validate() error {
	faults := []error{o.Source.Validate(), o.Text.Validate(), o.checkOrder()}
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	for _, n := range []struct {
		name  string
		value int
	}{
		{"least number of documents with a word", o.MinDF},
		{"least number of occurrences of a word", o.MinCF},
		{"largest number of words", o.MaxWords},
		{"number of characters of a snippet", max(o.Snippet, o.Snippet-wholeText)},
		{"number of threads", o.Threads},
	} {
		if n.value < 0 {
			fault("the %s is %d; it must not be negative", n.name, n.value)
		}
	}
	switch {
	case !(o.MaxDF >= 0) || math.IsInf(o.MaxDF, 0):
		fault("the largest number of documents with a word is %v; it must be a fraction up to 1 or a number of documents", o.MaxDF)
	case o.MaxDF > 1 && o.MaxDF != math.Trunc(o.MaxDF):
		fault("the largest number of documents with a word is %v; above 1 it must be a whole number of documents",
			o.MaxDF)
	case o.MaxDF > 1 && o.MaxDF < float64(o.MinDF):
		fault("no word can occur in at most %v and at least %d documents", o.MaxDF, o.MinDF)
	}
	if choices := []string{groupCopies, dropCopies, keepCopies}; o.Duplicates != "" && !slices.Contains(choices, o.Duplicates) {
		fault("Options.Duplicates is %q; it must be %s", o.Duplicates, human.OneOf(choices))
	}
	if o.Duplicates == dropCopies && o.Source.Parts > 0 {
		fault("a part keeps all documents: drop copies when you join the parts")
	}
	if o.Phrases != nil {
		faults = append(faults, o.Phrases.Validate())
		if len(o.Text.Phrases) > 0 {
			fault("phrases cannot be both given and searched for; choose one")
		}
		if o.Vocabulary.Len() > 0 {
			fault("phrases cannot be searched for with a fixed vocabulary; give its phrases in Text.Phrases")
		}
	}
	return errors.Join(faults...)
}

func (o *ImportOptions) threads() int { return cmp.Or(o.Threads, runtime.GOMAXPROCS(0)) }

// PhraseOptions say which pairs of neighbouring words are phrases. The zero value means the defaults.
//
// Two words x y are judged by their normalised pointwise mutual information (Bouma, "Normalized (pointwise) mutual
// information in collocation extraction", GSCL 2009)
//
//	NPMI(x, y) = ln[ p(x y) / (p(x) p(y)) ] / -ln p(x y),
//
// which is 1 for words that occur only together, 0 for independent words and negative for words that avoid each
// other; p is a count divided by the number of tokens. Neighbours are tokens that follow each other after stop
// words have been removed. Overlapping pairs of Chinese, Japanese or Korean characters are not considered.
//
// At most a few million pairs are counted at a time. If there are more, the rarest are forgotten, which can
// only lose phrases that are rare in a very large corpus.
type PhraseOptions struct {
	// MinCount is the least number of times a pair must occur. Default: 10.
	MinCount int

	// MinNPMI is the least NPMI, above -1 and at most 1. Default: 0.5.
	MinNPMI float64
}

// Defaults of PhraseOptions.
const (
	defaultPhraseCount = 10
	defaultPhraseNPMI  = 0.5
)

// Validate returns all faults of the options at once, or nil.
func (o *PhraseOptions) Validate() error {
	var faults []error
	if o.MinCount < 0 {
		faults = append(faults, fmt.Errorf("Phrases.MinCount is %d; it must not be negative", o.MinCount))
	}
	if !(o.MinNPMI > -1 && o.MinNPMI <= 1) {
		faults = append(faults, fmt.Errorf("Phrases.MinNPMI is %v; it must be above -1 and at most 1", o.MinNPMI))
	}
	return errors.Join(faults...)
}

func (o *PhraseOptions) withDefaults() PhraseOptions {
	p := *o
	p.MinCount = cmp.Or(p.MinCount, defaultPhraseCount)
	p.MinNPMI = cmp.Or(p.MinNPMI, defaultPhraseNPMI)
	return p
}

// The phases of an import, in order, and that of [Generate].
const (
	phaseRead     = "read"
	phaseCopies   = "copies"
	phasePhrases  = "phrases"
	phaseWrite    = "write"
	phaseGenerate = "generate"
)

// Progress describes how far an import has come.
type Progress struct {
	// Phase is "read" while documents are read and words counted, "copies" while copies are found, "phrases" while phrases are found and joined, "write"
	// while words are numbered and the corpus is written, and "generate" while [Generate] draws documents.
	Phase string

	Docs       int64 // documents done in this phase
	Tokens     int64 // tokens in them
	TotalDocs  int64 // documents to do in this phase, 0 while reading
	Bytes      int64 // bytes of input read so far, as stored (compressed)
	TotalBytes int64 // bytes of input in all; 0 if unknown
	Elapsed    time.Duration
}

// meter counts what is done and reports it twice a second.
type meter struct {
	tell  func(Progress)             // nil if nobody asks for reports
	bytes func() (read, total int64) // nil if unknown
	start time.Time

	phase               atomic.Value // string
	docs, tokens, total atomic.Int64
}

// enter begins a phase of total documents.
func (m *meter) enter(phase string, total int64) {
	m.docs.Store(0)
	m.tokens.Store(0)
	m.total.Store(total)
	m.phase.Store(phase)
}

// advance counts documents done in the current phase.
func (m *meter) advance(docs int, tokens int64) {
	m.docs.Add(int64(docs))
	m.tokens.Add(tokens)
}

// run reports until the returned function is called, which makes the last report.
func (m *meter) run(first string) (stop func()) {
	m.start = time.Now()
	m.enter(first, 0)
	if m.tell == nil {
		return func() {}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(500 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				m.tell(m.now())
			case <-done:
				m.tell(m.now())
				return
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

func (m *meter) now() Progress {
	p := Progress{
		Phase: m.phase.Load().(string), Docs: m.docs.Load(), Tokens: m.tokens.Load(),
		TotalDocs: m.total.Load(), Elapsed: time.Since(m.start),
	}
	if m.bytes != nil {
		p.Bytes, p.TotalBytes = m.bytes()
	}
	return p
}

// checkOrder returns the faults of ImportOptions.Order.
func (o *ImportOptions) checkOrder() error {
	switch {
	case o.Order == "" || o.Order == "input":
		return nil
	case o.Order != orderHash:
		return fmt.Errorf("the order of documents is %q; it must be input or hash", o.Order)
	case o.Phrases != nil:
		return errors.New("phrases are found in the order of the input: leave out Options.Phrases or Options.Order")
	case o.Source.Pieces > 0:
		return errors.New("pieces of long documents keep the order of the input: leave out Options.Pieces or Options.Order")
	case o.Vocabulary.Len() > 0:
		return errors.New("documents in a given vocabulary keep the order of the input: leave out Options.Order")
	}
	return nil
}
