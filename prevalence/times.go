package prevalence

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// precision says how exactly a time is known.
type precision uint8

const (
	toDay precision = iota
	toWeek
	toMonth
	toQuarter
	toYear
)

// moment is a time as its document's writer saw it on the wall: zones are dropped, not
// converted, so that a document belongs to the day that it names.
type moment struct {
	seconds int64 // from 1970-01-01 00:00:00
	exact   precision
}

// DateOrder says which number comes first in dates such as 3/5/2024.
type DateOrder string

// The orders of day and month.
const (
	MonthFirst DateOrder = "mdy"
	DayFirst   DateOrder = "dmy"
)

// layout is a form of times for time.Parse.
type layout struct {
	form  string
	exact precision
}

// layouts are tried in this order; a fraction of seconds may follow seconds in all.
var layouts = []layout{
	{"2006-01-02", toDay},
	{time.RFC3339, toDay},
	{"2006-01-02 15:04:05", toDay},
	{"2006-01-02T15:04:05", toDay},
	{"2006-01-02 15:04", toDay},
	{"2006-01-02T15:04", toDay},
	{"2006-01-02T15:04Z07:00", toDay},
	{"2006-01-02T15:04:05Z0700", toDay},
	{"2006-01-02 15:04:05Z07:00", toDay},
	{"2006-01-02 15:04:05 -0700", toDay},
	{"2006-01-02 15:04:05 -0700 MST", toDay},
	{"2006-01-02 15:04:05 MST", toDay},
	{"2006/1/2", toDay},
	{"2006/1/2 15:04:05", toDay},
	{"2006/1/2 15:04", toDay},
	{"2006.1.2", toDay},
	{"20060102T150405Z", toDay},
	{"20060102T150405", toDay},
	{"2006-1-2", toDay},
	{"2006-01", toMonth},
	{"2006/01", toMonth},
	{"2006-1", toMonth},
	{"2.1.2006", toDay}, // the dots of German, Russian, Turkish … dates, all of them day first
	{"2.1.2006 15:04", toDay},
	{"2.1.2006 15:04:05", toDay},
	{"Mon, 2 Jan 2006 15:04:05 -0700", toDay}, // RFC 5322
	{"Mon, 2 Jan 2006 15:04:05 MST", toDay},
	{"Mon, 2 Jan 2006 15:04:05 -0700 (MST)", toDay},
	{"2 Jan 2006 15:04:05 -0700", toDay},
	{"2 Jan 2006 15:04:05 MST", toDay},
	{time.RFC850, toDay},
	{time.RFC822, toDay},
	{time.RFC822Z, toDay},
	{time.ANSIC, toDay},
	{time.UnixDate, toDay},
	{time.RubyDate, toDay},
	{"2 Jan 2006", toDay},
	{"2 January 2006", toDay},
	{"Jan 2, 2006", toDay},
	{"January 2, 2006", toDay},
	{"Jan 2 2006", toDay},
	{"January 2 2006", toDay},
	{"Mon, 2 Jan 2006", toDay},
	{"Monday, January 2, 2006", toDay},
	{"Monday, 2 January 2006", toDay},
	{"2-Jan-2006", toDay},
	{"Jan 2006", toMonth},
	{"January 2006", toMonth},
}

var slashed = map[DateOrder][]layout{
	MonthFirst: {{"1/2/2006", toDay}, {"1/2/2006 15:04", toDay}, {"1/2/2006 15:04:05", toDay}, {"1/2/2006 3:04 PM", toDay}, {"1/2/2006 3:04:05 PM", toDay}, {"1/2/06", toDay}, {"1/2/06 15:04", toDay}},
	DayFirst:   {{"2/1/2006", toDay}, {"2/1/2006 15:04", toDay}, {"2/1/2006 15:04:05", toDay}, {"2/1/2006 3:04 PM", toDay}, {"2/1/2006 3:04:05 PM", toDay}, {"2/1/06", toDay}, {"2/1/06 15:04", toDay}},
}

// clock reads times. It belongs to one goroutine.
type clock struct {
	order DateOrder
	last  int // the layout that fitted last: most corpora have one
}

// read understands a time in any of the forms, or says that it does not.
func (c *clock) read(s string) (moment, bool) {
	s = strings.TrimSpace(s)
	if m, ok := readNumber(s); ok {
		return m, true
	}
	if m, ok := readPart(s); ok {
		return m, true
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
	for _, l := range slashed[c.order] {
		if m, ok := parse(s, l); ok {
			return m, true
		}
	}
	return moment{}, false
}

func parse(s string, l layout) (moment, bool) {
	t, err := time.Parse(l.form, s)
	if err != nil {
		return moment{}, false
	}
	return at(t, l.exact), true
}

// at drops the zone of t.
func at(t time.Time, exact precision) moment {
	_, offset := t.Zone()
	return moment{t.Unix() + int64(offset), exact}
}

var (
	number = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)
	part   = regexp.MustCompile(`^([0-9]{4})-?([QqWw])([0-9]{1,2})$`)
)

// readNumber reads 1987, 198707, 19870721 and seconds or milliseconds since 1970. Years may
// end in .0, as tables write them whose column has gaps.
func readNumber(s string) (moment, bool) {
	if !number.MatchString(s) {
		return moment{}, false
	}
	whole, fraction, _ := strings.Cut(s, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return moment{}, false
	}
	if len(whole) <= 8 && strings.Trim(fraction, "0") != "" {
		return moment{}, false
	}
	switch len(whole) {
	case 4:
		return at(time.Date(int(n), 1, 1, 0, 0, 0, 0, time.UTC), toYear), true
	case 6:
		return parse(whole, layout{"200601", toMonth})
	case 8:
		return parse(whole, layout{"20060102", toDay})
	case 9, 10:
		return moment{n, toDay}, true
	case 12, 13:
		return moment{n / 1000, toDay}, true
	}
	return moment{}, false
}

// readPart reads 2024-Q1 and 2024-W05.
func readPart(s string) (moment, bool) {
	f := part.FindStringSubmatch(s)
	if f == nil {
		return moment{}, false
	}
	year, _ := strconv.Atoi(f[1])
	n, _ := strconv.Atoi(f[3])
	if f[2] == "Q" || f[2] == "q" {
		if n < 1 || n > 4 {
			return moment{}, false
		}
		return at(time.Date(year, time.Month(3*n-2), 1, 0, 0, 0, 0, time.UTC), toQuarter), true
	}
	monday := mondayOf(year, n)
	if y, w := monday.ISOWeek(); y != year || w != n {
		return moment{}, false
	}
	return at(monday, toWeek), true
}

// mondayOf returns the first day of an ISO week. January 4 is always in week 1.
func mondayOf(year, week int) time.Time {
	fourth := time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC)
	return fourth.AddDate(0, 0, 7*(week-1)-(int(fourth.Weekday())+6)%7)
}
