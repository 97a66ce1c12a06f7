package export

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/nearest"
)

// InferFormats are the formats that [Infer] writes: the tables csv and parquet
// have one row per document and topic, jsonl has one document a line.
func InferFormats() []string { return []string{"csv", "jsonl", "parquet"} }

// InferFormat returns the format that a path's extension asks for, .gz and .zst
// aside: csv for "-".
func InferFormat(path string) (string, error) {
	if path == "-" {
		return "csv", nil
	}
	name := strings.ToLower(filepath.Base(path))
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
	format := strings.TrimPrefix(filepath.Ext(name), ".")
	for _, f := range InferFormats() {
		if f == format {
			return f, nil
		}
	}
	return "", fmt.Errorf("cannot tell the format of %s: let its name end in .csv, .jsonl or .parquet", path)
}

// Infer finds the topics of documents that the model was not trained on, and
// writes them to path as they come, whole or not at all; "-" is standard
// output. Of options Top and MinTheta apply. Memory does not grow with the
// number of documents.
func Infer(ctx context.Context, m *topoi.Model, docs *corpus.Corpus, format, path string, how topoi.InferOptions, o Options) error {
	if err := o.Validate(); err != nil {
		return err
	}
	j := &inference{job: job{ctx: ctx, model: m, docs: docs, options: o}, how: how}
	switch format {
	case "csv":
		return writeFile(path, true, j.csv)
	case "jsonl":
		return writeFile(path, true, j.jsonl)
	case "parquet":
		return writeFile(path, false, func(w io.Writer) error { return writeParquet(&j.job, w, j.eachRow) })
	}
	return fmt.Errorf("unknown format %q of inferred topics%s", format, nearest.Hint(format, InferFormats()))
}

// inference is one call of Infer.
type inference struct {
	job
	how topoi.InferOptions
}

// allowed returns the topics of a document that the options let through; they
// come by falling share.
func (j *inference) allowed(d *topoi.DocTopics) []topoi.TopicShare {
	list := d.Topics
	for n := len(list); n > 0 && list[n-1].Share < j.options.MinTheta; n-- {
		list = list[:n-1]
	}
	if j.options.Top > 0 {
		list = list[:min(len(list), j.options.Top)]
	}
	return list
}

// inferredRow is the share of a topic in a new document.
type inferredRow struct {
	DocIndex int64   `parquet:"doc_index"`
	DocID    string  `parquet:"doc_id,dict"`
	Rank     int16   `parquet:"rank"` // from 0, by falling θ
	Topic    int32   `parquet:"topic"`
	Theta    float32 `parquet:"theta"`
	Words    int32   `parquet:"words"`               // N_d, those of the model's vocabulary
	Label    *string `parquet:"label,optional,dict"` // as the input gave it
	Time     *string `parquet:"time,optional,dict"`
}

// eachRow yields a row for each document and topic.
func (j *inference) eachRow(yield func(*inferredRow) error) error {
	return j.model.Infer(j.ctx, j.docs, j.how, func(d *topoi.DocTopics) error {
		row := inferredRow{DocIndex: int64(d.Doc), DocID: j.docs.ID(d.Doc), Words: int32(d.Tokens)}
		row.Label, row.Time = j.labelAndTime(d.Doc)
		for rank, t := range j.allowed(d) {
			row.Rank, row.Topic, row.Theta = int16(min(rank, math.MaxInt16)), int32(t.Topic), float32(t.Share)
			if err := yield(&row); err != nil {
				return err
			}
		}
		return nil
	})
}

func (j *inference) csv(w io.Writer) error {
	c, err := newCSV(w, "doc_index,doc_id,label,time,rank,topic,theta,words")
	if err != nil {
		return err
	}
	err = j.eachRow(func(r *inferredRow) error {
		c.int(r.DocIndex)
		c.str(r.DocID)
		c.maybe(r.Label)
		c.maybe(r.Time)
		c.int(int64(r.Rank))
		c.int(int64(r.Topic))
		c.f32(r.Theta)
		c.int(int64(r.Words))
		return c.end()
	})
	if err != nil {
		return err
	}
	return c.flush()
}

// inferredDoc is a line of jsonl.
type inferredDoc struct {
	Doc    int             `json:"doc"`
	ID     string          `json:"id"`
	Label  *string         `json:"label,omitempty"`
	Time   *string         `json:"time,omitempty"`
	Words  int             `json:"words"`
	Topics []inferredShare `json:"topics"`
}

type inferredShare struct {
	Topic int     `json:"topic"`
	Share float32 `json:"share"`
}

func (j *inference) jsonl(w io.Writer) error {
	buffer := bufio.NewWriter(w)
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	err := j.model.Infer(j.ctx, j.docs, j.how, func(d *topoi.DocTopics) error {
		line := inferredDoc{Doc: d.Doc, ID: j.docs.ID(d.Doc), Words: d.Tokens, Topics: []inferredShare{}}
		line.Label, line.Time = j.labelAndTime(d.Doc)
		for _, t := range j.allowed(d) {
			line.Topics = append(line.Topics, inferredShare{t.Topic, float32(t.Share)})
		}
		return encoder.Encode(line)
	})
	if err != nil {
		return err
	}
	return buffer.Flush()
}
