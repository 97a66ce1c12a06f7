package reading

import (
	"strconv"

	"github.com/topoi-lda/topoi/corpus"
)

// snippetFlag is a number of characters, or all.
type snippetFlag struct{ characters *int }

func (f snippetFlag) String() string {
	if f.characters != nil && *f.characters == corpus.WholeText {
		return "all"
	}
	if f.characters == nil {
		return "0"
	}
	return strconv.Itoa(*f.characters)
}

func (f snippetFlag) Set(text string) error {
	if text == "all" {
		*f.characters = corpus.WholeText
		return nil
	}
	n, err := strconv.Atoi(text)
	if err == nil && n < 0 {
		err = strconv.ErrRange
	}
	if err == nil {
		*f.characters = n
	}
	return err
}

// Type says what the flag takes.
func (f snippetFlag) Type() string { return "a number of characters such as 200, or all" }
