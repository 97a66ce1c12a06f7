package workbook

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"time"
)

// readStyles finds out which styles of cells show numbers as dates: the formats
// that are dates by definition (ECMA-376 part 1, 18.8.30) and those of the
// workbook's own that have a letter for a part of a date.
func (w *Book) readStyles(part string) error {
	own := make(map[int]bool) // formats of the workbook that are dates
	inside := false           // of <cellXfs>, the styles that cells refer to
	return w.eachElement(part, func(e xml.StartElement) {
		switch e.Name.Local {
		case "numFmt":
			if id, err := strconv.Atoi(attribute(e, "numFmtId")); err == nil && len(own) < maxLinks {
				own[id] = isDateFormat(attribute(e, "formatCode"))
			}
		case "cellXfs":
			inside = true
		case "cellStyles", "dxfs":
			inside = false
		case "xf":
			id, err := strconv.Atoi(attribute(e, "numFmtId"))
			date, ok := own[id]
			if !ok {
				date = err == nil && (id >= 14 && id <= 22 || id >= 27 && id <= 36 || id >= 45 && id <= 47 || id >= 50 && id <= 58)
			}
			if inside && len(w.dates) < maxLinks {
				w.dates = append(w.dates, date)
			}
		}
	})
}

// isDateFormat tells whether a format of numbers shows a date or time: it has one
// of the letters y, m, d, h, s outside of quotation marks and brackets.
func isDateFormat(code string) bool {
	code, _, _ = strings.Cut(code, ";")
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '\\' || c == '_' || c == '*':
			i++ // the next character stands for itself
		case c == '"' || c == '[':
			end := strings.IndexByte(code[i+1:], map[byte]byte{'"': '"', '[': ']'}[c])
			if end < 0 {
				return false
			}
			i += end + 1
		case strings.IndexByte("ymdhsYMDHS", c) >= 0:
			return true
		}
	}
	return false
}

// isoDate returns the date that a number of days stands for, with the time of
// day if it has one, or nil if there is no such date. Days count from 1 January
// 1900, which is 1, and 1900 counts as a leap year; or from 1 January 1904, which
// is 0.
func isoDate(days float64, from1904 bool) []byte {
	if days < 0 || days >= 2958466 { // the year 10000
		return nil
	}
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case from1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days < 60:
		first = first.AddDate(0, 0, 1)
	}
	whole, rest := math.Modf(days)
	seconds := math.Round(rest * 24 * 60 * 60)
	t := first.AddDate(0, 0, int(whole)).Add(time.Duration(seconds) * time.Second)
	switch {
	case days < 1 && !from1904:
		return t.AppendFormat(nil, time.TimeOnly)
	case seconds == 0:
		return t.AppendFormat(nil, time.DateOnly)
	}
	return t.AppendFormat(nil, "2006-01-02T15:04:05")
}
