package roles

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/internal/dates"
	"github.com/topoi-lda/topoi/internal/pattern"
)

// Kind is the kind of a column's values.
type Kind string

// The kinds.
const (
	Unknown  Kind = ""         // no value was seen
	Prose    Kind = "text"     // sentences
	Category Kind = "category" // few distinct values
	Date     Kind = "date"
	Number   Kind = "number"
	Key      Kind = "id"   // a different value in each row, without blanks
	Link     Kind = "link" // addresses of pages and files
	Other    Kind = "other"
)

// Column is a column of a table: its name, empty without a header, and its values in the first rows.
type Column struct {
	Name   string
	Values []string
}

// measure describes the values of a column.
type measure struct {
	kind     Kind
	n        int     // values that are not empty
	distinct int     // different ones
	length   float64 // characters on average
	words    float64 // words on average; two characters of Chinese count as one
	numeric  bool    // all are numbers
	dated    bool    // nearly all can be read as dates, years and days without separators included
}

const (
	mostLabels = 60  // distinct values of a label
	enough     = 6   // rows from which on the values alone tell a label, a date or an id
	mostCodes  = 10  // distinct numbers of a label that is not called one
	nearly     = 0.9 // share of values that make the kind of a column
	fewWords   = 3.5 // a sentence has more
	longest    = 500 // bytes of a number, date, link or key
)

var (
	link      = pattern.Of(`^(https?://|www\.|[\w.+-]+@[\w-]+\.|/?[\w-]+\.(com|org|net|co)\b)\S*$`)
	keyLike   = pattern.Of(`^[\w.:/+=#-]+$`)
	plainDay  = pattern.Of(`^(1[5-9]|20|21)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$`)
	counts    = pattern.Of(`(^|_)(n|num|number|count|counts|total|likes?|dislikes?|(up|down)?votes|retweets|favou?rites|repl(ies|y)|shares|views|followers|helpful|lines?|pages|rank)(_|$)`)
	plainYear = pattern.Of(`^(1[0-9]|20|21)\d\d$`)
)

// look measures a column.
func look(values []string) measure {
	var m measure
	var seen map[string]int
	var numbers, days, loose, links, keys int
	clocks := newClocks()
	for _, v := range values {
		v = strings.TrimSpace(v)
		if v == "" {
			continue
		}
		if m.n++; seen == nil {
			seen = make(map[string]int)
		}
		seen[v]++
		m.length += float64(utf8.RuneCountInString(v))
		m.words += countWords(v)
		if len(v) > longest {
			continue
		}
		number := isNumber(v)
		numbers += one(number)
		day := isDay(&clocks, v, number)
		days += one(day)
		loose += one(day || plainYear().MatchString(v) || number && len(v) >= 9 && len(v) <= 17)
		links += one(link().MatchString(v))
		keys += one(keyLike().MatchString(v))
	}
	m.distinct = len(seen)
	if m.n == 0 {
		return m
	}
	all := float64(m.n)
	m.length, m.words = m.length/all, m.words/all
	m.numeric, m.dated = numbers == m.n, float64(loose) >= nearly*all
	m.kind = m.sort(float64(days)/all, float64(links)/all, float64(keys)/all)
	return m
}

// sort returns the kind from the shares of days, links and values without blanks.
func (m *measure) sort(days, links, keys float64) Kind {
	few := m.n >= enough && m.distinct <= mostLabels && 2*m.distinct <= m.n && m.length <= 60
	switch {
	case days >= nearly:
		return Date
	case links >= nearly:
		return Link
	case few && (m.words <= fewWords || 5*m.distinct <= m.n): // long names that come again and again
		return Category
	case m.numeric:
		return Number
	case keys >= nearly && m.distinct == m.n && m.words < 1.5 && m.n >= enough:
		return Key
	case m.words > fewWords || m.length > 40:
		return Prose
	}
	return Other
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func newClocks() [2]dates.Clock {
	return [2]dates.Clock{{Order: dates.MonthFirst}, {Order: dates.DayFirst}}
}

// isDay reports whether v is a date: more than a number, unless that has the digits of a day.
func isDay(clocks *[2]dates.Clock, v string, number bool) bool {
	if number || len(v) > 48 || !strings.ContainsAny(v, "0123456789") {
		return plainDay().MatchString(v)
	}
	for i := range clocks {
		if _, ok := clocks[i].Read(v); ok {
			return true
		}
	}
	return false
}

// mostlyTimes reports whether most values of a column can be read as times in some form: years, months, seconds since
// 1970 too. Trying all forms of a value takes long, so only columns with the name of a time are asked.
func mostlyTimes(values []string) bool {
	clocks := newClocks()
	times, n := 0, 0
	for _, v := range values {
		v = strings.TrimSpace(v)
		if v == "" {
			continue
		}
		n++
		number := isNumber(v)
		times += one(len(v) <= longest && (isDay(&clocks, v, number) || number && isTime(&clocks, v)))
	}
	return 2*times > n
}

// isTime reports whether a number can be read as a time.
func isTime(clocks *[2]dates.Clock, v string) bool {
	for i := range clocks {
		if _, ok := clocks[i].Read(v); ok {
			return true
		}
	}
	return false
}

// isNumber reports whether v is a number, with a point or a comma before its fraction.
func isNumber(v string) bool {
	if len(v) > 40 || !strings.ContainsAny(v, "0123456789") {
		return false
	}
	v = strings.TrimSuffix(strings.TrimLeft(v, "$€£¥"), "%")
	if _, err := strconv.ParseFloat(v, 64); err == nil {
		return true
	}
	_, err := strconv.ParseFloat(strings.NewReplacer(",", ".", " ", "").Replace(v), 64)
	if err != nil {
		_, err = strconv.ParseFloat(strings.ReplaceAll(v, ",", ""), 64)
	}
	return err == nil
}

// countWords counts what stands between blanks, and pairs of Chinese and Japanese characters.
func countWords(v string) float64 {
	n := float64(len(strings.Fields(v)))
	han := 0
	for _, r := range v {
		if r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			han++
		}
	}
	return max(n, float64(han)/2)
}

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
		if f != "" && (isNumber(f) || isDay(&clocks, f, false) || link().MatchString(f)) {
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
func FirstIsDate(rows [][]string) bool { return look(transpose(rows, 1)[0]).kind == Date }

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
	return slices.ContainsFunc(transpose(rows[1:], len(first)),
		func(values []string) bool { return look(values).kind == Prose })
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
	return f != "" && utf8.RuneCountInString(f) <= 40 && len(strings.Fields(f)) <= 5 &&
		(unicode.IsLetter(r) || r == '_' || r == '#' || r == '@') &&
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
