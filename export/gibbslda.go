package export

import (
	"fmt"
	"io"
)

// gibbsTheta writes θ: one line of K numbers per document.
func gibbsTheta(j *job, w io.Writer) error {
	return j.docText(w, j.model.NumTopics(), func(l *line, v *docView) {
		for k := range v.counts {
			l.float(v.theta(k), ' ')
		}
		l.byte('\n')
	})
}

// gibbsPhi writes φ: one line of V numbers per topic.
func gibbsPhi(j *job, w io.Writer) error {
	return j.columnText(w, func(l *line, c topicColumn) {
		c.each(j.model.NumWords(), func(_ int, n uint32) { l.float(j.phi(n, c.topic), ' ') })
		l.byte('\n')
	})
}

// phi returns φ_wk = (n_wk + β)/(n_k + Vβ). The outer conversion prevents fused multiply-add, so that all
// machines write the same digits.
func (j *modelJob) phi(count uint32, k int) float64 {
	m := j.model
	return (float64(count) + m.Beta()) / (float64(m.TopicTotals()[k]) + float64(float64(m.NumWords())*m.Beta()))
}

// gibbsAssignments writes `word:topic …`: one line per document.
func gibbsAssignments(j *job, w io.Writer) error {
	return j.docText(w, 1, func(l *line, v *docView) {
		for i, word := range v.words {
			l.uint(word, ':')
			l.uint(v.z[i], ' ')
		}
		l.byte('\n')
	})
}

// gibbsOthers writes the parameters. The format has a single α, for which it writes the mean.
func gibbsOthers(j *job, w io.Writer) error {
	m := j.model
	_, err := fmt.Fprintf(w, "alpha=%f\nbeta=%f\nntopics=%d\nndocs=%d\nnwords=%d\nliter=%d\n",
		j.priors().mean(), m.Beta(), m.NumTopics(), j.docs.NumDocs(), m.NumWords(), m.Manifest().Iterations)
	return err
}

// gibbsTopWords writes the top words of every topic with φ.
func gibbsTopWords(j *job, w io.Writer) error {
	for t := range j.model.Summary(nil, j.words(20)) {
		if err := j.step(t.Topic, j.model.NumTopics()); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "Topic %dth:\n", t.Topic); err != nil {
			return err
		}
		for _, word := range t.Words {
			var term line
			term.field([]byte(word.Term)) // as in the word map
			if _, err := fmt.Fprintf(w, "\t%s   %f\n", term, word.Phi); err != nil {
				return err
			}
		}
	}
	return nil
}

// gibbsWordMap writes V, then `word id` for every word.
func gibbsWordMap(j *job, w io.Writer) error {
	if _, err := fmt.Fprintln(w, j.model.NumWords()); err != nil {
		return err
	}
	return j.wordText(w, func(l *line, word int) {
		l.field(j.model.Words().Bytes(word), ' ')
		l.int(word, '\n')
	})
}

// warpModel writes `V K α β`, then `n topic:count …` for every word, where n is the number of pairs. The
// format has a single α, for which it writes the mean.
func warpModel(j *job, w io.Writer) error {
	m := j.model
	var l line
	l.int(m.NumWords(), ' ')
	l.int(m.NumTopics(), ' ')
	l.float(j.priors().mean(), ' ')
	l.float(m.Beta(), '\n')
	if _, err := w.Write(l); err != nil {
		return err
	}
	return j.wordText(w, func(l *line, word int) {
		l.int(len(m.Row(word)))
		for _, e := range m.Row(word) {
			l.byte(' ')
			l.uint(e.Topic, ':')
			l.uint(e.Count)
		}
		l.byte('\n')
	})
}
