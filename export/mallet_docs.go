package export

import (
	"cmp"
	"io"
	"slices"
)

// malletState writes the topic of every token:
//
//	#doc source pos typeindex type topic
//	#alpha : α_0 α_1 …
//	#beta : β
//	0 NA 0 17 word 3
//
// The source is the document's id, or NA where the input gave none. Tokens come
// in the corpus's order, sorted by word inside a document.
func malletState(j *job, w io.Writer) error {
	m := j.model
	var l line
	l.str("#doc source pos typeindex type topic\n#alpha : ")
	for _, a := range m.Alpha() {
		l.float(a)
		l.byte(' ')
	}
	l.str("\n#beta : ")
	l.float(m.Beta())
	l.byte('\n')
	if _, err := w.Write(l); err != nil {
		return err
	}
	named := j.docs.HasIDs()
	return j.docText(w, 4, func(l *line, v *docView) {
		begin := len(*l)
		l.int(v.doc)
		l.byte(' ')
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
			l.int(i)
			l.byte(' ')
			l.uint(word)
			l.byte(' ')
			l.field(m.Words().Bytes(int(word)))
			l.byte(' ')
			l.uint(v.z[i])
			l.byte('\n')
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

// malletInferred writes the same with a header, as MALLET's infer-topics does.
func malletInferred(j *job, w io.Writer) error {
	if _, err := io.WriteString(w, malletDocHeader); err != nil {
		return err
	}
	return malletDocTopics(j, w)
}

const malletDocHeader = "#doc name topic proportion ...\n"

// malletDocTopicsThreshold writes a header and `doc TAB name TAB topic TAB θ TAB …`
// by falling θ.
func malletDocTopicsThreshold(j *job, w io.Writer) error {
	if _, err := io.WriteString(w, malletDocHeader); err != nil {
		return err
	}
	return j.docText(w, j.topicsListed(), func(l *line, v *docView) {
		l.docHead(v)
		l.byte('\t')
		for _, s := range j.shares(v, 0) {
			l.int(s.topic)
			l.byte('\t')
			l.float(s.theta)
			l.byte('\t')
		}
		l.byte('\n')
	})
}

// docHead begins a line with number and name of a document.
func (l *line) docHead(v *docView) {
	l.int(v.doc)
	l.byte('\t')
	l.field([]byte(v.id))
}

// malletTopicDocs writes a header and `topic doc name θ` for the documents with
// the largest θ of each topic among those that have any of its tokens.
func malletTopicDocs(j *job, w io.Writer) error {
	if _, err := io.WriteString(w, "#topic doc name proportion ...\n"); err != nil {
		return err
	}
	limit := j.options.Top
	limit = cmp.Or(limit, 100)
	var l line
	return j.eachTopicDocs(limit, topicDocsMost, func(k int, best []docShare) error {
		for _, s := range best {
			l = l[:0]
			l.int(k)
			l.byte(' ')
			l.int(j.docs.Number(s.doc))
			l.byte(' ')
			l.field([]byte(j.docs.ID(s.doc)))
			l.byte(' ')
			l.float(s.theta)
			l.byte('\n')
			if _, err := w.Write(l); err != nil {
				return err
			}
		}
		return nil
	})
}

// topicDocsMost bounds the documents that eachTopicDocs holds at a time: 256 MB.
const topicDocsMost = 1 << 24

// eachTopicDocs calls f with the documents of largest θ of every topic, at most
// limit, in topic order. A pass over all documents serves as many topics as have at
// most so many documents to be held.
func (j *job) eachTopicDocs(limit, most int, f func(k int, best []docShare) error) error {
	held := make([]uint32, j.model.NumTopics()) // documents to be held for each topic
	err := j.eachDoc(func(v *docView) error {
		for _, k := range v.topics {
			held[k] = uint32(min(int(held[k])+1, 2*limit))
		}
		return nil
	})
	if err != nil {
		return err
	}
	for first := 0; first < len(held); {
		last, sum := first, 0
		for last < len(held) && (last == first || sum+int(held[last]) <= most) {
			sum += int(held[last])
			last++
		}
		best, d := make([]topDocs, last-first), -1
		err := j.eachDoc(func(v *docView) error {
			d++
			for _, k := range v.topics {
				if i := int(k) - first; i >= 0 && i < len(best) {
					best[i].offer(docShare{d, v.theta(int(k))}, limit)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		for i := range best {
			if err := f(first+i, best[i].sorted(limit)); err != nil {
				return err
			}
		}
		first = last
	}
	return nil
}

// docShare is a document with its share of a topic.
type docShare struct {
	doc   int // among the training documents
	theta float64
}

// topDocs keeps the documents with the largest θ: it gathers up to twice as
// many as are wanted, then throws the lesser half away, which costs O(log n) a
// document on average like a heap and less code.
type topDocs []docShare

func (t *topDocs) offer(s docShare, limit int) {
	*t = append(*t, s)
	if len(*t) >= 2*limit {
		*t = t.sorted(limit)
	}
}

// sorted returns the best, equal ones by document number.
func (t *topDocs) sorted(limit int) []docShare {
	slices.SortFunc(*t, func(a, b docShare) int {
		if c := cmp.Compare(b.theta, a.theta); c != 0 {
			return c
		}
		return cmp.Compare(a.doc, b.doc)
	})
	return (*t)[:min(limit, len(*t))]
}
