package source

import (
	"bytes"
	"path/filepath"

	"github.com/topoi-lda/topoi/corpus/source/internal/counts"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// octis reads a data set of OCTIS, given as its directory or its corpus.tsv:
//
//	text<TAB>partition<TAB>label
//
// The text is already cut into words, separated by blanks. The partition (train, val, test) selects documents with
// Options.Partition; partition and label may be missing. If vocabulary.txt lies beside, it gives the words their ids,
// and every word must be in it, unless Options.Ordered is set.
type octis struct {
	in     *input.Scanner
	file   *input.File // opened here when the directory was given
	o      *Options
	vocab  []string
	beside string            // path of the vocabulary
	ids    map[string]uint32 // by word; nil without vocabulary
	words  [][]byte
	bag    counts.Bag
}

func openOCTIS(path string, in *input.Scanner, o *Options) (Source, error) {
	t := &octis{in: in, o: o}
	dir := filepath.Dir(path)
	if in == nil {
		dir = path
		corpus := input.FindFile(filepath.Join(path, "corpus.tsv"))
		if corpus == "" {
			return nil, (&input.Error{
				File: path,
				Msg:  "there is no corpus.tsv in this directory",
			}).WithHint("give the directory of an OCTIS data set, or another Options.Format")
		}
		var err error
		if t.file, t.in, err = input.OpenScanner(corpus, o.text()); err != nil {
			return nil, err
		}
	}
	if t.beside = counts.FindVocabulary(o.VocabPath, filepath.Join(dir, "vocabulary.txt")); t.beside == "" ||
		path == "-" && o.VocabPath == "" || o.Ordered {
		return t, nil
	}
	var err error
	if t.vocab, err = counts.ReadVocabulary(t.beside, o.text()); err != nil {
		t.Close()
		return nil, err
	}
	t.ids = make(map[string]uint32, len(t.vocab))
	for i, w := range t.vocab {
		t.ids[w] = uint32(i)
	}
	return t, nil
}

func (t *octis) Vocabulary() ([]string, error) { return t.vocab, nil }
func (t *octis) NumWords() int                 { return len(t.vocab) }

func (t *octis) Content() Content {
	if t.ids != nil {
		return ContentIDs
	}
	return ContentTokens
}

func (t *octis) Close() error {
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}

func (t *octis) Next(doc *Document) error {
	for {
		line, err := t.in.Checked(t.in.NextNonBlank())
		if err != nil {
			return err
		}
		text, rest, _ := bytes.Cut(line, []byte("\t"))
		partition, label, _ := bytes.Cut(rest, []byte("\t"))
		if t.o.Partition != "" && string(partition) != t.o.Partition {
			continue
		}
		doc.Label = label
		t.words = input.AppendFields(t.words[:0], text)
		if t.ids == nil {
			doc.Tokens = t.words
			return nil
		}
		return t.number(doc)
	}
}

// number replaces the words of a document by their ids.
func (t *octis) number(doc *Document) error {
	t.bag.Reset()
	for _, w := range t.words {
		id, ok := t.ids[string(w)]
		if !ok {
			return t.in.Errorf("the word %s is not in %s", input.Quote(w),
				t.beside).WithHint("add it there, or remove the vocabulary file to use all words")
		}
		t.bag.Add(id, 1)
	}
	doc.Words, doc.Counts = t.bag.Words, t.bag.Counts
	return nil
}
