package counts

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// matrix reads a sparse matrix in Matrix Market coordinate format:
//
//	%%MatrixMarket matrix coordinate integer general
//	% comments
//	rows columns entries
//	i j value
//	…
//
// with 1-based indices; pattern matrices have no value. Documents are rows or columns, see Options.Orientation.
// Entries may come in any order and may be repeated; spill puts them in order of the documents.
type matrix struct {
	in   *input.Scanner
	file *input.File // opened here, for the trio of 10x; else nil

	pattern  bool   // entries have no value
	cells           // rows and columns of the size line
	entries  uint64 // the third number there
	sizeLine int
}

// OpenMatrixMarket opens a matrix in Matrix Market format.
func OpenMatrixMarket(path string, in *input.Scanner, o *Options) (Reader, error) {
	m := &matrix{in: in, cells: cells{o: o}}
	name, err := m.readNames(path, o)
	if err == nil {
		err = m.header(name)
	}
	if err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// header reads everything up to the size line and chooses the orientation.
// vocabName is the file of the vocabulary, if there is one.
func (m *matrix) header(vocabName string) error {
	line, err := m.in.Next()
	if err != nil {
		return err
	}
	if err := m.banner(line); err != nil {
		return err
	}
	for {
		line, err = m.in.Next()
		if err == io.EOF {
			return m.in.Errorf("the file ends here, but a line with the numbers of rows, columns and entries is expected").WithHint("the file is incomplete; copy or download it again")
		}
		if err != nil {
			return err
		}
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '%' {
			break
		}
	}
	fields := bytes.Fields(line)
	if len(fields) != 3 {
		return m.in.Errorf("found %s, expected: rows columns entries",
			input.Quote(line)).WithHint("the first line that is not a comment must hold these three numbers")
	}
	for i, h := range []struct {
		value *uint64
		what  string
		limit uint64
	}{
		{&m.rows, "number of rows", math.MaxUint32},
		{&m.cols, "number of columns", math.MaxUint32},
		{&m.entries, "number of entries", math.MaxInt64},
	} {
		if *h.value, err = input.NumberField(m.in, fields[i], h.what, 0, h.limit); err != nil {
			return err
		}
	}
	m.sizeLine = m.in.Line
	return m.orient(m.in.Name, vocabName, m.o)
}

// banner checks the first line.
func (m *matrix) banner(line []byte) error {
	words := strings.Fields(strings.ToLower(string(line[:min(len(line), 200)])))
	const expected = "expected %%MatrixMarket matrix coordinate integer general"
	fault := func(what, hint string) error { return m.in.Errorf("%s, %s", what, expected).WithHint("%s", hint) }
	if len(words) != 5 || words[0] != "%%matrixmarket" || words[1] != "matrix" {
		return fault("found "+input.Quote(line), "check the file, or choose another Options.Format")
	}
	if words[2] != "coordinate" {
		return fault(fmt.Sprintf("found a matrix in %q form", words[2]), "write it as a sparse matrix")
	}
	if words[4] != "general" {
		return fault(fmt.Sprintf("found a %q matrix", words[4]),
			"a matrix of documents and words is not symmetric, so write it in full")
	}
	switch words[3] {
	case "integer", "real":
	case "pattern":
		m.pattern = true
	default:
		return fault(fmt.Sprintf("found %q values", words[3]), "counts must be whole numbers")
	}
	return nil
}

func (m *matrix) Close() error {
	err := m.sorted.close()
	m.closeNames()
	if m.file != nil {
		m.file.Close()
	}
	return err
}

func (m *matrix) Next(doc *Document) error {
	return m.next(doc, nil, m.read, func() error { return nil })
}

// matrixLines holds the parsed part of a piece: its entries up to the line at fault.
type matrixLines struct {
	entries []entry
	at      []int32 // the line of each entry, from the beginning of the piece
	err     error   // of the line behind them
}

// parse reads the lines of a piece.
func (m *matrix) parse(p *piece[matrixLines]) {
	out := &p.out
	out.entries, out.at, out.err = out.entries[:0], out.at[:0], nil
	where := &input.Scanner{Name: m.in.Name, Line: p.line}
	for text := p.text; len(text) > 0; {
		where.Line++
		e, n, ok := m.fast(text)
		if !ok {
			n = bytes.IndexByte(text, '\n') + 1
			if e, ok, out.err = m.slow(where, bytes.TrimSpace(text[:n])); out.err != nil {
				return
			}
		}
		text = text[n:]
		if ok {
			out.entries, out.at = append(out.entries, e), append(out.at, int32(where.Line-p.line))
		}
	}
}

// read hands all entries to add.
func (m *matrix) read(add func(entry) error) error {
	seen := uint64(0)
	from := newPieces(m.in, m.o.Threads, m.parse)
	for {
		p, err := from.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		for i, e := range p.out.entries {
			if seen++; seen > m.entries {
				at := &input.Scanner{Name: m.in.Name, Line: p.line + int(p.out.at[i])}
				return at.Errorf("found more entries than the %d that line %d announces", m.entries,
					m.sizeLine).WithHint("correct the number of entries on line %d", m.sizeLine)
			}
			if e.count == 0 {
				continue
			}
			if err := add(e); err != nil {
				return err
			}
		}
		if p.out.err != nil {
			return p.out.err
		}
	}
	if seen < m.entries {
		return m.in.Errorf("the file ends after %s, but line %d announces %d", input.Plural(seen, "entry"), m.sizeLine,
			m.entries).WithHint("the file is incomplete; copy or download it again")
	}
	return nil
}

// fast parses a line "i j value" with whole numbers and single blanks. It
// returns how many bytes that took, or false for anything else.
func (m *matrix) fast(b []byte) (entry, int, bool) {
	i, p := input.ParseUint(b, 0)
	if p == 0 || b[p] != ' ' {
		return entry{}, 0, false
	}
	j, q := input.ParseUint(b, p+1)
	v, r := uint64(1), q
	if !m.pattern {
		if b[q] != ' ' {
			return entry{}, 0, false
		}
		v, r = input.ParseUint(b, q+1)
	}
	if q == p+1 || !m.pattern && r == q+1 || b[r] != '\n' || i-1 >= m.rows || j-1 >= m.cols || v > math.MaxUint32 {
		return entry{}, 0, false
	}
	return m.entry(i, j, uint32(v)), r + 1, true
}

func (m *matrix) entry(i, j uint64, v uint32) entry {
	if m.docsCols {
		return entry{uint32(j - 1), uint32(i - 1), v}
	}
	return entry{uint32(i - 1), uint32(j - 1), v}
}

// slow parses any line, or says what is wrong with it. A blank line or a comment is no entry.
func (m *matrix) slow(at *input.Scanner, line []byte) (entry, bool, error) {
	if len(line) == 0 || line[0] == '%' {
		return entry{}, false, nil
	}
	fields := bytes.Fields(line)
	want, form := 3, "row column value"
	if m.pattern {
		want, form = 2, "row column"
	}
	if len(fields) != want {
		return entry{}, false, at.Errorf("found %s, expected: %s", input.Quote(line),
			form).WithHint("every line after line %d must hold one entry", m.sizeLine)
	}
	i, err := input.NumberField(at, fields[0], "row", 1, m.rows)
	if err != nil {
		return entry{}, false, err
	}
	j, err := input.NumberField(at, fields[1], "column", 1, m.cols)
	if err != nil {
		return entry{}, false, err
	}
	v := uint32(1)
	if !m.pattern {
		if v, err = Count(at, fields[2], m.o.Round); err != nil {
			return entry{}, false, err
		}
	}
	return m.entry(i, j, v), true, nil
}
