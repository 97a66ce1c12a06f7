package export

import (
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// csvText writes RFC 4180 tables, cell by cell.
type csvText struct {
	*line
	excel bool
}

// csv returns a writer of cells at the end of l.
func (j *job) csv(l *line) csvText { return csvText{l, j.options.Excel} }

// csvHeader writes the names of the columns, and before them the mark by which Excel
// knows UTF-8.
func (j *job) csvHeader(w io.Writer, names string) error {
	if j.options.Excel {
		names = "\ufeff" + names
	}
	_, err := io.WriteString(w, names+"\n")
	return err
}

// str writes a cell of text. For Excel, one that begins like a formula gets an
// apostrophe, so that whoever wrote the document cannot make the table run code.
func (c csvText) str(s string) {
	if first, _ := utf8.DecodeRuneInString(s); c.excel && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) && s != "" {
		s = "'" + s
	}
	if !needsQuotes(s) {
		c.line.str(s)
	} else {
		c.line.byte('"')
		c.line.str(strings.ReplaceAll(s, `"`, `""`))
		c.line.byte('"')
	}
	c.line.byte(',')
}

// needsQuotes says whether readers of CSV could misunderstand a bare cell.
func needsQuotes(s string) bool {
	if s == "" {
		return false
	}
	if first, _ := utf8.DecodeRuneInString(s); unicode.IsSpace(first) || s == `\.` { // the latter ends a table in PostgreSQL
		return true
	}
	return strings.ContainsAny(s, ",\"\r\n")
}

func (c csvText) int(i int)     { c.line.int(i); c.line.byte(',') }
func (c csvText) f64(x float64) { c.line.float(x); c.line.byte(',') }

// f32 writes the shortest number that reads back as x in single precision.
func (c csvText) f32(x float32) {
	*c.line = strconv.AppendFloat(*c.line, float64(x), 'g', -1, 32)
	c.line.byte(',')
}

// maybe writes an empty cell where there is no text.
func (c csvText) maybe(s *string) {
	if s == nil {
		c.line.byte(',')
	} else {
		c.str(*s)
	}
}

// measure writes an empty cell where the measure is not defined.
func (c csvText) measure(x *float64) {
	if x == nil {
		c.line.byte(',')
	} else {
		c.f64(*x)
	}
}

// end ends the row: the last comma becomes the end of the line.
func (c csvText) end() { (*c.line)[len(*c.line)-1] = '\n' }

func csvTopics(j *job, w io.Writer) error {
	if err := j.csvHeader(w, "topic,topic_label,alpha,tokens,docs_dominant,prevalence,npmi,umass,exclusivity,entropy,top_terms"); err != nil {
		return err
	}
	var l line
	return j.eachTopicRow(func(r *topicRow) error {
		l = l[:0]
		c := j.csv(&l)
		c.int(int(r.Topic))
		c.maybe(r.TopicLabel)
		c.f64(r.Alpha)
		c.int(int(r.Tokens))
		c.int(int(r.DocsDominant))
		c.f64(r.Prevalence)
		c.measure(r.NPMI)
		c.measure(r.UMass)
		c.measure(r.Exclusivity)
		c.f64(r.Entropy)
		terms := make([]string, len(r.TopTerms))
		for i, t := range r.TopTerms {
			terms[i] = t.Term
		}
		c.str(strings.Join(terms, " "))
		c.end()
		_, err := w.Write(l)
		return err
	})
}

func csvTopicWords(j *job, w io.Writer) error {
	if err := j.csvHeader(w, "topic,topic_label,rank,term_id,term,count,phi,lift,relevance_06"); err != nil {
		return err
	}
	totals := wordTotals(j.model)
	return j.topWordText(w, j.words(1000), func(l *line, t topicWords) {
		c := j.csv(l)
		for rank := range t.words {
			r := j.topicWordRow(t, rank, totals)
			c.int(int(r.Topic))
			c.maybe(r.TopicLabel)
			c.int(int(r.Rank))
			c.int(int(r.TermID))
			c.str(r.Term)
			c.int(int(r.Count))
			c.f32(r.Phi)
			c.f32(r.Lift)
			c.f32(r.Relevance)
			c.end()
		}
	})
}

// docTopicsHeader names the columns of the table of documents and topics.
const docTopicsHeader = "doc,id,label,time,rank,topic,theta,tokens,doc_tokens,topic_label"

// csvDocTopics writes a row for every document and topic, by falling θ.
func csvDocTopics(j *job, w io.Writer) error {
	if err := j.csvHeader(w, docTopicsHeader); err != nil {
		return err
	}
	return j.docText(w, j.topicsListed(), j.csvDocRows)
}

// csvDocRows appends the rows of one document.
func (j *job) csvDocRows(l *line, v *docView) {
	c := j.csv(l)
	begin := len(*l)
	c.docHead(v)
	end := len(*l)
	for rank, s := range j.shares(v, 1) {
		if rank > 0 {
			*l = append(*l, (*l)[begin:end]...)
		}
		c.int(rank)
		c.int(s.topic)
		c.f32(float32(s.theta))
		c.f32(float32(v.counts[s.topic]))
		c.int(v.tokens)
		c.str(j.labels.Name(s.topic))
		c.end()
	}
}

// docHead writes the cells doc, id, label and time.
func (c csvText) docHead(v *docView) {
	c.int(v.doc)
	c.str(v.id)
	c.maybe(v.label)
	c.maybe(v.time)
}
