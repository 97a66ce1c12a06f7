package source

import (
	"bytes"
	"iter"
	"strings"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// sniffDelimiter returns the candidate that cuts the first records of head
// into equally many fields, the most if there are several, or a comma.
func sniffDelimiter(head []byte, quotes bool) byte {
	best, bestWidth := byte(','), 1
	for _, delim := range []byte(",\t;|") {
		if width := evenWidth(head, delim, quotes); width > bestWidth {
			best, bestWidth = delim, width
		}
	}
	return best
}

// evenWidth returns the number of fields of the first records of head, or 0
// when they differ.
func evenWidth(head []byte, delim byte, quotes bool) int {
	width := 0
	for fields := range headRecords(head, delim, quotes) {
		if width == 0 {
			width = len(fields)
		}
		if len(fields) != width {
			return 0
		}
	}
	return width
}

// headRecords yields the first records of head, 50 at most, but not one that
// is cut off.
func headRecords(head []byte, delim byte, quotes bool) iter.Seq[[][]byte] {
	return func(yield func([][]byte) bool) {
		c := csvReader{in: input.ScanHead(head), delim: delim, quotes: quotes}
		for range 50 {
			fields, err := c.Record()
			if err != nil || !yield(fields) {
				return
			}
		}
	}
}

// isHeader reports whether a first record names columns: it holds a name that
// the options ask for or one that is guessed, and no number.
func isHeader(record [][]byte, o *Options) bool {
	for _, field := range record {
		if len(field) > 0 && allNumbers(field) {
			return false
		}
	}
	var names []string
	for r := range numRoles {
		names = append(append(names, o.asked(r)...), knownNames[r]...)
	}
	for _, field := range record {
		for _, n := range names {
			if n != "" && !isNumber(n) && strings.EqualFold(n, string(bytes.TrimSpace(field))) {
				return true
			}
		}
	}
	return false
}

// looksNamed reports whether the first of the rows could name columns that are
// not guessed by name: all fields are short and begin with a letter, and some
// column goes on with entries ten times as long on average. Taking such a row for
// a document would be a silent mistake, so it counts as a header, and of several
// columns the user is asked for the name of the text.
func looksNamed(rows iter.Seq[[][]byte]) bool {
	var names, total []int // length of the name and of all entries, by column
	count := 0
	for fields := range rows {
		if names == nil {
			for _, f := range fields {
				if !isName(f) {
					return false
				}
				names = append(names, len(f))
			}
			total = make([]int, len(names))
			continue
		}
		count++
		for i, f := range fields {
			if i < len(total) {
				total[i] += len(f)
			}
		}
	}
	for i := range names {
		if count > 0 && total[i] >= 10*names[i]*count {
			return true
		}
	}
	return false
}

// isName tells whether a field could be the name of a column.
func isName(field []byte) bool {
	field = bytes.TrimSpace(field)
	return len(field) > 0 && len(field) <= 40 && len(bytes.Fields(field)) <= 3 && (field[0]|0x20 >= 'a' && field[0]|0x20 <= 'z' || field[0] >= 0x80)
}
