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
