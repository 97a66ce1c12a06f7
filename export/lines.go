package export

import (
	"cmp"
	"strconv"

	"github.com/topoi-lda/topoi"
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
