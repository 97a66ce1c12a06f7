package source

import (
	"iter"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/corpus/source/internal/roles"
)

// sniffDelimiter returns the candidate that cuts the first records of head
// into equally many fields, the most if there are several, or a comma.
func sniffDelimiter(head []byte, quote byte) byte {
	best, bestWidth := byte(','), 1
	for _, delim := range []byte(",\t;|") {
		if width := evenWidth(head, delim, quote); width > bestWidth {
			best, bestWidth = delim, width
		}
	}
	return best
}

// evenWidth returns the number of fields of the first records of head, or 0
// when they differ.
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

// headRecords yields the first records of head, 50 at most, but not one that
// is cut off.
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

// headRows collects the first rows of a table, to look at what its columns hold.
func headRows(rows iter.Seq[[][]byte]) [][]string {
	var list [][]string
	for fields := range rows {
		list = append(list, toStrings(fields))
	}
	return list
}

// isHeader reports whether the first of the rows names columns.
func isHeader(rows [][]string, o *Options) bool {
	for r := range numRoles {
		for _, name := range o.asked(r) {
			if !isNumber(name) && slices.ContainsFunc(rows[0], func(f string) bool { return strings.TrimSpace(f) == name }) {
				return true
			}
		}
	}
	return roles.HasHeader(rows)
}
