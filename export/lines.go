package export

import (
	"cmp"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/human"
)

// Lines makes the lines of jsonl that [Infer] and [Stream] write, from topics that were
// inferred elsewhere: for servers. It belongs to one goroutine and takes 8 bytes a topic.
type Lines struct {
	j    *job
	view *docView
}

// Head is what a line says of a document beside its topics.
type Head struct {
	Doc             int    // its number
	ID, Label, Time string // as the input gave them; an empty ID is the number
}

// NewLines returns the lines of a model's documents. It reads the model's labels.
func NewLines(m *topoi.Model) (*Lines, error) {
	j := &job{model: m}
	var err error
	if j.labels, err = m.Labels(); err != nil {
		return nil, err
	}
	return &Lines{j: j, view: j.newView()}, nil
}

// Clone returns lines for another goroutine. What it costs to sort a model's priors is not
// spent again.
func (l *Lines) Clone() *Lines {
	j := *l.j
	return &Lines{j: &j, view: j.newView()}
}

// Append appends the line of a document, as it is with Options.Top and Options.MinTheta
// of o; other options and d.Doc do not matter.
func (l *Lines) Append(dst []byte, head Head, d *topoi.DocTopics, o Options) []byte {
	l.j.options = o
	v := l.view
	v.doc, v.id, v.label, v.time, v.tokens = head.Doc, cmp.Or(head.ID, strconv.Itoa(head.Doc)), &head.Label, &head.Time, d.Tokens
	v.take(d)
	out := line(dst)
	l.j.jsonLine(&out, v)
	return out
}

// line builds one line of text after the other without allocating.
type line []byte

func (l *line) str(s string)  { *l = append(*l, s...) }
func (l *line) byte(c byte)   { *l = append(*l, c) }
func (l *line) int(i int)     { *l = strconv.AppendInt(*l, int64(i), 10) }
func (l *line) uint(i uint32) { *l = strconv.AppendUint(*l, uint64(i), 10) }

// float writes the shortest number that reads back as x.
func (l *line) float(x float64) { *l = strconv.AppendFloat(*l, x, 'g', -1, 64) }

// field writes a word or an id into a format that separates fields by white
// space: white space and what could steer a terminal become underscores, and
// nothing becomes one too.
func (l *line) field(s []byte) {
	if len(s) == 0 {
		l.byte('_')
	}
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		if unicode.IsSpace(r) || steers(s[0], r) {
			l.byte('_')
		} else {
			*l = append(*l, s[:n]...)
		}
		s = s[n:]
	}
}

// steers says whether a character, the first of whose bytes is c, could steer a
// terminal. Other bytes that are not UTF-8 stay, for the word they belong to may
// be looked for.
func steers(c byte, r rune) bool {
	if r == utf8.RuneError {
		return c < 0xA0
	}
	return !human.Safe(r, utf8.RuneLen(r))
}
