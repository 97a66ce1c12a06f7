package export

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// csvWriter writes RFC 4180 tables with a header.
type csvWriter struct {
	out    *csv.Writer
	record []string
}

func newCSV(w io.Writer, header string) (*csvWriter, error) {
	c := &csvWriter{out: csv.NewWriter(w)}
	return c, c.out.Write(strings.Split(header, ","))
}

func (c *csvWriter) str(s string)    { c.record = append(c.record, s) }
func (c *csvWriter) int(i int64)     { c.str(strconv.FormatInt(i, 10)) }
func (c *csvWriter) f64(x float64)   { c.str(strconv.FormatFloat(x, 'g', -1, 64)) }
func (c *csvWriter) f32(x float32)   { c.str(strconv.FormatFloat(float64(x), 'g', -1, 32)) }
func (c *csvWriter) maybe(s *string) { c.str(orEmpty(s)) }

// measure writes an empty field where the measure is not defined.
func (c *csvWriter) measure(x *float64) {
	if x == nil {
		c.str("")
	} else {
		c.f64(*x)
	}
}

func (c *csvWriter) end() error {
	err := c.out.Write(c.record)
	c.record = c.record[:0]
	return err
}

func (c *csvWriter) flush() error {
	c.out.Flush()
	return c.out.Error()
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func csvTopics(j *job, w io.Writer) error {
	c, err := newCSV(w, "topic,alpha,tokens,docs_dominant,prevalence,npmi,umass,exclusivity,entropy,top_terms")
	if err != nil {
		return err
	}
	err = j.eachTopicRow(func(r *topicRow) error {
		c.int(int64(r.Topic))
		c.f64(r.Alpha)
		c.int(r.Tokens)
		c.int(r.DocsDominant)
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
		return c.end()
	})
	if err != nil {
		return err
	}
	return c.flush()
}

func csvTopicWords(j *job, w io.Writer) error {
	c, err := newCSV(w, "topic,rank,term_id,term,count,phi,lift,relevance_06")
	if err != nil {
		return err
	}
	err = j.eachTopicWordRow(func(r *topicWordRow) error {
		c.int(int64(r.Topic))
		c.int(int64(r.Rank))
		c.int(int64(r.TermID))
		c.str(r.Term)
		c.int(r.Count)
		c.f32(r.Phi)
		c.f32(r.Lift)
		c.f32(r.Relevance)
		return c.end()
	})
	if err != nil {
		return err
	}
	return c.flush()
}

func csvDocTopics(j *job, w io.Writer) error {
	c, err := newCSV(w, "doc_index,doc_id,label,time,rank,topic,theta,tokens")
	if err != nil {
		return err
	}
	err = j.eachDocTopicRow(func(r *docTopicRow) error {
		c.int(r.DocIndex)
		c.str(r.DocID)
		c.maybe(r.Label)
		c.maybe(r.Time)
		c.int(int64(r.Rank))
		c.int(int64(r.Topic))
		c.f32(r.Theta)
		c.int(int64(r.Tokens))
		return c.end()
	})
	if err != nil {
		return err
	}
	return c.flush()
}
