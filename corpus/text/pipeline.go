package text

import (
	"bytes"
	"math/bits"
	"regexp"
	"strings"

	"github.com/clipperhouse/uax29/v2/words"
)

// Pipeline cuts text into tokens. It is not safe for use by several goroutines: give each its own [Pipeline.Clone].
type Pipeline struct {
	*rules // shared by clones, read-only

	// Buffers of one call; tokens point into arena.
	arena    []byte
	text     []byte // text under normalisation
	spare    []byte // the other half of text's double buffer
	pair     []byte // key for looking up a phrase
	stripper stripper
	lists    []languageSet
	quick    bool // the document is taken to be in a main language
	mains    int  // words on the lists of main languages, while quick
	others   int  // words on other lists only, while quick
	cutter   cutter
	bounds   []int   // bounds of the words in a run of Chinese
	document []byte  // the text of this call
	hanHere  hanMode // how Han is cut in it
	boundary *words.Iterator[[]byte]
	stems    map[int]stemCache // by index of the language
}

// rules are Options made ready for use.
type rules struct {
	options   Options
	regexp    *regexp.Regexp // nil to use word boundaries
	min, max  int            // bounds on the length of a word in code points
	cjkWords  bool
	han       hanMode // how Han is cut; unknown: by the document
	turkish   bool    // I is the capital of ı
	persian   bool    // Arabic yeh and kaf are Persian ones
	particles bool    // Chinese particles separate words
	today     bool    // current edition: keep ß, remove links without a scheme and names after @

	stop     map[string]languageSet // the lists that contain each token
	drop     languageSet            // a token on one of these lists is dropped at once
	guess    languageSet            // the languages a document may be in; empty if they are not guessed
	guessed  bool                   // drop the stop words of the guessed language
	main     languageSet            // the languages of documents that are not clearly in another language
	elisions map[string]bool        // words that are cut off before an apostrophe
	stem     int                    // index of the language to stem in, or -1
	phrases  map[string]bool        // pairs, "new york"
	heads    map[string]bool        // first tokens of pairs
}

// New returns a pipeline, or all faults of the options.
func New(options Options) (*Pipeline, error) {
	if err := options.Validate(); err != nil {
		return nil, err
	}
	r := &rules{
		options:  options,
		cjkWords: options.CJK == CJKWords,
		elisions: make(map[string]bool),
		phrases:  make(map[string]bool),
		heads:    make(map[string]bool),
	}
	r.min, r.max = options.lengths()
	r.today = options.Edition == 0
	if options.TokenRegexp != "" {
		r.regexp = regexp.MustCompile(options.TokenRegexp)
	}
	r.setLanguages()
	for _, p := range options.Phrases {
		head, _, _ := strings.Cut(p, " ")
		r.phrases[p], r.heads[head] = true, true
	}
	return newPipeline(r), nil
}

func newPipeline(r *rules) *Pipeline {
	return &Pipeline{rules: r, boundary: words.FromBytes(nil), stems: make(map[int]stemCache)}
}

// Clone returns a pipeline with the same options for another goroutine.
func (p *Pipeline) Clone() *Pipeline { return newPipeline(p.rules) }

// Options returns the options of the pipeline.
func (p *Pipeline) Options() Options { return p.options }

// setLanguages sets what follows from the languages: stop words, elisions and the stemmer.
func (r *rules) setLanguages() {
	r.stem = -1
	always := setOf("zh", "ja", "ko") // their scripts are unmistakable
	var set languageSet
	switch names := r.options.Languages; {
	case len(names) == 0:
		set = setOf(defaultLanguages...)
	case names[0] == languageNone:
	case names[0] == languageAuto:
		set = 1<<len(languages) - 1
		r.guess, r.guessed = set, true
		r.setMain(names[1:])
	default:
		set = setOf(names...)
		r.setFirst(names[0])
	}
	lists := set
	if r.main != 0 {
		set = r.main
	}
	r.han = r.hanFor(set)
	r.particles = set&setOf("zh") != 0
	r.drop = set | userWords
	if r.guessed {
		r.drop = always | userWords
	}
	for l, lang := range languages {
		if set&(1<<l) != 0 {
			for _, e := range strings.Fields(lang.elisions) {
				r.elisions[e] = true
			}
		}
	}
	if r.options.Stem {
		with := set.withStemmers()
		if r.main != 0 {
			r.stem = firstStemmer(r.options.Languages[1:])
		} else if bits.OnesCount64(uint64(with)) == 1 {
			r.stem = bits.TrailingZeros64(uint64(with))
		} else if r.guess == 0 {
			r.guess = with
		}
	}
	bare := *r
	bare.min, bare.max, bare.options.KeepNumbers, bare.drop, bare.guess, bare.stem = 1, 1<<30, true, 0, 0, -1
	bare.options.KeepMarkup = true
	if bare.options.Case == CaseKeep {
		bare.options.Case = CaseLower // as stop words are looked up
	}
	bare.phrases, bare.heads, bare.options.Grams = nil, nil, nil
	r.stop = makeStopSet(newPipeline(&bare), lists, r.options)
}

// setFirst sets what follows from the first language alone.
func (r *rules) setFirst(name string) {
	first := setOf(name)
	r.turkish = first == setOf("tr")
	r.persian = first&setOf("fa", "ckb") != 0
}

// setMain makes all languages exceptions that a document must be clearly in, apart from the main ones and
// those recognised by their script.
func (r *rules) setMain(names []string) {
	if len(names) == 0 {
		return
	}
	r.main = setOf(names...)
	r.guess &^= r.main | setOf("zh", "ja", "ko")
	r.setFirst(names[0])
}

// Tokens appends the tokens of s to dst. They are UTF-8 and stay valid until the next call. s may contain
// any bytes: those that are not UTF-8 separate words.
func (p *Pipeline) Tokens(dst [][]byte, s []byte) [][]byte {
	start := len(dst)
	s = p.begin(s)
	dst, stem := p.cut(dst, s)
	if p.options.Stem && stem >= 0 {
		p.stemAll(dst[start:], stem)
	}
	if len(p.phrases) > 0 {
		dst = p.join(dst, start)
	}
	if len(p.options.Grams) > 0 {
		dst = p.grams(dst, start)
	}
	return dst
}

// cut appends the words of s without stop words, and returns the language to stem
// in, or -1.
func (p *Pipeline) cut(dst [][]byte, s []byte) ([][]byte, int) {
	start := len(dst)
	if p.main != 0 {
		p.quick, p.mains, p.others = true, 0, 0
		dst = p.pieces(dst, s)
		p.quick = false
		if !p.doubtful() {
			return dst, p.stem
		}
		dst, p.arena = dst[:start], p.arena[:0]
	}
	dst = p.pieces(dst, s)
	if p.guess == 0 {
		return dst, p.stem
	}
	return p.settle(dst, start)
}

// pieces appends the words of s.
func (p *Pipeline) pieces(dst [][]byte, s []byte) [][]byte {
	if p.regexp != nil {
		return p.matches(dst, s)
	}
	return p.chunks(dst, s)
}

// begin prepares the buffers for a text and returns the text without markup.
func (p *Pipeline) begin(s []byte) []byte {
	p.lists = p.lists[:0]
	if cap(p.arena) < len(s) {
		p.arena = make([]byte, 0, len(s)+len(s)/8)
	}
	p.arena = p.arena[:0]
	if !p.options.KeepMarkup {
		s = p.strip(s)
	}
	p.document, p.hanHere = s, p.han
	return s
}

// chunks cuts s at ASCII white space and control characters. They are always word boundaries, and
// normalisation never reaches across them. ASCII chunks take the fast path.
func (p *Pipeline) chunks(dst [][]byte, s []byte) [][]byte {
	for i := 0; i < len(s); {
		if s[i] <= ' ' {
			i++
			continue
		}
		begin, or := i, byte(0)
		for ; i < len(s) && s[i] > ' '; i++ {
			or |= s[i]
		}
		chunk := s[begin:i]
		switch {
		case or >= 0x80:
			dst = p.unicode(dst, chunk)
		case len(chunk) >= minEncoded && !p.options.KeepMarkup && encoded(chunk):
		case p.turkish:
			dst = p.unicode(dst, chunk)
		default:
			dst = p.ascii(dst, chunk)
		}
	}
	return dst
}

// listsOf returns the stop lists that contain a word.
func (p *Pipeline) listsOf(word []byte) languageSet {
	if p.options.Case != CaseKeep || len(p.stop) == 0 {
		return p.stop[string(word)]
	}
	p.pair = lower(p.pair[:0], word)
	return p.stop[string(p.pair)]
}

// accept appends word to dst unless it is a stop word. The word is in the arena and has its final form
// except for stemming.
func (p *Pipeline) accept(dst [][]byte, word []byte) [][]byte {
	lists := p.listsOf(word)
	if p.quick {
		return p.acceptQuickly(dst, word, lists)
	}
	if lists&p.drop != 0 && p.guess == 0 {
		return dst
	}
	if p.guess != 0 {
		p.lists = append(p.lists, lists)
	}
	return append(dst, word)
}

// join joins adjacent tokens of dst[start:] that form phrases, from left to right. A joined token may be
// joined again with the next one.
func (p *Pipeline) join(dst [][]byte, start int) [][]byte {
	out := start
	for i := start; i < len(dst); i++ {
		if out > start && p.heads[string(dst[out-1])] {
			p.pair = append(append(append(p.pair[:0], dst[out-1]...), ' '), dst[i]...)
			if p.phrases[string(p.pair)] {
				p.pair[len(dst[out-1])] = '_'
				dst[out-1] = p.store(p.pair)
				continue
			}
		}
		dst[out] = dst[i]
		out++
	}
	return dst[:out]
}

// grams replaces dst[start:] by all its runs of the lengths in Options.Grams, in the order of their last tokens.
func (p *Pipeline) grams(dst [][]byte, start int) [][]byte {
	tokens := append([][]byte(nil), dst[start:]...)
	dst = dst[:start]
	for end := range tokens {
		for _, n := range p.options.Grams {
			switch {
			case n == 1:
				dst = append(dst, tokens[end])
			case n <= end+1:
				dst = append(dst, p.store(bytes.Join(tokens[end+1-n:end+1], []byte("_"))))
			}
		}
	}
	return dst
}

// store copies b to the arena. The arena may move when it grows; earlier tokens keep the old one alive.
func (p *Pipeline) store(b []byte) []byte {
	begin := len(p.arena)
	p.arena = append(p.arena, b...)
	return p.arena[begin:len(p.arena):len(p.arena)]
}
