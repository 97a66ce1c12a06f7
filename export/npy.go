package export

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
)

// npyHeader returns the head of a NumPy file, version 1.0: the magic bytes, and a Python dictionary padded
// so that the data begin at a multiple of 64 bytes.
func npyHeader(descr string, shape ...int) []byte {
	dims := lists.Of(shape, func(n int) string { return fmt.Sprintf("%d,", n) })
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, strings.Join(dims, " "))
	const prefix = 10
	pad := 64 - (prefix+len(dict)+1)%64
	dict += strings.Repeat(" ", pad%64) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(b[8:], uint16(len(dict)))
	return append(b, dict...)
}

// npyAlpha writes α as float64[K].
func npyAlpha(j *job, w io.Writer) error {
	b := npyHeader("<f8", j.model.NumTopics())
	for _, a := range j.model.Alpha() {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(a))
	}
	_, err := w.Write(b)
	return err
}

// npyLambda writes n_wk + β as float32[K, V].
func npyLambda(j *job, w io.Writer) error {
	return npyTopics(j, w, func(n uint32, _ int) float64 { return j.weight(n) })
}

// npyPhi writes φ as float32[K, V].
func npyPhi(j *job, w io.Writer) error { return npyTopics(j, w, j.phi) }

// npyTopics writes value(n_wk, k) as float32[K, V].
func npyTopics(j *job, w io.Writer, value func(n uint32, k int) float64) error {
	words := j.model.NumWords()
	if _, err := w.Write(npyHeader("<f4", j.model.NumTopics(), words)); err != nil {
		return err
	}
	return j.columnText(w, func(l *line, c topicColumn) {
		c.each(words, func(_ int, n uint32) {
			*l = binary.LittleEndian.AppendUint32(*l, math.Float32bits(float32(value(n, c.topic))))
		})
	})
}

// csvWords writes a row for every word, which is a column of the array.
func csvWords(j *job, w io.Writer) error {
	if err := j.csvHeader(w, "term_id,term,cf"); err != nil {
		return err
	}
	return j.wordText(w, func(l *line, word int) {
		c := j.csv(l)
		c.int(word)
		c.str(j.model.Words().At(word))
		c.int(int(j.model.Manifest().PerDraw(wordTotal(j.model, word))))
		c.end()
	})
}

// csr is a sparse matrix of counts that can be read row by row, several times.
type csr struct {
	rows, cols int

	// each calls f with the columns and the values of each row.
	each func(f func(cols, values []uint32) error) error
}

// writeNPZ writes the archive that scipy.sparse.load_npz reads, with the arrays indices, indptr, format,
// shape and data. It reads the matrix four times instead of holding it in memory.
func writeNPZ(w io.Writer, threads int, m csr) error {
	nonzero := 0
	if err := m.each(func(cols, _ []uint32) error { nonzero += len(cols); return nil }); err != nil {
		return err
	}
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, newZipDeflater(threads))
	width, descr := 4, "<i4"
	if max(nonzero, m.cols) > math.MaxInt32 {
		width, descr = 8, "<i8"
	}
	appendIndex := func(b []byte, i int) []byte {
		if width == 4 {
			return binary.LittleEndian.AppendUint32(b, uint32(i))
		}
		return binary.LittleEndian.AppendUint64(b, uint64(i))
	}
	var b []byte
	walk := func(header []byte, row func(cols, values []uint32)) func(io.Writer) error {
		return func(w io.Writer) error {
			if _, err := w.Write(header); err != nil {
				return err
			}
			return m.each(func(cols, values []uint32) error {
				b = b[:0]
				row(cols, values)
				_, err := w.Write(b)
				return err
			})
		}
	}
	end := 0
	shape := binary.LittleEndian.AppendUint64(npyHeader("<i8", 2), uint64(m.rows))
	shape = binary.LittleEndian.AppendUint64(shape, uint64(m.cols))
	members := []struct {
		name  string
		write func(io.Writer) error
	}{
		{"indices", walk(npyHeader(descr, nonzero), func(cols, _ []uint32) {
			for _, c := range cols {
				b = appendIndex(b, int(c))
			}
		})},
		{"indptr", walk(appendIndex(npyHeader(descr, m.rows+1), 0), func(cols, _ []uint32) {
			end += len(cols)
			b = appendIndex(b, end)
		})},
		{"format", func(w io.Writer) error { _, err := w.Write(append(npyHeader("|S3"), "csr"...)); return err }},
		{"shape", func(w io.Writer) error { _, err := w.Write(shape); return err }},
		{"data", walk(npyHeader("<i4", nonzero), func(_, values []uint32) {
			for _, n := range values {
				b = binary.LittleEndian.AppendUint32(b, n)
			}
		})},
	}
	for _, member := range members {
		out, err := z.CreateHeader(&zip.FileHeader{Name: member.name + ".npy", Method: zip.Deflate, Modified: zipTime})
		if err != nil {
			return err
		}
		if err := buffered(out, member.write); err != nil {
			return err
		}
	}
	return z.Close()
}

// zipTime is the earliest time in zip archives. It is fixed so that the same model gives the same bytes.
var zipTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// npzTopicWords writes n_wk, K × V.
func npzTopicWords(j *job, w io.Writer) error {
	m := j.model
	var cols, values []uint32
	return writeNPZ(w, j.threads(), csr{m.NumTopics(), m.NumWords(), func(f func(cols, values []uint32) error) error {
		for k, column := range m.Columns(nil) {
			if err := j.step(k, m.NumTopics()); err != nil {
				return err
			}
			cols, values = cols[:0], values[:0]
			for _, e := range column {
				cols, values = append(cols, e.Word), append(values, e.Count)
			}
			if err := f(cols, values); err != nil {
				return err
			}
		}
		return nil
	}})
}

// npzDocTopics writes n_dk, D × K.
func npzDocTopics(j *job, w io.Writer) error {
	var values []uint32
	return writeNPZ(w, j.threads(), csr{
		j.docs.NumDocs(), j.model.NumTopics(),
		func(f func(cols, values []uint32) error) error {
			return j.eachDoc(func(v *docView) error {
				values = values[:0]
				for _, k := range v.topics {
					values = append(values, uint32(v.counts[k]))
				}
				return f(v.topics, values)
			})
		},
	})
}

// dense describes a matrix of which a format writes every element, including zeros.
type dense struct {
	rows, cols string // "documents", "topics" or "words"
	bytes      int    // about how many bytes an element takes
	instead    string // formats that leave out zeros
	unless     func(o Options) bool
}

// denseMost is the largest matrix, in bytes before compression, that is written with its zeros. A model of
// a million topics by a million words has at least 4 TB of them, of which one in ten thousand carries
// information. Tests make it smaller.
var denseMost float64 = 256 << 30

var (
	denseDocTopics = dense{
		"documents", "topics", 20,
		"csv-doc-topics or parquet-doc-topics with Options.Top or Options.MinTheta, or npz-doc-topics", nil,
	}
	denseTheta = dense{
		"documents", "topics", 4,
		"parquet-doc-topics with Options.Top or Options.MinTheta, or npz-doc-topics", nil,
	}
	denseTopicWords = dense{"topics", "words", 24, "mallet-word-topic-counts, csv-topic-words or npz-topic-words", nil}
	densePhi        = dense{"topics", "words", 4, "npz-topic-words or parquet-topic-words", nil}
	denseLambda     = dense{"topics", "words", 4, "npz-topic-words", nil}

	// With a threshold or a limit, absent topics are left out, or few.
	denseShares = dense{"documents", "topics", 25, "Options.Top or Options.MinTheta", limited}
	denseLists  = dense{"documents", "topics", 8, "Options.Top or Options.MinTheta", limited}
)

func limited(o Options) bool { return o.Top > 0 || o.MinTheta > 0 }

// check returns an error if the matrix is too large.
func (d dense) check(format string, j *job) error {
	return d.checkSize(format, j.model.Manifest().Docs, j)
}

// checkSize is check for a given number of documents.
func (d dense) checkSize(format string, docs int, j *job) error {
	if d.unless != nil && d.unless(j.options) {
		return nil
	}
	manifest := j.model.Manifest()
	size := map[string]int{"documents": docs, "topics": manifest.Topics, "words": manifest.Words}
	elements := float64(size[d.rows]) * float64(size[d.cols])
	if elements*float64(d.bytes) <= denseMost {
		return nil
	}
	return fmt.Errorf("%s has a number for each of %s %s × %s %s, zeros included: "+
		"%.3g numbers of about %d bytes make %.3g TB, and topoi writes at most %.3g TB so; choose %s instead",
		format, human.Count(size[d.rows]), d.rows, human.Count(size[d.cols]), d.cols,
		elements, d.bytes, elements*float64(d.bytes)/1e12, denseMost/1e12, d.instead)
}
