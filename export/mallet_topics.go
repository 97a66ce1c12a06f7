package export

import (
	"cmp"
	"io"
	"slices"

	"github.com/topoi-lda/topoi"
)

// malletTopicKeys writes `topic TAB α TAB word word … ` for every topic.
func malletTopicKeys(j *job, w io.Writer) error {
	var l line
	for k, words := range j.model.EachTopWords(nil, j.words(20)) {
		if err := j.step(k, j.model.NumTopics()); err != nil {
			return err
		}
		l = l[:0]
		l.int(k)
		l.byte('\t')
		l.float(j.model.Alpha()[k])
		l.byte('\t')
		for _, word := range words {
			l.field([]byte(word.Term))
			l.byte(' ')
		}
		l.byte('\n')
		if _, err := w.Write(l); err != nil {
			return err
		}
	}
	return nil
}

// malletTopicWordWeights writes `topic TAB word TAB n_wk + β` for all K × V
// pairs, topic by topic.
func malletTopicWordWeights(j *job, w io.Writer) error {
	m := j.model
	var l line
	return j.eachTopic(func(k int, counts []uint32) error {
		for word, n := range counts {
			l = l[:0]
			l.int(k)
			l.byte('\t')
			l.field(m.Words().Bytes(word))
			l.byte('\t')
			l.float(float64(n) + m.Beta())
			l.byte('\n')
			if _, err := w.Write(l); err != nil {
				return err
			}
		}
		return nil
	})
}

// malletWordTopicCounts writes `index word topic:count …` for every word, by
// falling count.
func malletWordTopicCounts(j *job, w io.Writer) error {
	m := j.model
	var l line
	var row []topoi.TopicCount
	for word := range m.NumWords() {
		if err := j.step(word, m.NumWords()); err != nil {
			return err
		}
		row = m.AppendRow(row[:0], word)
		slices.SortStableFunc(row, func(a, b topoi.TopicCount) int { return cmp.Compare(b.Count, a.Count) })
		l = l[:0]
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
		if _, err := w.Write(l); err != nil {
			return err
		}
	}
	return nil
}

// eachTopic calls f with n_wk of all words for one topic after the other.
func (j *job) eachTopic(f func(k int, counts []uint32) error) error {
	m := j.model
	counts := make([]uint32, m.NumWords())
	for k, column := range m.Columns(nil) {
		if err := j.ctx.Err(); err != nil { // a topic may take long: look every time
			return err
		}
		if err := j.step(k, m.NumTopics()); err != nil {
			return err
		}
		for _, e := range column {
			counts[e.Word] = e.Count
		}
		if err := f(k, counts); err != nil {
			return err
		}
		for _, e := range column {
			counts[e.Word] = 0
		}
	}
	return j.step(m.NumTopics(), m.NumTopics())
}
