// Package checkup finds what spoils topics in a corpus: copies, placeholders instead of texts, a few giants.
package checkup

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
)

// Finding is something that is true of some documents, with an example and with what can be done about it.
type Finding struct {
	Name      string  `json:"finding"`
	Documents int64   `json:"documents"`
	Share     float64 `json:"share"` // of all documents
	Example   string  `json:"example,omitempty"`
	Advice    string  `json:"advice"`
}

// Group is a document with its copies.
type Group struct {
	Documents int      `json:"documents"`
	IDs       []string `json:"ids"` // of the first of them, at most 10
}

// Report is what was found in a corpus.
type Report struct {
	Documents int64     `json:"documents"`
	Words     int64     `json:"words"`
	Tokens    int64     `json:"tokens"`
	Findings  []Finding `json:"findings"`
	Copies    []Group   `json:"copies,omitempty"` // the largest groups of copies, at most 100
}

// Limits of a report.
const (
	mostGroups = 100
	mostIDs    = 10
)

// Of reports on a corpus that an import has made. The corpus must have the beginnings of its texts if it has texts.
func Of(c *corpus.Corpus, imported *corpus.Report) *Report {
	r := &Report{Documents: int64(c.NumDocs()), Words: int64(c.NumWords()), Tokens: int64(c.NumTokens())}
	copies := &imported.Copies
	advice := "kept, and never parted by a hold-out; --duplicates drop leaves them out"
	if copies.Dropped {
		advice = "left out"
	}
	r.Copies = groups(c)
	r.add(Finding{Name: "exact copies", Documents: copies.Exact, Example: copies.Example, Advice: advice})
	near := Finding{Name: "near copies", Documents: copies.Near, Advice: advice}
	if copies.Exact == 0 {
		near.Example = copies.Example
	}
	r.add(near)
	r.placeholders(c)
	r.giants(c)
	r.add(Finding{
		Name: "documents without words", Documents: imported.EmptyDocs,
		Advice: "kept without topics; --drop-empty leaves them out",
	})
	r.add(Finding{
		Name: "repeated ids", Documents: imported.RepeatedIDs,
		Advice: "kept; --id-field names another column, and --unique-ids refuses them",
	})
	return r
}

// add adds a finding that is true of some documents.
func (r *Report) add(f Finding) {
	if f.Documents > 0 {
		f.Share = float64(f.Documents) / float64(max(r.Documents, 1))
		r.Findings = append(r.Findings, f)
	}
}

// groups returns the largest groups of copies, equal ones in the order of their first documents.
func groups(c *corpus.Corpus) []Group {
	if !c.HasCopies() {
		return nil
	}
	place := make(map[int]int)
	var list []Group
	for d := range c.NumDocs() {
		first := c.CopyOf(d)
		if first == d {
			continue
		}
		i, known := place[first]
		if !known {
			i, place[first] = len(list), len(list)
			list = append(list, Group{1, []string{c.ID(first)}})
		}
		list[i].Documents++
		if len(list[i].IDs) < mostIDs {
			list[i].IDs = append(list[i].IDs, c.ID(d))
		}
	}
	slices.SortStableFunc(list, func(a, b Group) int { return cmp.Compare(b.Documents, a.Documents) })
	return list[:min(len(list), mostGroups)]
}

// blanks are texts that programs and web sites write where there is none.
var blanks = []string{
	"nan", "null", "none", "n/a", "#n/a", "na", "<na>", "nil", "undefined", "[deleted]", "[removed]", "[deleted by user]",
	"(blank)", "(empty)", "missing", "no text", "no comment", "-", "--", ".", "?",
}

// placeholders finds texts that say that there is none.
func (r *Report) placeholders(c *corpus.Corpus) {
	if !c.HasSnippets() {
		return
	}
	counts := make([]int64, len(blanks))
	all := int64(0)
	for d := range c.NumDocs() {
		text := c.Snippet(d)
		if len(text) > 20 {
			continue
		}
		if i := slices.Index(blanks, strings.ToLower(text)); i >= 0 {
			counts[i]++
			all++
		}
	}
	if all == 0 {
		return
	}
	most := slices.Index(counts, slices.Max(counts))
	r.add(Finding{
		Name: "placeholders instead of texts", Documents: all,
		Example: fmt.Sprintf("%s of %q", human.Count(counts[most]), blanks[most]),
		Advice:  "read as texts; --where leaves such rows out, such as --where 'text != \"" + blanks[most] + "\"'",
	})
}

// A few giants are one of giantDocs documents, if they have a giantTokens-th of all tokens.
const (
	giantDocs   = 1000
	giantTokens = 5
	leastDocs   = 200
)

// giants finds a few documents that have many of all words.
func (r *Report) giants(c *corpus.Corpus) {
	offsets, n := c.Offsets(), c.NumDocs()
	if n < leastDocs {
		return
	}
	docs := make([]int, n)
	for d := range docs {
		docs[d] = d
	}
	length := func(d int) uint64 { return offsets[d+1] - offsets[d] }
	slices.SortStableFunc(docs, func(a, b int) int { return cmp.Compare(length(b), length(a)) })
	few := docs[:(n+giantDocs-1)/giantDocs]
	tokens := uint64(0)
	for _, d := range few {
		tokens += length(d)
	}
	if giantTokens*tokens < uint64(c.NumTokens()) {
		return
	}
	r.add(Finding{
		Name: "giants", Documents: int64(len(few)),
		Example: fmt.Sprintf("they have %.0f %% of all words; %q has %s", 100*float64(tokens)/float64(c.NumTokens()),
			c.ID(few[0]), human.Count(length(few[0]))),
		Advice: "decide what topics are; --pieces 300 cuts long texts, and results are still shown for whole ones",
	})
}
