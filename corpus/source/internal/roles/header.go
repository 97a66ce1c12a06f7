package roles

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// HasHeader reports whether the first of the rows names the columns: it holds no number and no date, and either a
// listed name, or what follows it in some column is of another kind.
func HasHeader(rows [][]string) bool {
	if len(rows) == 0 {
		return false
	}
	first := rows[0]
	if numbered(rows) {
		return true
	}
	var listed, blank, long int
	clocks := newClocks()
	for _, f := range first {
		f = strings.TrimSpace(f)
		blank += one(f == "")
		long += one(!isName(f) && f != "")
		if f != "" && (isNumber(f) || isDay(&clocks, f, false) || link.MatchString(f)) {
			return false
		}
		if _, exact := Best(f); exact {
			listed++
		}
	}
	columns := transpose(rows[1:], len(first))
	if blank == len(first) || recurs(first, columns) {
		return false
	}
	if long == 0 && listed > 0 {
		return true
	}
	return differs(first, columns, long == 0)
}

// FirstIsDate reports whether the first column holds dates.
func FirstIsDate(rows [][]string) bool {
	return look(transpose(rows, 1)[0]).kind == Date
}

// Longest returns the column with the longest values.
func Longest(rows [][]string) int {
	best, most := 0, 0.0
	for i, values := range transpose(rows, len(rows[0])) {
		if m := look(values); m.length >= most {
			best, most = i, m.length
		}
	}
	return best
}

// numbered reports whether the first row counts the columns, as tables without names are saved: 0, 1, 2.
func numbered(rows [][]string) bool {
	first := rows[0]
	from := 0
	if len(first) > 1 && strings.TrimSpace(first[0]) == "" {
		from = 1
	}
	for i, f := range first[from:] {
		if strings.TrimSpace(f) != strconv.Itoa(i) {
			return false
		}
	}
	for _, values := range transpose(rows[1:], len(first)) {
		if look(values).kind == Prose {
			return true
		}
	}
	return false
}

// recurs reports whether a column of few values has its first value again: then it is no name.
func recurs(first []string, columns [][]string) bool {
	for i, values := range columns {
		m := look(values)
		for _, v := range values {
			if f := strings.TrimSpace(first[i]); f != "" && f == strings.TrimSpace(v) && m.distinct < m.n {
				return true
			}
		}
	}
	return false
}

// differs reports whether some column goes on with another kind of values than it begins with: numbers, dates, or
// texts that are much longer. named says that all of the first row could be names.
func differs(first []string, columns [][]string, named bool) bool {
	for i, values := range columns {
		m := look(values)
		if m.n == 0 || strings.TrimSpace(first[i]) == "" {
			continue
		}
		length, words := float64(utf8.RuneCountInString(first[i])), countWords(first[i])
		switch {
		case m.numeric || m.kind == Date || m.kind == Link:
			return m.n > 1 || named
		case named && m.length >= 10*length:
			return true
		case named && m.words > fewWords && words <= 3 && m.length >= 3*length && m.n >= 3:
			return true
		}
	}
	return false
}

// isName reports whether a field could be the name of a column.
func isName(f string) bool {
	r, _ := utf8.DecodeRuneInString(f)
	return f != "" && utf8.RuneCountInString(f) <= 40 && len(strings.Fields(f)) <= 5 && (unicode.IsLetter(r) || r == '_' || r == '#' || r == '@') &&
		!strings.ContainsAny(f[len(f)-1:], ".!,;")
}

// transpose returns the columns of rows.
func transpose(rows [][]string, width int) [][]string {
	columns := make([][]string, width)
	for _, row := range rows {
		for i := range min(width, len(row)) {
			columns[i] = append(columns[i], row[i])
		}
	}
	return columns
}
