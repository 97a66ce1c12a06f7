package export

import (
	"encoding/json"
	"io"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// parquetRowGroup bounds the rows of a row group, which is held in memory until
// it is complete: some tens of megabytes. Tests make it smaller.
var parquetRowGroup int64 = 1 << 16

// parquetBatch is the number of rows handed to the writer at a time.
const parquetBatch = 256

// writeParquet writes the rows that each yields, Zstandard-compressed, with the
// model's particulars in the file's metadata. Rows are kept for a while: slices
// in them must not be used again.
func writeParquet[T any](j *job, w io.Writer, each func(func(*T) error) error) error {
	options := []parquet.WriterOption{
		parquet.Compression(&parquet.Zstd),
		parquet.MaxRowsPerRowGroup(parquetRowGroup),
		parquet.CreatedBy("topoi", "1", ""),
	}
	for _, pair := range j.metadata() {
		options = append(options, parquet.KeyValueMetadata(pair[0], pair[1]))
	}
	p := parquet.NewGenericWriter[T](w, options...)
	rows := make([]T, 0, parquetBatch)
	err := each(func(row *T) error {
		rows = append(rows, *row)
		if len(rows) < cap(rows) {
			return nil
		}
		_, err := p.Write(rows)
		rows = rows[:0]
		return err
	})
	if err != nil {
		return err
	}
	if _, err := p.Write(rows); err != nil {
		return err
	}
	return p.Close()
}

// metadata returns the particulars of the model as keys and values.
func (j *job) metadata() [][2]string {
	m := j.model
	manifest := m.Manifest()
	alpha, _ := json.Marshal(m.Alpha()) // finite numbers, by the model's checks
	return [][2]string{
		{"format_version", "1"},
		{"model_id", m.Fingerprint()},
		{"K", strconv.Itoa(manifest.Topics)},
		{"V", strconv.Itoa(manifest.Words)},
		{"D", strconv.Itoa(manifest.Docs)},
		{"alpha", string(alpha)},
		{"beta", strconv.FormatFloat(m.Beta(), 'g', -1, 64)},
		{"seed", strconv.FormatUint(manifest.Options.Seed, 10)},
	}
}

func parquetTopics(j *job, w io.Writer) error { return writeParquet(j, w, j.eachTopicRow) }

func parquetTopicWords(j *job, w io.Writer) error { return writeParquet(j, w, j.eachTopicWordRow) }

func parquetDocTopics(j *job, w io.Writer) error { return writeParquet(j, w, j.eachDocTopicRow) }

func parquetDocTopicsWide(j *job, w io.Writer) error { return writeParquet(j, w, j.eachDocRow) }

func parquetVocab(j *job, w io.Writer) error { return writeParquet(j, w, j.eachVocabRow) }

func parquetAssignments(j *job, w io.Writer) error { return writeParquet(j, w, j.eachAssignmentRow) }
