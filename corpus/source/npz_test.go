package source

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/topoi-lda/topoi/corpus/source/internal/counts"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// npyOf is an array as numpy.save writes it, with values of any fixed size.
func npyOf(descr, shape string, values any) string {
	var b bytes.Buffer
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, shape)
	header += strings.Repeat(" ", 117-len(header)) + "\n"
	b.WriteString(input.NPYMagic + "\x01\x00")
	binary.Write(&b, binary.LittleEndian, uint16(len(header)))
	b.WriteString(header)
	binary.Write(&b, binary.LittleEndian, values)
	return b.String()
}

// sparseParts are the arrays of a small csr matrix; tests replace some of them.
func sparseParts() map[string]string {
	return map[string]string{
		"format.npy":  npyOf("|S3", "", []byte("csr")),
		"shape.npy":   npyOf("<i8", "2,", []int64{2, 3}),
		"indptr.npy":  npyOf("<i4", "3,", []int32{0, 2, 3}),
		"indices.npy": npyOf("<i4", "3,", []int32{0, 2, 1}),
		"data.npy":    npyOf("<i8", "3,", []int64{4, 5, 6}),
	}
}

// sparseWith is an archive with one array replaced, or dropped if it is empty.
func sparseWith(t testing.TB, name, array string) string {
	parts := sparseParts()
	parts[name] = array
	if array == "" {
		delete(parts, name)
	}
	return zipped(t, parts)
}

func frozen(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "npz", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestBrokenNPZ(t *testing.T) {
	const again = "; write the matrix again with scipy.sparse.save_npz"
	file := func(name, content, want string) broken {
		return broken{name: name, files: map[string]string{"a.npz": content}, want: "a.npz: " + want}
	}
	sound := zipped(t, sparseParts())
	flipped := []byte(sound)
	flipped[strings.Index(sound, "data.npy")+8+128] ^= 1 // in the first value
	runBroken(t, []broken{
		file("truncated", sound[:len(sound)-40], "this is not a valid archive of arrays (zip: not a valid zip file); copy it, or write it with scipy.sparse.save_npz, again"),
		file("damaged", string(flipped), "data.npy: cannot read the array: zip: checksum error; copy or download it again"),
		file("not sparse", frozen(t, "plain.npz"), `the archive holds no array "format", but "a", "b", so it is not a sparse matrix of SciPy; write a sparse matrix with scipy.sparse.save_npz, or a dense one with numpy.save`),
		file("bsr", frozen(t, "bsr.npz"), `the matrix has the format "bsr", expected csr, csc or coo; save it as matrix.tocsr()`),
		file("weights", frozen(t, "tfidf.npz"), "row 0, column 0 (from 0): count 0.5 is not a whole number; topic models need counts: use the matrix before any weighting, or round with Options.Round"),
		file("negative", frozen(t, "negative.npz"), "row 0, column 0 (from 0): count -2 is negative; expected how often the word occurs"),
		file("no indptr", sparseWith(t, "indptr.npy", ""), `the archive holds no array "indptr", but "data", "format", "indices", "shape", so it is not a sparse matrix of SciPy; write a sparse matrix with scipy.sparse.save_npz, or a dense one with numpy.save`),
		file("short indptr", sparseWith(t, "indptr.npy", npyOf("<i4", "2,", []int32{0, 3})), "indptr.npy has 2 values, expected 3, one more than the matrix has rows"+again),
		file("first pointer", sparseWith(t, "indptr.npy", npyOf("<i4", "3,", []int32{1, 2, 3})), "indptr.npy begins with 1, expected 0"+again),
		file("falling pointers", sparseWith(t, "indptr.npy", npyOf("<i4", "3,", []int32{0, 2, 1})), "row 1 (from 0) has the entries from 2 to 1 of 3"+again),
		file("far pointers", sparseWith(t, "indptr.npy", npyOf("<i4", "3,", []int32{0, 2, 9})), "row 1 (from 0) has the entries from 2 to 9 of 3"+again),
		file("far index", sparseWith(t, "indices.npy", npyOf("<i4", "3,", []int32{0, 3, 1})), "row 0 (from 0) has an entry in column 3, but the matrix has 3 columns"+again),
		file("negative index", sparseWith(t, "indices.npy", npyOf("<i4", "3,", []int32{0, -1, 1})), "row 0 (from 0) has an entry in column -1, but the matrix has 3 columns"+again),
		file("real indices", sparseWith(t, "indices.npy", npyOf("<f8", "3,", []float64{0, 1, 1})), "indices.npy: expected one row of numbers; write the array again with numpy"),
		file("too few counts", sparseWith(t, "data.npy", npyOf("<i8", "2,", []int64{4, 5})), "indices.npy has 3 values and data.npy 2"+again),
		file("truncated array", sparseWith(t, "data.npy", npyOf("<i8", "3,", []int64{4, 5})), "data.npy: the array ends too early, the file is truncated; copy or download it again"),
		file("large count", sparseWith(t, "data.npy", npyOf("<u8", "3,", []uint64{1, 1 << 63, 1})), "row 0, column 2 (from 0): count 9223372036854775807 is larger than 4294967295; check the file"),
		file("complex", sparseWith(t, "data.npy", npyOf("<c8", "3,", []uint64{1, 1, 1})), "data.npy: its values are of the type <c8, expected whole numbers, real numbers (f4, f8) or truth values; write the array again with numpy"),
		file("shape", sparseWith(t, "shape.npy", npyOf("<i8", "2,", []int64{2, 1 << 40})), "the shape of the matrix is [2 1099511627776], expected two numbers from 0 to 4294967295; save a matrix of documents and words"),
		file("no array", sparseWith(t, "shape.npy", "NUMPY 1234"), "shape.npy: this is not a NumPy array; write the array again with numpy"),
		file("version", sparseWith(t, "shape.npy", input.NPYMagic+"\x09\x00\x00\x00"), "shape.npy: version 9 of numpy's format is unknown, expected 1 to 3; write the array again with numpy"),
		{
			name: "vocabulary", files: map[string]string{"a.npz": sound, "a.npz.vocab": "a\n"}, in: []string{"a.npz"},
			want: "a.npz.vocab: 1 name found, but a.npz has 2 rows and 3 columns; give the names that belong to this matrix",
		},
		{
			name: "ids", files: map[string]string{"a.npz": sound, "a.npz.ids": "a\nb\nc\n"}, in: []string{"a.npz"},
			want: "a.npz.ids: the number of lines is not 2, the number of documents of the matrix; give files that belong to one data set",
		},
	})
}

func TestBrokenNPY(t *testing.T) {
	file := func(name, content, want string) broken {
		return broken{name: name, files: map[string]string{"a.npy": content}, want: "a.npy: " + want}
	}
	rows := frozen(t, "rows.npy")
	runBroken(t, []broken{
		file("flat", frozen(t, "flat.npy"), "the array has the shape [20], expected two numbers up to 4294967295; save a matrix of documents and words"),
		file("objects", frozen(t, "objects.npy"), "its values are of the type |O, expected whole numbers, real numbers (f4, f8) or truth values; write the array again with numpy"),
		file("nan", frozen(t, "nan.npy"), `row 0, column 1 (from 0): count is "NaN", which is not a number; expected how often the word occurs`),
		file("truncated", rows[:200], "the array ends too early, the file is truncated; copy or download it again"),
		file("too long", rows+"x", "the file continues after its 20 values; write the array again with numpy"),
		file("header", input.NPYMagic+"\x01\x00\x04\x00{   ", `found the header "{", expected one kind of number, fortran_order and shape; write the array again with numpy`),
		file("huge", npyOf("<i8", "4294967295, 4294967295", []int64{}), "its shape is larger than any file; write the array again with numpy"),
	})
}

// Names beside a matrix belong to it, compressed or not.
func TestMatrixNames(t *testing.T) {
	t.Chdir(t.TempDir())
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(npyOf("<i4", "2, 3", []int32{1, 0, 2, 0, 0, 0})))
	z.Close()
	names := map[string]string{".vocab": "x\ny\nz\n", ".ids": "first\nsecond\n"}
	files := map[string]string{"a.npz": zipped(t, sparseParts()), "b.npy.gz": packed.String(), "c.mtx": "%%MatrixMarket matrix coordinate integer general\n2 3 1\n1 3 2\n"}
	for name := range files {
		files[name+".vocab"], files[name+".ids"] = names[".vocab"], names[".ids"]
	}
	writeFiles(t, files)
	for name, want := range map[string]string{"a.npz": " 0:4 2:5\ndoc id=\"second\" label=\"\" time=\"\" 1:6", "b.npy.gz": " 0:1 2:2\ndoc id=\"second\" label=\"\" time=\"\"", "c.mtx": " 2:2\ndoc id=\"second\" label=\"\" time=\"\""} {
		r, err := Open([]string{name}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := dump(r)
		r.Close()
		want = "doc id=\"first\" label=\"\" time=\"\"" + want + "\nwords 3\nvocabulary [\"x\" \"y\" \"z\"]\n"
		if err != nil || !strings.HasSuffix(got, want) {
			t.Errorf("%s: %v, got\n%s\nwant\n%s", name, err, got, want)
		}
		if read, total := r.Progress(); read == 0 || read > total {
			t.Errorf("%s: %d of %d bytes", name, read, total)
		}
	}
}

// A row of zeros that a few kilobytes stand for is refused before it takes memory.
func TestEndlessRow(t *testing.T) {
	const n = 16 << 20
	parts := sparseParts()
	parts["shape.npy"] = npyOf("<i8", "2,", []int64{1, 3})
	parts["indptr.npy"] = npyOf("<i4", "2,", []int32{0, n})
	parts["indices.npy"] = npyOf("|u1", fmt.Sprint(n, ","), make([]uint8, n))
	parts["data.npy"] = npyOf("|b1", fmt.Sprint(n, ","), bytes.Repeat([]byte{1}, n))
	path := filepath.Join(t.TempDir(), "bomb.npz")
	writeFiles(t, map[string]string{path: zipped(t, parts)})
	before := allocated()
	_, err := readAll([]string{path}, Options{})
	if err == nil || !strings.Contains(err.Error(), "row 0 (from 0): 16777216 entries were unpacked from") {
		t.Errorf("%v", err)
	}
	if used := allocated() - before; used > 16<<20 {
		t.Errorf("allocated %d bytes", used)
	}
}

func exhaustNPZ(t *testing.T, archive string) {
	t.Helper()
	exhaust(t, len(archive), func() (Source, error) {
		r, err := counts.NewNPZ("fuzz", strings.NewReader(archive), int64(len(archive)), &counts.Options{})
		if err != nil {
			return nil, err
		}
		return &counted{Reader: r}, nil
	})
}

// FuzzNPZ changes the arrays of a matrix inside of a sound archive.
func FuzzNPZ(f *testing.F) {
	p := sparseParts()
	for _, form := range []string{"csr", "csc", "coo"} {
		f.Add(form, []byte(p["shape.npy"]), []byte(p["indptr.npy"]), []byte(p["indices.npy"]), []byte(p["data.npy"]))
	}
	f.Fuzz(func(t *testing.T, form string, shape, indptr, indices, data []byte) {
		parts := map[string]string{
			"format.npy": npyOf(fmt.Sprintf("|S%d", len(form)), "", []byte(form)), "shape.npy": string(shape),
			"indptr.npy": string(indptr), "indices.npy": string(indices), "data.npy": string(data),
		}
		if form == "coo" {
			parts["row.npy"], parts["col.npy"] = string(indices), string(indptr)
		}
		archive := zipped(t, parts)
		exhaustNPZ(t, archive)
	})
}

// FuzzArchive damages an archive anywhere.
func FuzzArchive(f *testing.F) {
	for _, name := range []string{"csr.npz", "deflated.npz"} {
		f.Add([]byte(frozen(f, name)), 100, byte(7))
	}
	f.Fuzz(func(t *testing.T, data []byte, at int, b byte) {
		if len(data) > 0 {
			data = bytes.Clone(data)
			data[uint(at)%uint(len(data))] ^= b
		}
		exhaustNPZ(t, string(data))
	})
}

func FuzzNPY(f *testing.F) {
	fuzzReader(f, "npy", Options{Round: true}, frozen(f, "rows.npy"), frozen(f, "fortran.npy"), frozen(f, "big-endian.npy"))
}

// BenchmarkNPZ reads a csr matrix with four-byte indices and counts.
func BenchmarkNPZ(b *testing.B) {
	const rows, each = 1000, 1000
	pointers, indices, counts := make([]int32, rows+1), make([]int32, rows*each), make([]float32, rows*each)
	for i := range indices {
		indices[i], counts[i] = int32(i*7919%50000), 1
	}
	for i := range pointers {
		pointers[i] = int32(i * each)
	}
	parts := sparseParts()
	parts["shape.npy"] = npyOf("<i8", "2,", []int64{rows, 50000})
	parts["indptr.npy"] = npyOf("<i4", fmt.Sprint(rows+1, ","), pointers)
	parts["indices.npy"] = npyOf("<i4", fmt.Sprint(rows*each, ","), indices)
	parts["data.npy"] = npyOf("<f4", fmt.Sprint(rows*each, ","), counts)
	path := filepath.Join(b.TempDir(), "a.npz")
	writeFiles(b, map[string]string{path: zipped(b, parts)})
	for b.Loop() {
		if docs, err := readAll([]string{path}, Options{}); err != nil || docs != rows {
			b.Fatal(docs, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(rows*each), "ns/entry")
}
