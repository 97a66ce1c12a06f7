package counts

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// TestSpill compares the external sort with a stable sort in memory, with
// limits that make anything from one run to very many.
func TestSpill(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		docs := rapid.SliceOfN(rapid.Uint32Range(0, 1<<rapid.IntRange(1, 31).Draw(t, "bits")), 0, 300).Draw(t, "docs")
		want := make([]entry, len(docs))
		s := newSpill(dir)
		s.limit = rapid.IntRange(1, 400).Draw(t, "limit")
		for i, d := range docs {
			want[i] = entry{d, uint32(i), 1}
			if err := s.add(want[i]); err != nil {
				t.Fatal(err)
			}
		}
		slices.SortStableFunc(want, func(a, b entry) int { return int(int64(a.doc) - int64(b.doc)) })
		if err := s.finish(); err != nil {
			t.Fatal(err)
		}
		for i, w := range want {
			e, err := s.next()
			if err != nil || e != w {
				t.Fatalf("entry %d: %v, %v, want %v", i, e, err, w)
			}
		}
		if _, err := s.next(); err != io.EOF {
			t.Fatalf("after the end: %v", err)
		}
		if err := s.close(); err != nil {
			t.Fatal(err)
		}
	})
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("temporary files are left: %v", left)
	}
}

func TestSpillNoDirectory(t *testing.T) {
	s := newSpill("no/such/directory")
	s.limit = 1
	s.add(entry{})
	err := s.add(entry{})
	if err == nil || !strings.Contains(err.Error(), "create the temporary file in which the matrix is sorted: ") {
		t.Error(err)
	}
}

// TestMatrixOrientations writes one random matrix in four ways: documents in
// rows or columns, entries sorted by row or by column. All must read the same.
func TestMatrixOrientations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		docs, words := rapid.IntRange(1, 9).Draw(t, "docs"), rapid.IntRange(1, 9).Draw(t, "words")
		count := make([][]int, docs)
		for d := range count {
			count[d] = rapid.SliceOfN(rapid.IntRange(0, 2), words, words).Draw(t, "counts")
		}
		var first string
		for way := range 4 {
			cols, byWord := way&1 == 1, way&2 == 2
			got := readMatrix(t, matrixMarket(count, words, cols, byWord), cols)
			if way == 0 {
				first = got
			} else if got != first {
				t.Fatalf("way %d gives\n%s\nbut way 0\n%s", way, got, first)
			}
		}
	})
}

func matrixMarket(count [][]int, words int, cols, byWord bool) []byte {
	var b bytes.Buffer
	n := 0
	line := func(d, w int) {
		if count[d][w] == 0 {
			return
		}
		n++
		i, j := d+1, w+1
		if cols {
			i, j = j, i
		}
		fmt.Fprintf(&b, "%d %d %d\n", i, j, count[d][w])
	}
	if byWord {
		for w := range words {
			for d := range count {
				line(d, w)
			}
		}
	} else {
		for d := range count {
			for w := range words {
				line(d, w)
			}
		}
	}
	rows, columns := len(count), words
	if cols {
		rows, columns = columns, rows
	}
	return append(fmt.Appendf(nil, "%%%%MatrixMarket matrix coordinate integer general\n%d %d %d\n", rows, columns, n), b.Bytes()...)
}

func readMatrix(t *rapid.T, data []byte, cols bool) string {
	o := &Options{Orientation: "docs-rows"}
	if cols {
		o.Orientation = "docs-cols"
	}
	src, err := OpenMatrixMarket("test", input.NewScanner("test", bytes.NewReader(data)), o)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	var b strings.Builder
	for {
		var doc Document
		err := src.Next(&doc)
		if err == io.EOF {
			return b.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&b, doc.Words, doc.Counts)
	}
}
