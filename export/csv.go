package export

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// csvText writes tables as in RFC 4180, cell by cell.
type csvText struct {
	*line
	excel bool
	comma bool // decimal commas, and semicolons between cells
}

// csv returns a writer that appends cells to l.
func (j *modelJob) csv(l *line) csvText {
	return csvText{l, j.options.Excel, j.options.Decimal == "comma"}
}

// csvHeader writes the names of the columns. For Excel it writes the byte order mark before them, by which
// Excel recognises UTF-8.
func (j *modelJob) csvHeader(w io.Writer, columns string, more ...string) error {
	var l line
	if j.options.Excel {
		l.str("\ufeff")
	}
	c := j.csv(&l)
	for _, name := range append(strings.Split(columns, ","), more...) {
		c.str(name)
	}
	c.end()
	_, err := w.Write(l)
	return err
}

// next ends a cell.
func (c csvText) next() {
	if c.comma {
		c.line.byte(';')
	} else {
		c.line.byte(',')
	}
}

// number writes a number as it is in the input.
func (c csvText) number(s string) {
	begin := len(*c.line)
	c.line.str(strings.Replace(s, ",", ".", 1))
	c.mark(begin)
}

// mark ends a cell whose number begins at begin.
func (c csvText) mark(begin int) {
	if c.comma {
		if i := bytes.IndexByte((*c.line)[begin:], '.'); i >= 0 {
			(*c.line)[begin+i] = ','
		}
	}
	c.next()
}

// str writes a cell of text. For Excel, text that begins like a formula gets an apostrophe, so that the
// author of a document cannot make the table run code.
func (c csvText) str(s string) {
	if first, _ := utf8.DecodeRuneInString(s); c.excel && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) && s != "" {
		s = "'" + s
	}
	if !needsQuotes(s) && !(c.comma && strings.Contains(s, ";")) {
		c.line.str(s)
	} else {
		c.line.byte('"')
		c.line.str(strings.ReplaceAll(s, `"`, `""`))
		c.line.byte('"')
	}
	c.next()
}

// needsQuotes reports whether readers of CSV could misunderstand a cell without quotes.
func needsQuotes(s string) bool {
	if s == "" {
		return false
	}
	// the latter ends a table in PostgreSQL
	if first, _ := utf8.DecodeRuneInString(s); unicode.IsSpace(first) || s == `\.` {
		return true
	}
	return strings.ContainsAny(s, ",\"\r\n")
}

func (c csvText) empty()        { c.next() }
func (c csvText) int(i int)     { c.line.int(i); c.next() }
func (c csvText) f64(x float64) { begin := len(*c.line); c.line.float(x); c.mark(begin) }

// f32 writes the shortest number that is read back as x in single precision.
func (c csvText) f32(x float32) {
	if x >= 0 && x < 1e6 && x == float32(int(x)) { // as most counts are
		c.int(int(x))
		return
	}
	begin := len(*c.line)
	*c.line = strconv.AppendFloat(*c.line, float64(x), 'g', -1, 32)
	c.mark(begin)
}

// end ends the row by replacing the last separator with a newline.
func (c csvText) end() { (*c.line)[len(*c.line)-1] = '\n' }

// maybe writes a cell with write, or an empty one for nil.
func maybe[T any](c cells, x *T, write func(T)) {
	if x == nil {
		c.empty()
	} else {
		write(*x)
	}
}

// topicColumns names the columns of the table of topics.
const topicColumns = "topic,topic_label,alpha,tokens,docs_dominant,prevalence,npmi,umass,exclusivity,entropy,top_terms"

// write writes the cells of a topic. It calls share for shares.
func (r *topicRow) write(c cells, share func(float64)) {
	c.int(int(r.Topic))
	maybe(c, r.TopicLabel, c.str)
	c.f64(r.Alpha)
	c.int(int(r.Tokens))
	c.int(int(r.DocsDominant))
	share(r.Prevalence)
	maybe(c, r.NPMI, c.f64)
	maybe(c, r.UMass, c.f64)
	maybe(c, r.Exclusivity, c.f64)
	c.f64(r.Entropy)
	terms := make([]string, len(r.TopTerms))
	for i, t := range r.TopTerms {
		terms[i] = t.Term
	}
	c.str(strings.Join(terms, " "))
}

func csvTopics(j *job, w io.Writer) error {
	if err := j.csvHeader(w, topicColumns); err != nil {
		return err
	}
	var l line
	return j.eachTopicRow(func(r *topicRow) error {
		l = l[:0]
		c := j.csv(&l)
		r.write(c, c.f64)
		c.end()
		_, err := w.Write(l)
		return err
	})
}

// topicWordColumns names the columns of the table of topics and words.
const topicWordColumns = "topic,topic_label,rank,term_id,term,count,phi,lift,relevance_06"

// write writes the cells of a word of a topic. It calls share for φ and factor for the others.
func (r *topicWordRow) write(c cells, share, factor func(float32)) {
	c.int(int(r.Topic))
	maybe(c, r.TopicLabel, c.str)
	c.int(int(r.Rank))
	c.int(int(r.TermID))
	c.str(r.Term)
	c.int(int(r.Count))
	share(r.Phi)
	factor(r.Lift)
	factor(r.Relevance)
}

func csvTopicWords(j *job, w io.Writer) error {
	if err := j.csvHeader(w, topicWordColumns); err != nil {
		return err
	}
	totals := wordTotals(j.model)
	return j.topWordText(w, j.words(1000), func(l *line, t topicWords) {
		c := j.csv(l)
		for rank := range t.words {
			r := j.topicWordRow(t, rank, totals)
			r.write(c, c.f32, c.f32)
			c.end()
		}
	})
}

// csvDocTopics writes a row for every document and topic, by falling θ.
func csvDocTopics(j *job, w io.Writer) error {
	if err := j.csvHeader(w, docTopicsHeader, j.withNames()...); err != nil {
		return err
	}
	return j.docText(w, j.topicsListed(), j.csvDocRows)
}

// csvDocRows appends the rows of one document.
func (j *modelJob) csvDocRows(l *line, v *docView) {
	c := j.csv(l)
	to, begin := cells(c), len(*l) // an interface for all rows, because each one is allocated
	v.writeHead(to)
	end, rest, stop, known := len(*l), 0, 0, "" // known is the topic name in the cells from rest to stop
	for rank, s := range j.shares(v, 1) {
		if rank > 0 {
			*l = append(*l, (*l)[begin:end]...)
		}
		c.int(rank)
		c.int(s.topic)
		c.f32(float32(s.theta))
		c.f32(float32(v.counts[s.topic]))
		if name := j.labels.Name(s.topic); rank == 0 || name != known {
			rest, known = len(*l), name
			c.int(v.tokens)
			c.str(name)
			v.writeColumns(to)
			c.end()
			stop = len(*l)
		} else { // most rows end as the row before
			*l = append(*l, (*l)[rest:stop]...)
		}
	}
}

// writeHead writes the cells doc, id, label and time.
func (v *docView) writeHead(c cells) {
	c.int(v.doc)
	c.str(v.id)
	maybe(c, v.label, c.str)
	maybe(c, v.time, c.str)
}
