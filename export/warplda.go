package export

import "io"

// warpModel writes `V K α β`, then `n topic:count …` for every word, where n is
// the number of pairs. The format has one α only: the mean.
func warpModel(j *job, w io.Writer) error {
	m := j.model
	sum := 0.0
	for _, a := range m.Alpha() {
		sum += a
	}
	var l line
	l.int(m.NumWords())
	l.byte(' ')
	l.int(m.NumTopics())
	l.byte(' ')
	l.float(sum / float64(m.NumTopics()))
	l.byte(' ')
	l.float(m.Beta())
	l.byte('\n')
	if _, err := w.Write(l); err != nil {
		return err
	}
	return j.wordText(w, func(l *line, word int) {
		l.int(len(m.Row(word)))
		for _, e := range m.Row(word) {
			l.byte(' ')
			l.uint(e.Topic)
			l.byte(':')
			l.uint(e.Count)
		}
		l.byte('\n')
	})
}
