package export

import (
	"cmp"
	"io"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/rank"
	"github.com/topoi-lda/topoi/topic"
)

// malletState writes the topic of every token:
//
//	#doc source pos typeindex type topic
//	#alpha : α_0 α_1 …
//	#beta : β
//	0 NA 0 17 word 3
//
// The source is the document's id, or NA if the input has none. Tokens are in the corpus's order, sorted by
// word inside a document.
func malletState(j *job, w io.Writer) error {
	m := j.model
	var l line
	l.str("#doc source pos typeindex type topic\n#alpha : ")
	for _, a := range m.Alpha() {
		l.float(a, ' ')
	}
	l.str("\n#beta : ")
	l.float(m.Beta(), '\n')
	if _, err := w.Write(l); err != nil {
		return err
	}
	named := j.docs.HasIDs()
	return j.docText(w, 4, func(l *line, v *docView) {
		begin := len(*l)
		l.int(v.doc, ' ')
		if named {
			l.field([]byte(v.id))
		} else {
			l.str("NA")
		}
		head := string((*l)[begin:])
		*l = (*l)[:begin]
		for i, word := range v.words {
			l.str(head)
			l.byte(' ')
			l.int(i, ' ')
			l.uint(word, ' ')
			l.field(m.Words().Bytes(int(word)), ' ')
			l.uint(v.z[i], '\n')
		}
	})
}

// malletDocTopics writes `doc TAB name TAB θ_0 TAB θ_1 …`, as MALLET does since 2.0.8.
func malletDocTopics(j *job, w io.Writer) error {
	return j.docText(w, j.model.NumTopics(), func(l *line, v *docView) {
		l.docHead(v)
		for k := range v.counts {
			l.byte('\t')
			l.float(v.theta(k))
		}
		l.byte('\n')
	})
}

// malletInferred writes the same as malletDocTopics with a header, as MALLET's infer-topics does.
func malletInferred(j *job, w io.Writer) error {
	if _, err := io.WriteString(w, malletDocHeader); err != nil {
		return err
	}
	return malletDocTopics(j, w)
}

const malletDocHeader = "#doc name topic proportion ...\n"

// malletDocTopicsThreshold writes a header and `doc TAB name TAB topic TAB θ TAB …` by falling θ.
func malletDocTopicsThreshold(j *job, w io.Writer) error {
	if _, err := io.WriteString(w, malletDocHeader); err != nil {
		return err
	}
	return j.docText(w, j.topicsListed(), func(l *line, v *docView) {
		l.docHead(v)
		l.byte('\t')
		for _, s := range j.shares(v, 0) {
			l.int(s.topic, '\t')
			l.float(s.theta, '\t')
		}
		l.byte('\n')
	})
}

// docHead begins a line with the number and the name of a document.
func (l *line) docHead(v *docView) {
	l.int(v.doc, '\t')
	l.field([]byte(v.id))
}

// malletTopicDocs writes a header and `topic doc name θ` for the documents with the largest θ of each
// topic, among those that have tokens of it.
func malletTopicDocs(j *job, w io.Writer) error {
	if _, err := io.WriteString(w, "#topic doc name proportion ...\n"); err != nil {
		return err
	}
	var l line
	return j.eachTopicDocs(cmp.Or(j.options.Top, 100), topicDocsMost, func(k int, best []rank.Doc) error {
		for _, s := range best {
			l = l[:0]
			l.int(k, ' ')
			l.int(j.docs.Number(s.Doc), ' ')
			l.field([]byte(j.docs.ID(s.Doc)), ' ')
			l.float(s.Theta, '\n')
			if _, err := w.Write(l); err != nil {
				return err
			}
		}
		return nil
	})
}

// topicDocsMost is the largest number of documents that eachTopicDocs holds at a time: 384 MB.
const topicDocsMost = 1 << 24

// eachTopicDocs calls f for every topic, in order, with at most limit documents of largest θ. One pass over
// all documents serves several topics, so that at most most documents are held.
func (j *job) eachTopicDocs(limit, most int, f func(k int, best []rank.Doc) error) error {
	totals := j.model.TopicTotals()
	for k := 0; k < len(totals); {
		var topics []int
		for held := 0; k < len(totals); k++ {
			held += min(int(totals[k]), 2*limit)
			if held > most && len(topics) > 0 {
				break
			}
			topics = append(topics, k)
		}
		lists, err := rank.TopDocs(j.ctx, &passing{Model: j.model, j: j}, topics, limit)
		if err != nil {
			return err
		}
		for i, best := range lists {
			if err := f(topics[i], best); err != nil {
				return err
			}
		}
	}
	return nil
}

// passing is a model that counts how many of its documents have been read.
type passing struct {
	*topoi.Model
	j    *job
	read int
}

// AppendTopics is called once for every document.
func (p *passing) AppendTopics(dst []uint32, lo, hi int) []uint32 {
	p.read++
	_ = p.j.step(p.read, p.j.docs.NumDocs()) // the caller checks the context
	return p.Model.AppendTopics(dst, lo, hi)
}

// malletTopicKeys writes `topic TAB α TAB word word … ` for every topic.
func malletTopicKeys(j *job, w io.Writer) error {
	return j.topWordText(w, j.words(20), func(l *line, t topicWords) {
		l.int(t.topic, '\t')
		l.float(j.model.Alpha()[t.topic], '\t')
		for _, word := range t.words {
			l.field([]byte(word.Term), ' ')
		}
		l.byte('\n')
	})
}

// malletTopicWordWeights writes `topic TAB word TAB n_wk + β` for all K × V pairs, topic by topic.
func malletTopicWordWeights(j *job, w io.Writer) error {
	m := j.model
	return j.columnText(w, func(l *line, c topicColumn) {
		c.each(m.NumWords(), func(word int, n uint32) {
			l.int(c.topic, '\t')
			l.field(m.Words().Bytes(word), '\t')
			l.float(j.weight(n), '\n')
		})
	})
}

// weight returns n_wk + β, the mean over all draws.
func (j *modelJob) weight(n uint32) float64 {
	return (float64(n) + j.model.Beta()) / float64(max(1, j.model.Manifest().Draws))
}

// malletWordTopicCounts writes `index word topic:count …` for every word, by falling count.
func malletWordTopicCounts(j *job, w io.Writer) error {
	m := j.model
	return j.wordText(w, func(l *line, word int) {
		row := slices.Clone(m.Row(word))
		slices.SortStableFunc(row, func(a, b topic.Count) int { return cmp.Compare(b.Count, a.Count) })
		l.int(word, ' ')
		l.field(m.Words().Bytes(word))
		for _, e := range row {
			l.byte(' ')
			l.uint(e.Topic, ':')
			l.uint(e.Count)
		}
		l.byte('\n')
	})
}

// malletTopicReport writes MALLET's XML report: the topics with α and number of tokens, and in each topic
// its top words with their counts.
func malletTopicReport(j *job, w io.Writer) error {
	if _, err := io.WriteString(w, "<?xml version='1.0' ?>\n<topicModel>\n"); err != nil {
		return err
	}
	err := j.topWordText(w, j.words(20), func(l *line, t topicWords) {
		l.str("  <topic id='")
		l.int(t.topic)
		l.str("' alpha='")
		l.float(j.model.Alpha()[t.topic])
		l.str("' totalTokens='")
		l.int(int(j.model.Manifest().PerDraw(j.model.TopicTotals()[t.topic])))
		l.str("'>\n")
		for rank, word := range t.words {
			l.str("    <word rank='")
			l.int(rank + 1)
			l.str("' count='")
			l.uint(word.Count)
			l.str(".0'>") // MALLET writes its counts in this form
			l.xml(word.Term)
			l.str("</word>\n")
		}
		l.str("  </topic>\n")
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, "</topicModel>\n")
	return err
}

// xml writes text in escaped form for an XML element. Characters that XML cannot hold become U+FFFD.
func (l *line) xml(s string) {
	for _, r := range s {
		switch {
		case r == '&':
			l.str("&amp;")
		case r == '<':
			l.str("&lt;")
		case r == '>':
			l.str("&gt;")
		case steers(byte(r), r) || r == 0xFFFE || r == 0xFFFF:
			l.str("\uFFFD")
		default:
			*l = append(*l, string(r)...)
		}
	}
}
