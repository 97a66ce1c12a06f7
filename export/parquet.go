package export

import (
	"encoding/json"
	"io"
	"math"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// parquetRowGroup is the largest number of rows in a row group. A row group is held in memory until it is
// complete: some megabytes, for about twice as many groups as there are threads. Tests make it smaller.
var parquetRowGroup = 1 << 16

// parquetBatch is the number of rows passed to a row group at a time.
const parquetBatch = 64

// newParquet begins a table, compressed with Zstandard, with a description of the model in the file's metadata.
func (j *modelJob) newParquet(w io.Writer, schema *parquet.Schema, more ...parquet.WriterOption,
) *parquet.GenericWriter[any] {
	options := []parquet.WriterOption{
		schema,
		parquet.Compression(&parquet.Zstd),
		parquet.MaxRowsPerRowGroup(math.MaxInt64), // this code decides where they end
		parquet.CreatedBy("topoi", "1", ""),
	}
	for _, pair := range j.metadata() {
		options = append(options, parquet.KeyValueMetadata(pair[0], pair[1]))
	}
	return parquet.NewGenericWriter[any](w, append(options, more...)...)
}

// writeRowGroups writes a table about n units, with a row group for each piece. Several goroutines make them:
// rows puts the rows of a piece, in order, and returns its number of units. A row may be reused after it was put.
func writeRowGroups[P any](j *job, table *parquet.GenericWriter[any], n int, pieces func(put func(P) error) error,
	rows func(worker int, piece P, put func(parquet.Row) error) (int, error),
) error {
	if err := j.step(0, n); err != nil {
		return err
	}
	type group struct {
		*parquet.ConcurrentRowGroupWriter
		units int
	}
	done := 0
	err := inOrder(j.ctx, j.threads(), pieces, func(worker int, piece P) (g group, err error) {
		g.ConcurrentRowGroupWriter = table.BeginRowGroup()
		batch := rowBatch{to: g.ConcurrentRowGroupWriter}
		if g.units, err = rows(worker, piece, batch.put); err != nil {
			return g, err
		}
		if err := batch.flush(); err != nil {
			return g, err
		}
		return g, g.Flush() // compresses here rather than in Commit
	}, func(g group) error {
		if _, err := g.Commit(); err != nil {
			return err
		}
		done += g.units
		return j.advance(done, n)
	})
	if err != nil {
		return err
	}
	if err := table.Close(); err != nil {
		return err
	}
	return j.step(n, n)
}

// rowBatch passes rows to a row group, several at a time.
type rowBatch struct {
	to   *parquet.ConcurrentRowGroupWriter
	rows []parquet.Row
}

// put takes a copy of a row.
func (b *rowBatch) put(row parquet.Row) error {
	if len(b.rows) == cap(b.rows) && len(b.rows) == parquetBatch {
		if err := b.flush(); err != nil {
			return err
		}
	}
	if b.rows == nil {
		b.rows = make([]parquet.Row, 0, parquetBatch)
	}
	i := len(b.rows)
	b.rows = b.rows[:i+1]
	b.rows[i] = append(b.rows[i][:0], row...)
	return nil
}

func (b *rowBatch) flush() error {
	_, err := b.to.WriteRows(b.rows)
	b.rows = b.rows[:0]
	return err
}

// writeParquet writes the rows that each yields, for tables that are made one row after the other. Rows are
// kept for a while, so slices in them must not be reused.
func writeParquet[T any](j *job, w io.Writer, each func(func(*T) error) error) error {
	schema := parquet.SchemaOf(new(T))
	quiet := *j // each reports progress
	quiet.options.Progress = nil
	copies := func(put func(T) error) error { return each(func(row *T) error { return put(*row) }) }
	pieces := grouped(copies, parquetRowGroup, func(T) int { return 1 })
	return writeRowGroups(&quiet, j.newParquet(w, schema), 0, pieces,
		func(_ int, rows []T, put func(parquet.Row) error) (int, error) {
			var row parquet.Row
			for i := range rows {
				row = schema.Deconstruct(row[:0], &rows[i])
				if err := put(row); err != nil {
					return 0, err
				}
			}
			return 0, nil
		})
}

// writeDocRows writes a table of documents. rows yields the rows of one document; weight is about their number.
func writeDocRows[T any](j *job, w io.Writer, weight func(docItem) int,
	rows func(v *docView, yield func(*T) error) error,
) error {
	schema := parquet.SchemaOf(new(T))
	views := j.newViews()
	return writeRowGroups(j, j.newParquet(w, j.withColumns(schema)), j.numDocs(), j.batches(parquetRowGroup, weight),
		func(worker int, batch []docItem, put func(parquet.Row) error) (int, error) {
			var row parquet.Row
			for _, item := range batch {
				j.show(views[worker], item)
				row = row[:0]
				err := rows(views[worker], func(r *T) error {
					if next, ok := any(r).(interface{ change(row parquet.Row) }); ok && len(row) > 0 {
						next.change(row)
					} else {
						row = views[worker].appendColumns(schema.Deconstruct(row[:0], r), len(schema.Columns()))
					}
					return put(row)
				})
				if err != nil {
					return 0, err
				}
			}
			return len(batch), nil
		})
}

// metadata returns the description of the model as keys and values.
func (j *modelJob) metadata() [][2]string {
	m := j.model
	manifest := m.Manifest()
	alpha, _ := json.Marshal(m.Alpha()) // always finite numbers
	return [][2]string{
		{"format_version", "2"},
		{"model_id", m.Fingerprint()},
		{"K", strconv.Itoa(manifest.Topics)},
		{"V", strconv.Itoa(manifest.Words)},
		{"D", strconv.Itoa(manifest.Docs)},
		{"alpha", string(alpha)},
		{"beta", strconv.FormatFloat(m.Manifest().BetaPerDraw(), 'g', -1, 64)},
		{"seed", strconv.FormatUint(manifest.Options.Seed, 10)},
	}
}

func parquetTopics(j *job, w io.Writer) error { return writeParquet(j, w, j.eachTopicRow) }

func parquetTopicWords(j *job, w io.Writer) error {
	schema, totals := parquet.SchemaOf(new(topicWordRow)), wordTotals(j.model)
	pieces := grouped(j.topWords(j.words(1000)), parquetRowGroup, func(t topicWords) int { return len(t.words) })
	return writeRowGroups(j, j.newParquet(w, schema), j.model.NumTopics(), pieces,
		func(_ int, batch []topicWords, put func(parquet.Row) error) (int, error) {
			var row parquet.Row
			for _, t := range batch {
				for rank := range t.words {
					r := j.topicWordRow(t, rank, totals)
					row = schema.Deconstruct(row[:0], &r)
					if err := put(row); err != nil {
						return 0, err
					}
				}
			}
			return len(batch), nil
		})
}

func parquetDocTopics(j *job, w io.Writer) error { return writeDocRows(j, w, j.rowsOf, j.docTopicRows) }

// parquetDocTopicsList weighs a row by its lists: sixteen topics take as much space as a row of parquetDocTopics.
func parquetDocTopicsList(j *job, w io.Writer) error {
	return writeDocRows(j, w, func(item docItem) int { return 1 + j.rowsOf(item)/16 }, j.docRow)
}

func parquetVocab(j *job, w io.Writer) error { return writeParquet(j, w, j.eachVocabRow) }

func parquetAssignments(j *job, w io.Writer) error {
	return writeDocRows(j, w, func(item docItem) int { return len(item.docs.Doc(item.doc)) }, assignmentRows)
}
