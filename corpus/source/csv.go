package source

import (
	"bytes"
	"io"
	"iter"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// csvReader cuts a stream into the records of RFC 4180: fields separated by a delimiter, optionally in quotation
// marks, inside which delimiters, line ends and doubled quotation marks may stand. A quotation mark inside an
// unquoted field is an ordinary character. Blank lines are skipped.
type csvReader struct {
	in    *input.Scanner
	delim byte
	quote byte // the quotation mark; 0: there is none

	spans    []span
	fields   [][]byte
	lineEnd  int  // first line end behind the current field; the end of the input if there is none; -1 = not known
	nextLine int  // lines before the one after the current record
	lineFrom int  // where the line of the current field begins
	stray    bool // something other than a delimiter followed a closing quotation mark
}

// span is a field of the current record, as positions from where in stands.
type span struct {
	begin, end int
	line       int  // line on which it begins
	column     int  // bytes of that line before it
	doubled    bool // holds doubled quotation marks
}

func openCSV(_ string, in *input.Scanner, o *Options) (Source, error) { return openDelimited(in, o, 0) }

func openTSV(_ string, in *input.Scanner, o *Options) (Source, error) {
	return openDelimited(in, o, '\t')
}

// openDelimited reads a table whose columns a delimiter separates; 0 finds it out.
func openDelimited(in *input.Scanner, o *Options, delim byte) (Source, error) {
	told := toldDelimiter(in)
	if d, _ := o.delimiter(); d != 0 {
		delim = d
	} else if told != 0 {
		delim = told
	}
	quote := o.quote()
	if delim == 0 {
		delim, quote = sniffDelimiter(in.Peek(), quote, o.Quote == "" && !o.NoQuotes)
	}
	if delim == '\t' && o.Quote == "" && strayQuote(in.Peek(), quote) {
		quote = 0
	}
	rows := &csvReader{in: in, delim: delim, quote: quote, nextLine: in.Line}
	t := &table{rows: rows, o: o, name: in.Name}
	return t, t.open(headRecords(in.Peek(), delim, quote))
}

// strayQuote reports whether a field of head begins with a quotation mark that does not enclose it, as in texts between
// tabs.
func strayQuote(head []byte, quote byte) bool {
	c := csvReader{in: input.ScanHead(head), delim: '\t', quote: quote}
	for {
		if _, err := c.Record(); err != nil {
			return c.stray
		}
	}
}

// toldDelimiter steps over a first line such as sep=; by which files tell Excel their delimiter, and returns it, or 0.
func toldDelimiter(in *input.Scanner) byte {
	line, _, _ := bytes.Cut(in.Peek(), []byte("\n"))
	line = input.TrimCR(line)
	if len(line) != 5 || !bytes.EqualFold(line[:4], []byte("sep=")) {
		return 0
	}
	in.Next()
	return line[4]
}

// Check refuses field i of the current record if it is not text.
func (c *csvReader) Check(i int, field []byte) ([]byte, error) {
	at := c.spans[i]
	recordLine := c.in.Line
	c.in.Line = at.line
	field, err := input.CheckText(field, c.in, at.column)
	if err == nil {
		c.in.Line = recordLine
	}
	return field, err
}

func (c *csvReader) Errorf(format string, args ...any) *input.Error {
	return c.in.Errorf(format, args...)
}

// Record returns the fields of the next record, valid until the following
// call, or io.EOF. in.line is then the line on which the record begins.
func (c *csvReader) Record() ([][]byte, error) {
	if err := c.skipBlankLines(); err != nil {
		return nil, err
	}
	c.nextLine++
	c.in.Line = c.nextLine
	c.spans, c.lineEnd, c.lineFrom = c.spans[:0], -1, 0
	for at := 0; ; {
		var f span
		var err error
		if c.quote != 0 && c.in.Has(at) && c.in.Byte(at) == c.quote {
			f, at, err = c.quoted(at)
		} else {
			f, at, err = c.unquoted(at)
		}
		if err != nil {
			return nil, err
		}
		c.spans = append(c.spans, f)
		switch {
		case !c.in.Has(at):
			return c.take(at), nil
		case c.in.Byte(at) == '\n':
			return c.take(at + 1), nil
		}
		at++ // the delimiter
	}
}

// skipBlankLines moves to the next line that is not empty.
func (c *csvReader) skipBlankLines() error {
	for at := 0; ; {
		if !c.in.Has(at) {
			c.in.Line = c.nextLine
			if err := c.in.Failed(); err != nil {
				return err
			}
			return io.EOF
		}
		switch c.in.Byte(at) {
		case '\r':
			at++
		case '\n':
			c.in.Skip(at + 1)
			c.nextLine++
			at = 0
		default:
			return nil
		}
	}
}

// unquoted returns the field at at and the position of what ends it.
func (c *csvReader) unquoted(at int) (span, int, error) {
	if c.lineEnd < at {
		end, err := c.index(at, '\n')
		if err != nil {
			return span{}, 0, err
		}
		if end < 0 {
			end = len(c.in.Peek())
		}
		c.lineEnd = end
	}
	f := span{begin: at, end: c.lineEnd, line: c.nextLine, column: at - c.lineFrom}
	if i := bytes.IndexByte(c.in.Peek()[at:c.lineEnd], c.delim); i >= 0 {
		f.end = at + i
		return f, f.end, nil
	}
	if f.end > at && c.in.Byte(f.end-1) == '\r' {
		f.end--
	}
	return f, c.lineEnd, nil
}

// quoted returns the field whose opening quotation mark is at at, and the position of what ends it.
func (c *csvReader) quoted(at int) (span, int, error) {
	f := span{begin: at + 1, line: c.nextLine, column: at + 1 - c.lineFrom}
	for from := f.begin; ; {
		i, err := c.index(from, c.quote)
		if err != nil {
			return f, 0, err
		}
		if i < 0 {
			c.in.Line = f.line
			return f, 0, c.in.Errorf("a quoted field starts here and never ends").WithHint("close it, or treat quotation marks as text with Options.NoQuotes")
		}
		if c.in.Has(i+1) && c.in.Byte(i+1) == c.quote {
			f.doubled = true
			from = i + 2
			continue
		}
		f.end = i
		break
	}
	if i := bytes.LastIndexByte(c.in.Peek()[f.begin:f.end], '\n'); i >= 0 {
		c.lineFrom = f.begin + i + 1
		c.nextLine += bytes.Count(c.in.Peek()[f.begin:f.end], []byte("\n"))
	}
	end := f.end + 1
	if c.in.Has(end+1) && c.in.Byte(end) == '\r' && c.in.Byte(end+1) == '\n' {
		end++
	}
	if c.in.Has(end) && c.in.Byte(end) != c.delim && c.in.Byte(end) != '\n' &&
		!(c.in.Byte(end) == '\r' && !c.in.Has(end+1)) {
		c.in.Line, c.stray = c.nextLine, true
		return f, 0, c.in.Errorf("found %q after the quotation mark that closes a field",
			c.in.Byte(end)).WithHint("double the quotation marks inside a quoted field, or treat them as text with Options.NoQuotes")
	}
	return f, end, nil
}

// take consumes n bytes and returns the fields that lie in them.
func (c *csvReader) take(n int) [][]byte {
	b := c.in.Peek()
	c.fields = c.fields[:0]
	for _, f := range c.spans {
		field := b[f.begin:f.end:f.end]
		if f.doubled {
			field = undouble(field, c.quote)
		}
		c.fields = append(c.fields, field)
	}
	c.in.Skip(min(n, len(b)))
	return c.fields
}

// undouble makes one quotation mark of each two, in place.
func undouble(b []byte, quote byte) []byte {
	out := b[:0]
	for {
		i := bytes.Index(b, []byte{quote, quote})
		if i < 0 {
			return append(out, b...)
		}
		out = append(out, b[:i+1]...)
		b = b[i+2:]
	}
}

// index returns the first position of b from from on, or -1 when the input ends before.
func (c *csvReader) index(from int, b byte) (int, error) {
	s := c.in
	for {
		rest := s.Peek()
		if i := bytes.IndexByte(rest[min(from, len(rest)):], b); i >= 0 {
			return from + i, nil
		}
		from = max(from, len(rest))
		if from > s.Max {
			return 0, s.Errorf("the record is longer than %d bytes",
				s.Max).WithHint("look for a quotation mark that is never closed, or treat quotation marks as text with Options.NoQuotes")
		}
		if !s.Fill() {
			if err := s.Failed(); err != nil {
				s.Line = c.nextLine
				return 0, s.Failed() // on the line of the record
			}
			return -1, nil
		}
	}
}

// sniffDelimiter returns the candidate that cuts the first records of head into equally many fields, the most if
// there are several, or a comma. If none does, single quotation marks are tried, where other ones are allowed.
func sniffDelimiter(head []byte, quote byte, others bool) (delim, mark byte) {
	best, bestWidth := byte(','), 1
	for _, delim := range []byte(",\t;|") {
		if width := evenWidth(head, delim, quote); width > bestWidth {
			best, bestWidth = delim, width
		}
	}
	if others && bestWidth == 1 && bytes.Count(head, []byte("\n")) > 1 {
		if delim, _ := sniffDelimiter(head, '\'', false); bytes.Contains(head, []byte{delim, '\''}) &&
			evenWidth(head, delim, '\'') > 1 {
			return delim, '\''
		}
	}
	return best, quote
}

// evenWidth returns the number of fields of the first records of head, or 0 when they differ.
func evenWidth(head []byte, delim byte, quote byte) int {
	width := 0
	for fields := range headRecords(head, delim, quote) {
		if width == 0 {
			width = len(fields)
		}
		if len(fields) != width {
			return 0
		}
	}
	return width
}

// headRecords yields the first records of head, 50 at most, but not one that is cut off.
func headRecords(head []byte, delim byte, quote byte) iter.Seq[[][]byte] {
	return func(yield func([][]byte) bool) {
		c := csvReader{in: input.ScanHead(head), delim: delim, quote: quote}
		for range input.HeadRows {
			fields, err := c.Record()
			if err != nil || !yield(fields) {
				return
			}
		}
	}
}
