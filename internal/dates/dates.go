// Package dates reads the dates and times that people write in tables and texts.
package dates

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/pattern"
)

// Precision describes how exactly a time is known.
type Precision uint8

// The precisions, from fine to coarse.
const (
	ToDay Precision = iota
	ToWeek
	ToMonth
	ToQuarter
	ToYear
)

// Moment is a time as its document's writer saw it on the wall: zones are dropped, not
// converted, so that a document belongs to the day that it names.
type Moment struct {
	Seconds int64 // since 1970-01-01 00:00:00
	Exact   Precision
}

// Order describes which number comes first in dates such as 3/5/2024.
type Order string

// The orders of day and month.
const (
	MonthFirst Order = "mdy"
	DayFirst   Order = "dmy"
)

// layouts are forms of times for time.Parse, tried in this order; a fraction of seconds may follow seconds in all.
var layouts = []string{
	"2006-01-02", time.RFC3339, "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04",
	"2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700",
	"2006-01-02 15:04:05 -0700 MST", "2006-01-02 15:04:05 MST", "2006/1/2", "2006/1/2 15:04:05", "2006/1/2 15:04",
	"2006/1/2 3:04:05 PM", "2006.1.2", "20060102T150405Z", "20060102T150405", "2006-1-2", "2006-01", "2006/01",
	"2006-1",
	"2.1.2006", "2.1.2006 15:04", "2.1.2006 15:04:05", // the dots of German, Russian, Turkish … dates, all of them day first
	"Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006 15:04:05 MST", "Mon, 2 Jan 2006 15:04:05 -0700 (MST)", // RFC 5322
	"2 Jan 2006 15:04:05 -0700", "2 Jan 2006 15:04:05 MST", time.RFC850, time.RFC822, time.RFC822Z, time.ANSIC,
	time.UnixDate, time.RubyDate, "2 Jan 2006", "2 January 2006", "Jan 2, 2006", "January 2, 2006", "Jan 2 2006",
	"January 2 2006", "Mon, 2 Jan 2006", "Monday, January 2, 2006", "Monday, 2 January 2006", "2-Jan-2006", "Jan 2006",
	"January 2006",
}

// months are the layouts without a day.
var months = []string{"2006-01", "2006/01", "2006-1", "Jan 2006", "January 2006", "200601"}

// slashed are the layouts of dates whose order of day and month must be known.
var slashed = map[Order][]string{
	MonthFirst: {
		"1/2/2006", "1/2/2006 15:04", "1/2/2006 15:04:05", "1/2/2006 3:04 PM", "1/2/2006 3:04:05 PM", "1/2/06",
		"1/2/06 15:04",
	},
	DayFirst: {
		"2/1/2006", "2/1/2006 15:04", "2/1/2006 15:04:05", "2/1/2006 3:04 PM", "2/1/2006 3:04:05 PM", "2/1/06",
		"2/1/06 15:04",
	},
}

// Clock reads times. It belongs to one goroutine.
type Clock struct {
	Order Order // of day and month in dates such as 3/5/2024; empty: such dates are not understood
	last  int   // the layout that fitted last: most corpora have one
}

// Read understands a time in any of the forms, or says that it does not.
func (c *Clock) Read(s string) (Moment, bool) {
	s = strings.TrimSpace(s)
	if m, ok := readNumber(s); ok {
		return m, true
	}
	if m, ok := readPart(s); ok {
		return m, true
	}
	if !plausible(s) {
		return Moment{}, false
	}
	if m, ok := parse(s, layouts[c.last]); ok {
		return m, true
	}
	for i, l := range layouts {
		if m, ok := parse(s, l); ok {
			c.last = i
			return m, true
		}
	}
	for _, l := range slashed[c.Order] {
		if m, ok := parse(s, l); ok {
			return m, true
		}
	}
	if t := clutter().ReplaceAllStringFunc(s, tidy); t != s {
		return c.Read(t)
	}
	return Moment{}, false
}

// clutter matches text that survey forms and letters write around dates: a small am or pm, a zone as GMT-8, an
// ordinal as 1st.
var clutter = pattern.Of(`\b[ap]m\b| GMT[+-][0-9:]+$|\B(st|nd|rd|th)\b`)

// tidy returns what stands for clutter in the layouts.
func tidy(s string) string {
	if s == "am" || s == "pm" {
		return strings.ToUpper(s)
	}
	return ""
}

// plausible reports whether s begins as a date does: with a digit, or with the name of a
// month or a day of the week. Most text does not, and need not be tried in every layout.
func plausible(s string) bool {
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		return s != ""
	}
	if len(s) < 3 {
		return false
	}
	return strings.Contains("jan feb mar apr may jun jul aug sep oct nov dec mon tue wed thu fri sat sun",
		strings.ToLower(s[:3]))
}

func parse(s, layout string) (Moment, bool) {
	t, err := time.Parse(layout, s)
	if err == nil && slices.Contains(months, layout) {
		return at(t, ToMonth), true
	}
	return at(t, ToDay), err == nil
}

// at drops the zone of t.
func at(t time.Time, exact Precision) Moment {
	_, offset := t.Zone()
	return Moment{t.Unix() + int64(offset), exact}
}

var (
	number = pattern.Of(`^[0-9]+(\.[0-9]+)?$`)
	part   = pattern.Of(`^([0-9]{4})-?([QqWw])([0-9]{1,2})$`)
)

// readNumber reads 1987, 198707, 19870721 and seconds or milliseconds since 1970. Years may
// end in .0, as tables write them whose column has gaps.
func readNumber(s string) (Moment, bool) {
	if !number().MatchString(s) {
		return Moment{}, false
	}
	whole, fraction, _ := strings.Cut(s, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return Moment{}, false
	}
	if len(whole) <= 8 && strings.Trim(fraction, "0") != "" {
		return Moment{}, false
	}
	switch len(whole) {
	case 4:
		return at(time.Date(int(n), 1, 1, 0, 0, 0, 0, time.UTC), ToYear), true
	case 6:
		return parse(whole, "200601")
	case 8:
		return parse(whole, "20060102")
	case 9, 10:
		return Moment{n, ToDay}, true
	case 12, 13:
		return Moment{n / 1000, ToDay}, true
	}
	return Moment{}, false
}

// readPart reads 2024-Q1 and 2024-W05.
func readPart(s string) (Moment, bool) {
	f := part().FindStringSubmatch(s)
	if f == nil {
		return Moment{}, false
	}
	year, _ := strconv.Atoi(f[1])
	n, _ := strconv.Atoi(f[3])
	if f[2] == "Q" || f[2] == "q" {
		if n < 1 || n > 4 {
			return Moment{}, false
		}
		return at(time.Date(year, time.Month(3*n-2), 1, 0, 0, 0, 0, time.UTC), ToQuarter), true
	}
	monday := mondayOf(year, n)
	if y, w := monday.ISOWeek(); y != year || w != n {
		return Moment{}, false
	}
	return at(monday, ToWeek), true
}

// mondayOf returns the first day of an ISO week. January 4 is always in week 1.
func mondayOf(year, week int) time.Time {
	fourth := time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC)
	return fourth.AddDate(0, 0, 7*(week-1)-(int(fourth.Weekday())+6)%7)
}

// TellOrder finds the order of day and month in n dates from those that have only one
// reading. It is empty when there are none or they disagree.
func TellOrder(n int, date func(i int) string) Order {
	var found Order
	month, day := Clock{Order: MonthFirst}, Clock{Order: DayFirst}
	for i := range n {
		s := date(i)
		if i := strings.IndexByte(s, '/'); i < 1 || i > 2 {
			continue
		}
		_, byMonth := month.Read(s)
		_, byDay := day.Read(s)
		if byMonth == byDay {
			continue
		}
		order := DayFirst
		if byMonth {
			order = MonthFirst
		}
		if found != "" && found != order {
			return ""
		}
		found = order
	}
	return found
}

// End returns the first second after all that the moment may stand for: the day, week,
// month, quarter or year that it names, or the second of a time of day.
func (m Moment) End() int64 {
	if m.Exact == ToDay && m.Seconds%86400 != 0 {
		return m.Seconds + 1
	}
	long := map[Precision][3]int{
		ToDay: {0, 0, 1}, ToWeek: {0, 0, 7}, ToMonth: {0, 1, 0}, ToQuarter: {0, 3, 0},
		ToYear: {1, 0, 0},
	}[m.Exact]
	return time.Unix(m.Seconds, 0).UTC().AddDate(long[0], long[1], long[2]).Unix()
}
