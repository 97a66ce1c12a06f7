package export

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"
)

// Wide tables have a row for every document and a column for every topic, which holds θ_dk.

func csvDocTopicsWide(j *job, w io.Writer) error { return j.csvDocTable(w, j.model.NumTopics()) }

// csvDocs writes a row for every document, without its topics.
func csvDocs(j *job, w io.Writer) error { return j.csvDocTable(w, 0) }

// csvDocTable writes a row for every document, with its shares of the first k topics.
func (j *job) csvDocTable(w io.Writer, k int) error {
	columns := append(j.withNames(), j.topicColumns()[:k]...)
	if err := j.csvHeader(w, "doc,id,label,time,doc_tokens", columns...); err != nil {
		return err
	}
	return j.docText(w, k, func(l *line, v *docView) {
		c := j.csv(l)
		v.writeHead(c)
		c.int(v.tokens)
		v.writeColumns(c)
		for topic := range k {
			c.f32(float32(v.theta(topic)))
		}
		c.end()
	})
}

// npyTheta writes θ as float32[D, K].
func npyTheta(j *job, w io.Writer) error {
	k := j.model.NumTopics()
	if _, err := w.Write(npyHeader("<f4", j.numDocs(), k)); err != nil {
		return err
	}
	return j.docText(w, k, func(l *line, v *docView) {
		for topic := range k {
			*l = binary.LittleEndian.AppendUint32(*l, math.Float32bits(float32(v.theta(topic))))
		}
	})
}

// wideMostTopics is the largest number of topics in a wide Parquet file. With more, the file consists mostly of column
// descriptions: there is one for every column of every row group, and they are held in memory until the file is closed.
const wideMostTopics = 2000

// wideCells is about how many numbers a row group of the wide table has: 16 MB.
const wideCells = 1 << 22

// wideThreads is the largest number of row groups of the wide table that are made at a time.
const wideThreads = 2

// parquetDocTopicsWide writes the columns doc, id, label, time, doc_tokens and one for every topic.
func parquetDocTopicsWide(j *job, w io.Writer) error {
	k := j.model.NumTopics()
	if k > wideMostTopics {
		return fmt.Errorf("a Parquet table with one column for each of %d topics is too wide for readers, "+
			"which take at most %d: choose parquet-doc-topics-list or npy-doc-topics instead", k, wideMostTopics)
	}
	few := *j
	few.options.Threads = min(j.threads(), wideThreads)
	j = &few
	views := j.newViews()
	p := j.newParquet(w, parquet.NewSchema("documents", j.wideColumns()), parquet.PageBufferSize(8<<10))
	return writeRowGroups(j, p, j.numDocs(), j.batches(wideCells, func(docItem) int { return k }),
		func(worker int, batch []docItem, put func(parquet.Row) error) (int, error) {
			row := make(parquet.Row, 0, 5+len(j.options.With)+k)
			for _, item := range batch {
				j.show(views[worker], item)
				row = wideRow(row[:0], views[worker])
				if err := put(row); err != nil {
					return 0, err
				}
			}
			return len(batch), nil
		})
}

// wideRow appends the values of a document's row.
func wideRow(row parquet.Row, v *docView) parquet.Row {
	text := func(s *string) parquet.Value {
		if s == nil {
			return parquet.NullValue()
		}
		return parquet.ByteArrayValue([]byte(*s))
	}
	add := func(x parquet.Value, optional bool) {
		definition := 0
		if optional && !x.IsNull() {
			definition = 1
		}
		row = append(row, x.Level(0, definition, len(row)))
	}
	add(parquet.Int64Value(int64(v.doc)), false)
	add(text(&v.id), false)
	add(text(v.label), true)
	add(text(v.time), true)
	add(parquet.Int64Value(int64(v.tokens)), false)
	for _, c := range v.with {
		add(c.parquet(), true)
	}
	for topic := range v.counts {
		add(parquet.FloatValue(float32(v.theta(topic))), false)
	}
	return row
}

// wideColumns returns the columns of the wide table.
func (j *job) wideColumns() parquet.Node {
	text := parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	columns := []namedNode{
		{"doc", parquet.Int(64)},
		{"id", parquet.String()},
		{"label", parquet.Optional(text)},
		{"time", parquet.Optional(text)},
		{"doc_tokens", parquet.Int(64)},
	}
	columns = append(columns, j.withNodes()...)
	for _, name := range j.topicColumns() {
		columns = append(columns, namedNode{name, parquet.Leaf(parquet.FloatType)})
	}
	return inOrderGiven(columns)
}
