package export

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"strings"
	"testing"
)

// npyArray is a NumPy array of integers as the test's own parser reads it.
type npyArray struct {
	descr  string
	shape  string
	values []uint64
	bytes  []byte
}

func parseNPY(t *testing.T, b []byte) npyArray {
	t.Helper()
	if !bytes.HasPrefix(b, []byte("\x93NUMPY\x01\x00")) {
		t.Fatalf("no NumPy file: %q", b[:min(20, len(b))])
	}
	end := 10 + int(binary.LittleEndian.Uint16(b[8:]))
	if end%64 != 0 || b[end-1] != '\n' {
		t.Errorf("the header ends at %d", end)
	}
	head := string(b[10:end])
	between := func(left, right string) string {
		_, rest, ok := strings.Cut(head, left)
		value, _, ok2 := strings.Cut(rest, right)
		if !ok || !ok2 {
			t.Fatalf("header %q", head)
		}
		return value
	}
	a := npyArray{descr: between("'descr': '", "'"), shape: between("'shape': (", ")"), bytes: b[end:]}
	switch a.descr {
	case "<i4":
		for i := 0; i < len(a.bytes); i += 4 {
			a.values = append(a.values, uint64(binary.LittleEndian.Uint32(a.bytes[i:])))
		}
	case "<i8":
		for i := 0; i < len(a.bytes); i += 8 {
			a.values = append(a.values, binary.LittleEndian.Uint64(a.bytes[i:]))
		}
	}
	return a
}

// parseNPZ reads a sparse matrix into a dense one.
func parseNPZ(t *testing.T, b []byte) [][]uint64 {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	arrays := map[string]npyArray{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		arrays[f.Name] = parseNPY(t, content)
	}
	if string(arrays["format.npy"].bytes) != "csr" || arrays["format.npy"].descr != "|S3" || arrays["format.npy"].shape != "" {
		t.Errorf("format: %+v", arrays["format.npy"])
	}
	shape, ends, columns, data := arrays["shape.npy"].values, arrays["indptr.npy"].values, arrays["indices.npy"].values, arrays["data.npy"].values
	if len(columns) != len(data) || uint64(len(ends)) != shape[0]+1 || ends[len(ends)-1] != uint64(len(data)) {
		t.Fatalf("shape %v, %d row ends, %d columns, %d values", shape, len(ends), len(columns), len(data))
	}
	table := make([][]uint64, shape[0])
	for i := range table {
		table[i] = make([]uint64, shape[1])
		for p := ends[i]; p < ends[i+1]; p++ {
			table[i][columns[p]] += data[p]
		}
	}
	return table
}

func TestNPZ(t *testing.T) {
	m := goldenModel(t)
	words := parseNPZ(t, exported(t, m, "npz-topic-words", Options{})[""])
	for k, row := range words {
		sum := uint64(0)
		for w, n := range row {
			sum += n
			want := uint32(0)
			for _, e := range m.Row(w) {
				if int(e.Topic) == k {
					want = e.Count
				}
			}
			if uint32(n) != want {
				t.Errorf("topic %d, word %d: %d, want %d", k, w, n, want)
			}
		}
		if sum != m.TopicTotals()[k] {
			t.Errorf("topic %d has %d tokens", k, sum)
		}
	}
	docs, err := m.Docs()
	if err != nil {
		t.Fatal(err)
	}
	table := parseNPZ(t, exported(t, m, "npz-doc-topics", Options{})[""])
	for d, row := range table {
		for i := docs.Offsets()[d]; i < docs.Offsets()[d+1]; i++ {
			row[m.Topic(int(i))]--
		}
		if slices.Max(row) != 0 {
			t.Errorf("document %d: off by %v", d, row)
		}
	}
	if len(table) != docs.NumDocs() || len(words) != m.NumTopics() {
		t.Errorf("%d documents, %d topics", len(table), len(words))
	}
}
