package source

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// readVocabulary reads a file with one word per line; line n (from 1) is the
// word with the n-th smallest id. Blank lines are allowed at the end only.
func readVocabulary(path string, o *Options) ([]string, error) {
	f, in, err := openScanner(path, o)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var words []string
	firstLine := make(map[string]int)
	blank := 0
	for {
		line, err := in.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		word := bytes.TrimSpace(line)
		if len(word) == 0 {
			blank = in.line
			continue
		}
		if blank > 0 {
			in.line = blank
			return nil, in.errorf("the line is blank, but every line must hold a word").hint("remove the line if it does not stand for an id")
		}
		if bytes.IndexByte(word, '\t') >= 0 {
			return nil, in.errorf("found several columns, expected one word per line").hint("keep the column with the words (cut -f2)")
		}
		if word, err = checkText(word, in, 0, o); err != nil {
			return nil, err
		}
		w := string(word)
		if first, ok := firstLine[w]; ok {
			return nil, in.errorf("the word %q is already on line %d", w, first).hint("every word may stand once only; rename or merge one of them")
		}
		firstLine[w] = in.line
		words = append(words, w)
	}
	if len(words) == 0 {
		return nil, (&Error{File: in.name, Msg: "the vocabulary is empty"}).hint("give a file with one word per line")
	}
	return words, nil
}

// findVocabulary returns the vocabulary file that the options name, or the
// first candidate that exists. It returns "" when there is none.
func findVocabulary(o *Options, candidates ...string) string {
	if o.VocabPath != "" {
		return o.VocabPath
	}
	return findFile(candidates...)
}

// findFile returns the first of the paths that exists, also with .gz or .zst
// behind it, or "".
func findFile(paths ...string) string {
	for _, c := range paths {
		for _, ext := range []string{"", ".gz", ".zst"} {
			if info, err := os.Stat(c + ext); err == nil && info.Mode().IsRegular() {
				return c + ext
			}
		}
	}
	return ""
}

// plainName returns path without .gz or .zst.
func plainName(path string) string {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".gz", ".zst", ".zstd":
		return path[:len(path)-len(ext)]
	}
	return path
}
