package corpus

import (
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/corpus/internal/format"
	"github.com/topoi-lda/topoi/corpus/internal/kept"
	"github.com/topoi-lda/topoi/internal/piece"
)

// Kinds of data that a document may have besides its content, in the order of batch.meta.
const (
	tagID = iota
	tagLabel
	tagTime
	tagTitle
	tagSnippet
	tagText
	numTags
)

// tagSections holds the section names of each tag.
var tagSections = [numTags]string{format.IDs, format.Labels, format.Times, format.Titles, format.Snippets, format.Texts}

// tagSet records which tags occur in any document.
type tagSet [numTags]bool

func (t *tagSet) or(u tagSet) {
	for i, has := range u {
		t[i] = t[i] || has
	}
}

// columnData is a column of the documents besides labels and times.
type columnData struct {
	columnInfo
	list Strings // D values
}

// columnInfo describes a column in the section "columns". The values of column i are the list of strings
// "c<i>". The values of a column with a role are in the list of that role.
type columnInfo struct {
	Name string      `json:"name"`
	Kind column.Kind `json:"kind"`
	Role string      `json:"role,omitempty"` // "label" or "time"
}

func columnSection(i int) string { return "c" + strconv.Itoa(i) }

// tags hold what is known about the documents of a corpus besides their words.
type tags struct {
	ids      Strings // D ids, or empty when the input had none
	labels   Strings // D labels, or empty when the input had none
	times    Strings // D times as written in the input, or empty
	titles   Strings // D titles, or empty when the input had none
	snippets Strings // D beginnings of the text, or empty when none were kept
	texts    Strings // D whole texts, compressed, or empty when none were kept
	columns  []columnData

	first   int      // number of document 0, see Number
	numbers []uint32 // numbers of documents that do not follow each other; else nil
}

// HasIDs reports whether the input named its documents.
func (t *tags) HasIDs() bool { return t.ids.Len() > 0 }

// HasLabels reports whether the input has labels.
func (t *tags) HasLabels() bool { return t.labels.Len() > 0 }

// HasTimes reports whether the input has times.
func (t *tags) HasTimes() bool { return t.times.Len() > 0 }

// HasTitles reports whether the input has titles.
func (t *tags) HasTitles() bool { return t.titles.Len() > 0 }

// HasSnippets reports whether the corpus keeps the beginnings of the documents' texts.
func (t *tags) HasSnippets() bool { return t.snippets.Len() > 0 }

// HasTexts reports whether whole texts were kept.
func (t *tags) HasTexts() bool { return t.texts.Len() > 0 }

// HasPieces reports whether the documents are pieces of longer ones; see source.Options.Pieces.
func (t *tags) HasPieces() bool { return t.HasIDs() && strings.Contains(t.ID(0), piece.Mark) }

// FirstPieces returns the first piece of each document, for a corpus that HasPieces.
func (t *tags) FirstPieces() []int {
	var firsts []int
	last := ""
	for d := range t.ids.Len() {
		if id := wholeID(t.ID(d)); d == 0 || id != last {
			firsts = append(firsts, d)
			last = id
		}
	}
	return firsts
}

// wholeID returns the id of the document that a piece belongs to.
func wholeID(id string) string {
	id, _, _ = strings.Cut(id, piece.Mark)
	return id
}

// ID returns the user's id for document d. Without one it is the document's number, counted from 0, in decimal.
func (t *tags) ID(d int) string {
	if t.HasIDs() {
		if id := t.ids.Bytes(d); len(id) > 0 {
			return string(id)
		}
	}
	return strconv.Itoa(t.Number(d))
}

// Number returns the number that document d has in the corpus that c is a view of (see [Corpus.Whole]). It
// is d if c is not a view.
func (t *tags) Number(d int) int {
	if t.numbers != nil {
		return int(t.numbers[d])
	}
	return t.first + d
}

// Label returns the label of document d, or "" if it has none.
func (t *tags) Label(d int) string { return atOrEmpty(t.labels, d) }

// Time returns the time of document d as the input wrote it, or "" if it has none.
func (t *tags) Time(d int) string { return atOrEmpty(t.times, d) }

// Title returns the title of document d, or "" if it has none.
func (t *tags) Title(d int) string { return atOrEmpty(t.titles, d) }

// Snippet returns the beginning of the text of document d, to be shown to readers. It is the text of the
// input with every run of white space replaced by one blank; "…" at the end means that there is more text.
// It is empty if the corpus keeps no snippets.
func (t *tags) Snippet(d int) string { return atOrEmpty(t.snippets, d) }

func atOrEmpty(s Strings, i int) string {
	if s.Len() == 0 {
		return ""
	}
	return s.At(i)
}

// Text returns the text of document d as it is in the input. It is empty if the text was not kept or is damaged.
func (t *tags) Text(d int) string {
	if t.texts.Len() == 0 {
		return ""
	}
	return kept.Text(t.texts.Bytes(d))
}

// lists returns the lists that hold a string for every document, by tag, including empty lists.
func (t *tags) lists() []*Strings {
	return []*Strings{&t.ids, &t.labels, &t.times, &t.titles, &t.snippets, &t.texts}
}

// set fills the lists with the tags of documents, in the order of tags. A tag that no document has gets no list.
func (t *tags) set(docs int, tags func(d int) []string) {
	var filled [numTags]Strings
	for d := range docs {
		for i, tag := range tags(d) {
			filled[i].add(tag)
		}
	}
	for i, list := range t.lists() {
		if len(filled[i].bytes) > 0 {
			*list = filled[i]
		}
	}
}

// columnInfos returns the content of the section "columns", or nil if there are no columns.
func (t *tags) columnInfos() []columnInfo {
	var infos []columnInfo
	for _, d := range t.columns {
		infos = append(infos, d.columnInfo)
	}
	return infos
}

// each returns tags whose lists and columns f has made from those of t. Lists that are empty stay so.
func (t *tags) each(f func(Strings) Strings) tags {
	var u tags
	lists := u.lists()
	for i, list := range t.lists() {
		if list.Len() > 0 {
			*lists[i] = f(*list)
		}
	}
	for _, d := range t.columns {
		if d.list.Len() > 0 {
			d.list = f(d.list)
		}
		u.columns = append(u.columns, d)
	}
	return u
}
