package counts

import (
	"bytes"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// uci reads the bag-of-words format of the UCI repository:
//
//	D          number of documents
//	W          number of words
//	NNZ        number of entries that follow
//	doc word count
//	…
//
// Both ids are 1-based; entries are sorted by document. Documents without an
// entry are empty. An entry may be repeated: the counts add up.
type uci struct {
	in    *input.Scanner
	words // W of them, or none

	docs, width, entries uint64 // D, W, NNZ of the header

	doc  uint64 // number of the document handed out last
	seen uint64 // entries read

	block []byte // whole lines, every one ended by '\n'
	at    int    // index of the next line in block

	// The entry that was read beyond the end of the current document.
	nextDoc   uint64 // 0 = none
	nextWord  uint32
	nextCount uint32

	w, c []uint32 // backing of Document.Words and Counts
}

const MaxDocs = 1 << 40 // more documents than this in a header are a mistake

// OpenUCI opens the bag of words of the UCI repository.
func OpenUCI(path string, in *input.Scanner, o *Options) (Reader, error) {
	u := &uci{in: in}
	for _, h := range []struct {
		value *uint64
		what  string
		limit uint64
	}{
		{&u.docs, "the number of documents", MaxDocs},
		{&u.width, "the number of words", math.MaxUint32},
		{&u.entries, "the number of entries", math.MaxInt64},
	} {
		var err error
		if *h.value, err = headerNumber(in, h.what, h.limit); err != nil {
			return nil, err
		}
	}
	dir, base := filepath.Split(input.PlainName(path))
	var beside []string
	if rest, ok := strings.CutPrefix(base, "docword."); ok {
		beside = []string{dir + "vocab." + rest}
	}
	name := FindVocabulary(o.VocabPath, beside...)
	if name == "" {
		return u, nil
	}
	var err error
	if u.vocab, err = ReadVocabulary(name, o.Text); err != nil {
		return nil, err
	}
	if uint64(len(u.vocab)) != u.width {
		e := &input.Error{File: name, Msg: input.Plural(len(u.vocab), "word") + " found, but line 2 of " + in.Name + " promises " + input.Plural(u.width, "word")}
		return nil, e.WithHint("give the vocabulary that belongs to this file with Options.VocabPath")
	}
	return u, nil
}

// headerNumber reads a line that holds one number.
func headerNumber(in *input.Scanner, what string, limit uint64) (uint64, error) {
	line, err := in.Next()
	if err == io.EOF {
		in.Line++
		return 0, in.Errorf("the file ends here, but %s is expected", what).WithHint("the first three lines must be the numbers of documents, words and entries")
	}
	if err != nil {
		return 0, err
	}
	line = bytes.TrimSpace(line)
	v, n := input.ParseUint(append(line[:len(line):len(line)], '\n'), 0)
	if len(line) == 0 || n != len(line) || v > limit {
		return 0, in.Errorf("found %s, expected %s", input.Quote(line), what).WithHint("the first three lines must be the numbers of documents, words and entries")
	}
	return v, nil
}

func (u *uci) NumWords() int { return int(u.width) }

// Next is long because it holds the loop that all import speed of this format
// rests on: one round per entry, no call but parseUint.
func (u *uci) Next(doc *Document) error {
	if u.doc == u.docs {
		return u.finish()
	}
	u.doc++
	w, c := u.w[:0], u.c[:0]
	if u.nextDoc == u.doc {
		if u.nextCount > 0 {
			w, c = append(w, u.nextWord), append(c, u.nextCount)
		}
		u.nextDoc = 0
	}
	for u.nextDoc == 0 {
		if u.at == len(u.block) {
			var err error
			if u.block, err = u.in.Block(); err == io.EOF {
				u.block, u.at = nil, 0
				break
			} else if err != nil {
				return err
			}
			u.at = 0
		}
		u.in.Line++
		b := u.block
		i := skipBlanks(b, u.at)
		d, j := input.ParseUint(b, i)
		k := skipBlanks(b, j)
		word, l := input.ParseUint(b, k)
		m := skipBlanks(b, l)
		count, n := input.ParseUint(b, m)
		end := skipBlanks(b, n)
		if b[end] == '\r' {
			end++
		}
		// One test for all faults keeps the loop short; entryError sorts
		// them out. Zero ids wrap around to the largest values.
		if j == i || k == j || l == k || m == l || n == m || b[end] != '\n' ||
			d-u.doc > u.docs-u.doc || word-1 >= u.width || count > math.MaxUint32 || u.seen == u.entries {
			skip, err := u.entryError()
			if err != nil {
				return err
			}
			u.at = skip
			continue
		}
		u.at = end + 1
		u.seen++
		if d != u.doc {
			u.nextDoc, u.nextWord, u.nextCount = d, uint32(word-1), uint32(count)
			break
		}
		if count > 0 {
			w, c = append(w, uint32(word-1)), append(c, uint32(count))
		}
	}
	u.w, u.c = w, c
	doc.Words, doc.Counts = w, c
	return nil
}

func skipBlanks(b []byte, i int) int {
	for b[i] == ' ' || b[i] == '\t' {
		i++
	}
	return i
}

// finish checks that nothing is left after the last document.
func (u *uci) finish() error {
	for {
		for u.at < len(u.block) {
			u.in.Line++
			skip, err := u.entryError()
			if err != nil {
				return err
			}
			u.at = skip
		}
		var err error
		if u.block, err = u.in.Block(); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		u.at = 0
	}
	if u.seen < u.entries {
		return u.in.Errorf("the file ends after %s, but line 3 promises %d", input.Plural(u.seen, "entry"), u.entries).WithHint("the file is incomplete: copy or download it again")
	}
	return io.EOF
}

// entryError explains what is wrong with the line at u.at. For a blank line
// that is nothing: it returns the index of the following line.
func (u *uci) entryError() (next int, err error) {
	rest := u.block[u.at:]
	line := rest[:bytes.IndexByte(rest, '\n')]
	fields := bytes.Fields(line)
	if len(fields) == 0 {
		return u.at + len(line) + 1, nil
	}
	if u.seen == u.entries {
		return 0, u.in.Errorf("found another entry after the %d that line 3 promises", u.entries).WithHint("correct the number of entries on line 3")
	}
	if len(fields) != 3 {
		return 0, u.in.Errorf("found %s, expected: document word count", input.Quote(bytes.TrimSpace(line))).WithHint("every line after the third must hold three whole numbers")
	}
	d, err := input.NumberField(u.in, fields[0], "document id", 1, u.docs)
	if err != nil {
		return 0, err
	}
	if _, err := input.NumberField(u.in, fields[1], "word id", 1, u.width); err != nil {
		return 0, err
	}
	if _, err := input.NumberField(u.in, fields[2], "count", 0, math.MaxUint32); err != nil {
		return 0, err
	}
	return 0, u.in.Errorf("document %d comes after document %d", d, u.doc).WithHint("sort the entries by document, keeping the three lines of the header")
}
