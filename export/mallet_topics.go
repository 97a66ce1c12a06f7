package export

import (
	"cmp"
	"io"
	"slices"

	"github.com/topoi-lda/topoi"
)

// malletTopicKeys writes `topic TAB α TAB word word … ` for every topic.
func malletTopicKeys(j *job, w io.Writer) error {
	return j.topWordText(w, j.words(20), func(l *line, t topicWords) {
		l.int(t.topic)
		l.byte('\t')
		l.float(j.model.Alpha()[t.topic])
		l.byte('\t')
		for _, word := range t.words {
			l.field([]byte(word.Term))
			l.byte(' ')
		}
		l.byte('\n')
	})
}

// malletTopicWordWeights writes `topic TAB word TAB n_wk + β` for all K × V
// pairs, topic by topic.
func malletTopicWordWeights(j *job, w io.Writer) error {
	m := j.model
	return j.columnText(w, func(l *line, c topicColumn) {
		c.each(m.NumWords(), func(word int, n uint32) {
			l.int(c.topic)
			l.byte('\t')
			l.field(m.Words().Bytes(word))
			l.byte('\t')
			l.float(float64(n) + m.Beta())
			l.byte('\n')
		})
	})
}

// malletWordTopicCounts writes `index word topic:count …` for every word, by
// falling count.
func malletWordTopicCounts(j *job, w io.Writer) error {
	m := j.model
	return j.wordText(w, func(l *line, word int) {
		row := slices.Clone(m.Row(word))
		slices.SortStableFunc(row, func(a, b topoi.TopicCount) int { return cmp.Compare(b.Count, a.Count) })
		l.int(word)
		l.byte(' ')
		l.field(m.Words().Bytes(word))
		for _, e := range row {
			l.byte(' ')
			l.uint(e.Topic)
			l.byte(':')
			l.uint(e.Count)
		}
		l.byte('\n')
	})
}

// malletTopicReport writes MALLET's XML report: the topics with α and number of
// tokens, in each of them its top words with their counts.
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
		l.int(int(j.model.TopicTotals()[t.topic]))
		l.str("'>\n")
		for rank, word := range t.words {
			l.str("    <word rank='")
			l.int(rank + 1)
			l.str("' count='")
			l.uint(word.Count)
			l.str(".0'>") // as MALLET writes its counts
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

// xml writes text so that it can stand in an XML element. What XML cannot hold becomes
// U+FFFD.
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
