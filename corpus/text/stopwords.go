package text

import (
	_ "embed"
	"strings"
	"sync"
)

//go:generate go -C _generate test . -update -count 1

// stopwordsGenerated holds the lists of bleve's analysis library: one line per
// language, its code and its words. They are generated into this file rather
// than imported: see _generate/stopwords_test.go.
//
//go:embed stopwords.txt
var stopwordsGenerated string

// stopwordsOwn holds this project's own lists, in the same form: languages
// that the library lacks, and words missing from its lists.
//
//go:embed stopwords_own.txt
var stopwordsOwn string

// stopwordsAdded holds what the second edition added to them.
//
//go:embed stopwords_added.txt
var stopwordsAdded string

// stopwordsThird holds what the third edition added: inflected forms that the lists lacked.
//
//go:embed stopwords_third.txt
var stopwordsThird string

// The words of each language in the editions, indexed as languages is.
var (
	firstEdition  = sync.OnceValue(func() [][]string { return parseLists(stopwordsGenerated + stopwordsOwn) })
	secondEdition = sync.OnceValue(func() [][]string { return parseLists(stopwordsGenerated + stopwordsOwn + stopwordsAdded) })
	thirdEdition  = sync.OnceValue(func() [][]string {
		return parseLists(stopwordsGenerated + stopwordsOwn + stopwordsAdded + stopwordsThird)
	})
)

// stopLists returns the lists of an edition as Options has it.
func stopLists(edition int) [][]string {
	switch edition {
	case 1:
		return firstEdition()
	case 2:
		return secondEdition()
	}
	return thirdEdition()
}

// parseLists reads lines of a language's code and its words.
func parseLists(text string) [][]string {
	lists := make([][]string, len(languages))
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		l := lookupLanguage(fields[0])
		if l < 0 {
			panic("text: stop words for unknown language " + fields[0])
		}
		lists[l] = append(lists[l], fields[1:]...)
	}
	return lists
}

// makeStopSet runs the stop words of a set of languages and the user's own
// through a pipeline that drops nothing, and returns for each resulting token
// the lists it is on. So a list need not know how words are normalised, and a
// Chinese word of three characters stands for its two pairs.
func makeStopSet(bare *Pipeline, set languageSet, options Options) map[string]languageSet {
	stop := make(map[string]languageSet)
	var tokens [][]byte
	add := func(word string, bit languageSet) {
		tokens = bare.Tokens(tokens[:0], []byte(word))
		for _, t := range tokens {
			stop[string(t)] |= bit
		}
	}
	for l, list := range stopLists(options.Edition) {
		if set&(1<<l) == 0 {
			continue
		}
		for _, word := range list {
			add(word, 1<<l)
		}
	}
	for _, word := range options.StopWords {
		add(word, userWords)
	}
	return stop
}
