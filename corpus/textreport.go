package corpus

import "github.com/topoi-lda/topoi/corpus/text"

// TextReport tells what became of text on its way to the vocabulary. It is empty
// for input of tokens or counts, but for the words dropped by frequency.
type TextReport struct {
	Languages  []string       // whose stop words were dropped, as text.Options has them
	Detected   bool           // the languages were found, not given
	Detection  text.Detection // what was found
	SampleDocs int64          // documents it was found in, the first of the input

	// The bounds that were applied: words in fewer than MinDF documents or in
	// more than MaxDF went. 0 where there was no bound. Chosen says that the
	// options left the choice to the import.
	MinDF, MaxDF             int64
	MinDFChosen, MaxDFChosen bool

	RareWords, RareTokens     int64    // dropped because of MinDF
	CommonWords, CommonTokens int64    // dropped because of MaxDF
	CommonList                []string // the most frequent of the common words
}

// commonListed bounds TextReport.CommonList.
const commonListed = 10
