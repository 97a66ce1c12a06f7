package corpus_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/source"
)

// A corpus of a few documents needs no file.
func ExampleFromTokens() {
	c := corpus.FromTokens([][]string{
		{"whale", "sea", "ship", "whale"},
		{},
		{"sea", "town"},
	})
	fmt.Println(c.NumDocs(), "documents,", c.NumWords(), "words,", c.NumTokens(), "tokens")
	for _, w := range c.Doc(0) {
		fmt.Println(w, c.Word(int(w)))
	}
	// Output:
	// 3 documents, 4 words, 6 tokens
	// 0 sea
	// 1 whale
	// 1 whale
	// 2 ship
}

// Texts are treated as files are: stop words fall away, and very rare words unless told
// otherwise.
func ExampleFromTexts() {
	c, err := corpus.FromTexts([]string{
		"Call me Ishmael. Some years ago I went to sea.",
		"It was the best of times, it was the worst of times.",
	}, corpus.ImportOptions{MinDF: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	for d := range c.NumDocs() {
		var words []string
		for _, w := range c.Doc(d) {
			words = append(words, c.Word(int(w)))
		}
		fmt.Println(words)
	}
	// Output:
	// [call ishmael sea years]
	// [times times best worst]
}

// Titles, and snippets of the beginning of every text, are kept to be shown.
func ExampleCorpus_Title() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	input := filepath.Join(dir, "novels.csv")
	rows := "title,text\nMoby-Dick,Call me  Ishmael. Some years ago I went to sea.\n"
	if err := os.WriteFile(input, []byte(rows), 0o666); err != nil {
		log.Fatal(err)
	}
	c, _, err := corpus.Load(context.Background(), []string{input}, corpus.ImportOptions{Snippet: 17})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	fmt.Println(c.Title(0) + ": " + c.Snippet(0))
	// Output: Moby-Dick: Call me Ishmael.…
}

// The rows of a database, as a query yields them. An error of the query ends the corpus and is returned.
func ExampleFromSeq() {
	rows := func(yield func(corpus.Document, error) bool) {
		for _, r := range [][2]string{{"melville", "The whale and the sea"}, {"austen", "A town by the sea"}} {
			if !yield(corpus.Document{ID: r[0], Text: r[1]}, nil) {
				return
			}
		}
	}
	c, report, err := corpus.FromSeq(context.Background(), rows, corpus.ImportOptions{MinDF: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	fmt.Println(report.Docs, "documents,", c.ID(1), c.Words().List())
	// Output: 2 documents, austen [sea town whale]
}

// An upload, in any format that standard input may have.
func ExampleRead() {
	upload := strings.NewReader("id,text\nmelville,The whale and the sea\nausten,A town by the sea\n")
	c, report, err := corpus.Read(context.Background(), upload, corpus.ImportOptions{MinDF: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	fmt.Println(report.Format, c.ID(0), c.Words().List())
	// Output: csv melville [sea town whale]
}

// shelf is a source of our own: a format that topoi does not know.
type shelf struct{ books [][]string }

func (s *shelf) Next(doc *source.Document) error {
	if len(s.books) == 0 {
		return io.EOF
	}
	doc.ID = []byte(s.books[0][0])
	doc.Tokens = nil
	for _, word := range s.books[0][1:] {
		doc.Tokens = append(doc.Tokens, []byte(word))
	}
	s.books = s.books[1:]
	return nil
}

func (s *shelf) Content() source.Content       { return source.ContentTokens }
func (s *shelf) Vocabulary() ([]string, error) { return nil, nil }
func (s *shelf) Close() error                  { return nil }

// A source of one's own becomes a corpus file, however large it is.
func ExampleImportSource() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	books := &shelf{books: [][]string{{"melville", "whale", "sea"}, {"austen", "town"}}}
	path := filepath.Join(dir, "books.topoi")
	report, err := corpus.ImportSource(context.Background(), books, path, corpus.ImportOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Docs, "documents,", report.Words, "words")
	// Output: 2 documents, 3 words
}

// A Builder takes ids, labels and times as well.
func ExampleBuilder() {
	var b corpus.Builder
	b.Add(corpus.Document{ID: "melville", Time: "1851", Tokens: []string{"whale", "sea"}})
	b.Add(corpus.Document{Tokens: []string{"town"}})
	c := b.Corpus()
	fmt.Println(c.ID(0), c.Time(0), c.ID(1))
	// Output: melville 1851 1
}

// Import makes a corpus file of any input; words found in a single document
// are left out here.
func ExampleImport() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	input, output := filepath.Join(dir, "novels.csv"), filepath.Join(dir, "novels.topoi")
	rows := "id,text\nmoby,The whale and the sea\nnemo,Under the sea\nscott,\"The whale, again\"\n"
	if err := os.WriteFile(input, []byte(rows), 0o666); err != nil {
		log.Fatal(err)
	}

	report, err := corpus.Import(context.Background(), []string{input}, output, corpus.ImportOptions{MinDF: 2})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %d documents, %d words\n", report.Format, report.Docs, report.Words)

	c, err := corpus.Open(output)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	fmt.Println(c.Words().List())
	// Output:
	// csv: 3 documents, 2 words
	// [sea whale]
}

// New documents for a trained model are imported against its vocabulary.
func ExampleLoad_vocabulary() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	input := filepath.Join(dir, "new.csv")
	if err := os.WriteFile(input, []byte("id,text\na,a whale in town\nb,the harbour\n"), 0o666); err != nil {
		log.Fatal(err)
	}

	trained := corpus.FromTokens([][]string{{"whale", "sea", "town"}})
	c, report, err := corpus.Load(context.Background(), []string{input}, corpus.ImportOptions{Vocabulary: trained.Words()})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	fmt.Println(c.NumTokens(), "known tokens,", report.UnknownTokens, "unknown,", report.EmptyDocs, "empty document")
	// Output: 2 known tokens, 1 unknown, 1 empty document
}

// The first nine tenths for training, the rest held out.
func ExampleCorpus_Docs() {
	c := corpus.FromTokens(make([][]string, 10))
	train, held := c.Docs(0, 9), c.Docs(9, 10)
	fmt.Println(train.NumDocs(), held.NumDocs(), held.ID(0))
	// Output: 9 1 9
}

// Any documents of a corpus, which keep the numbers they have there.
func ExampleCorpus_Select() {
	c := corpus.FromTokens([][]string{{"sea", "whale"}, {"town"}, {"whale", "ship", "sea"}})
	some := c.Select([]uint32{0, 2})
	for d := range some.NumDocs() {
		fmt.Println(some.Number(d), len(some.Doc(d)), "tokens")
	}
	// Output:
	// 0 2 tokens
	// 2 3 tokens
}

// A synthetic corpus of known size, the same on every machine.
func ExampleGenerate() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "synthetic.topoi")
	report, err := corpus.Generate(context.Background(), path, corpus.GenerateOptions{Docs: 1000, Words: 500, Topics: 20, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Docs, "documents,", report.Words, "words,", report.Tokens, "tokens")
	// Output: 1000 documents, 500 words, 99693 tokens
}
