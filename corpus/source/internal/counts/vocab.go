package counts

import (
	"bytes"
	"io"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// ReadVocabulary reads a file with one word per line; line n (from 1) is the
// word with the n-th smallest id. Blank lines are allowed at the end only.
func ReadVocabulary(path string, o input.Options) ([]string, error) {
	f, in, err := input.OpenScanner(path, o)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var words []string
	firstLine := make(map[string]int)
	blank := 0
	for {
		line, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		word := bytes.TrimSpace(line)
		if len(word) == 0 {
			blank = in.Line
			continue
		}
		if blank > 0 {
			in.Line = blank
			return nil, in.Errorf("the line is blank, but every line must hold a word").WithHint("remove the line if it does not stand for an id")
		}
		if bytes.IndexByte(word, '\t') >= 0 {
			return nil, in.Errorf("found several columns, expected one word per line").WithHint("keep the column with the words (cut -f2)")
		}
		if word, err = input.CheckText(word, in, 0); err != nil {
			return nil, err
		}
		w := string(word)
		if first, ok := firstLine[w]; ok {
			return nil, in.Errorf("the word %q is already on line %d", w, first).WithHint("every word may stand once only; rename or merge one of them")
		}
		firstLine[w] = in.Line
		words = append(words, w)
	}
	if len(words) == 0 {
		return nil, (&input.Error{File: in.Name, Msg: "the vocabulary is empty"}).WithHint("give a file with one word per line")
	}
	return words, nil
}

// FindVocabulary returns the vocabulary file that is given, or the
// first candidate that exists. It returns "" when there is none.
func FindVocabulary(given string, candidates ...string) string {
	if given != "" {
		return given
	}
	return input.FindFile(candidates...)
}
