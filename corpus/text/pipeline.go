package text

import (
	"bytes"
	"maps"
	"math/bits"
	"regexp"
	"strings"
	"sync"
)

// Pipeline cuts text into tokens. It is not safe for use by several goroutines: give each its own [Pipeline.Clone].
type Pipeline struct {
	segmenter
	stripper stripper
	stemmer  stemmer
}

// New returns a pipeline, or all faults of the options.
func New(options Options) (*Pipeline, error) {
	if err := options.Validate(); err != nil {
		return nil, err
	}
	r := &rules{
		options:  options,
		cjkWords: options.CJK == cjkWords,
		elisions: make(map[string]bool),
		phrases:  make(map[string]bool),
		heads:    make(map[string]bool),
	}
	r.min, r.max = options.lengths()
	r.today = options.Edition == 0 || options.Edition == 3
	r.eojeols = options.Edition == 0 && options.CJK != cjkBigrams
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
	return &Pipeline{segmenter: newSegmenter(r), stripper: stripper{today: r.today}, stemmer: stemmer{}}
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
	if bare.options.Case == caseKeep {
		bare.options.Case = caseLower // as stop words are looked up
	}
	bare.phrases, bare.heads, bare.options.Grams = nil, nil, nil
	bare.stopAll = func() stopSet { return nil }
	r.stop, r.stopAll = makeStopSets(newPipeline(&bare), lists, r.options)
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
		p.stemmer.stem(dst[start:], stem)
	}
	if len(p.phrases) > 0 {
		dst = p.join(dst, start)
	}
	if len(p.options.Grams) > 0 {
		dst = p.grams(dst, start)
	}
	return dst
}

// cut appends the words of s without stop words, and returns the language to stem in, or -1.
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

// begin prepares the buffers for a text and returns the text without markup.
func (p *Pipeline) begin(s []byte) []byte {
	p.lists = p.lists[:0]
	if cap(p.arena) < len(s) {
		p.arena = make([]byte, 0, len(s)+len(s)/8)
	}
	p.arena = p.arena[:0]
	if !p.options.KeepMarkup {
		s = p.stripper.strip(s)
	}
	p.document, p.hanHere = s, p.han
	return s
}

// Join joins tokens that form phrases, in place, as Tokens does. They stay valid until the next call.
func (p *Pipeline) Join(tokens [][]byte) [][]byte {
	p.begin(nil)
	return p.join(tokens, 0)
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

// makeStopSets runs the stop words of a set of languages, and the user's own, through a pipeline that drops
// nothing. It returns for each resulting token the lists it is on. Therefore a list need not know how words
// are normalised, and a Chinese word of three characters becomes its two pairs. all adds the words of Han
// characters. It does so on first use, because that unpacks the dictionary.
func makeStopSets(bare *Pipeline, set languageSet, options Options) (stop stopSet, all func() stopSet) {
	fill := func(into stopSet, han bool) stopSet {
		var tokens [][]byte
		add := func(list []string, bit languageSet) {
			for _, word := range list {
				if strings.ContainsFunc(word, func(r rune) bool {
					return (r < firstHan || r > lastHan) &&
						r != '々'
				}) == han {
					continue
				}
				tokens = bare.Tokens(tokens[:0], []byte(word))
				for _, t := range tokens {
					into[string(t)] |= bit
				}
			}
		}
		for l, list := range editions[options.Edition]() {
			if set&(1<<l) != 0 {
				add(list, 1<<l)
			}
		}
		add(options.StopWords, userWords)
		return into
	}
	stop = fill(make(stopSet, 1<<8), false)
	return stop, sync.OnceValue(func() stopSet { return fill(maps.Clone(stop), true) })
}
