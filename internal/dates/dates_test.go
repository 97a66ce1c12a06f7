package dates

import (
	"testing"
	"time"
)

func TestTimes(t *testing.T) {
	const day = "2024-03-05"
	for s, want := range map[string]struct {
		start string
		exact Precision
	}{
		"2024-03-05":                            {day, ToDay},
		" 2024-03-05 ":                          {day, ToDay},
		"2024-03-05T23:30:00+02:00":             {day, ToDay}, // the day it names, not that of Greenwich
		"2024-03-05T00:30:00-08:00":             {day, ToDay},
		"2024-03-05T12:00:00.123Z":              {day, ToDay},
		"2024-03-05 12:00:00":                   {day, ToDay},
		"2024-03-05T12:00":                      {day, ToDay},
		"2024/03/05":                            {day, ToDay},
		"2024/3/5":                              {day, ToDay},
		"20240305":                              {day, ToDay},
		"05.03.2024":                            {day, ToDay},
		"5.3.2024":                              {day, ToDay},
		"Tue, 05 Mar 2024 12:00:00 GMT":         {day, ToDay},
		"Tue, 5 Mar 2024 12:00:00 -0700":        {day, ToDay},
		"Tuesday, 05-Mar-24 12:00:00 GMT":       {day, ToDay},
		"Tue Mar  5 12:00:00 2024":              {day, ToDay},
		"5 Mar 2024":                            {day, ToDay},
		"5 March 2024":                          {day, ToDay},
		"March 5, 2024":                         {day, ToDay},
		"Mar 5, 2024":                           {day, ToDay},
		"1709640000":                            {day, ToDay},
		"1709640000.5":                          {day, ToDay},
		"1709640000123":                         {day, ToDay},
		"2024/3/5 7:07:17 pm GMT-8":             {day, ToDay},
		"2024/03/05 11:07:17 AM GMT+5:30":       {day, ToDay},
		"March 5th, 2024":                       {day, ToDay},
		"2024":                                  {"2024-01-01", ToYear},
		"2024.0":                                {"2024-01-01", ToYear},
		"1851":                                  {"1851-01-01", ToYear},
		"2024-03":                               {"2024-03-01", ToMonth},
		"202403":                                {"2024-03-01", ToMonth},
		"March 2024":                            {"2024-03-01", ToMonth},
		"2024-Q2":                               {"2024-04-01", ToQuarter},
		"2024-W10":                              {"2024-03-04", ToWeek},
		"2020-W53":                              {"2020-12-28", ToWeek},
		"Tue, 05 Mar 2024 12:00:00 +0000 (UTC)": {day, ToDay},
	} {
		var c Clock
		m, ok := c.Read(s)
		if got := time.Unix(m.Seconds, 0).UTC().Format(time.DateOnly); !ok || got != want.start || m.Exact != want.exact {
			t.Errorf("%q is read as %s, %d (%v); want %s, %d", s, got, m.Exact, ok, want.start, want.exact)
		}
	}
	for _, s := range []string{"", "yesterday", "4th", "2024 th", "3/5/2024", "2024-13-01", "2024-02-30", "24", "12345", "2024-Q5", "2023-W53", "2024.5", "20241345", "-5", "1e9", "99999999999999999999999"} {
		var c Clock
		if m, ok := c.Read(s); ok {
			t.Errorf("%q is read as %v", s, time.Unix(m.Seconds, 0).UTC())
		}
	}
	us, uk := Clock{Order: MonthFirst}, Clock{Order: DayFirst}
	a, okA := us.Read("3/5/2024 10:00")
	b, okB := uk.Read("5/3/2024")
	if !okA || !okB || a.Seconds-b.Seconds != 10*3600 {
		t.Errorf("by month %v %v, by day %v %v", a, okA, b, okB)
	}
}

// The order of day and month is that of the dates with one reading, if they agree; others say nothing.
func TestTellOrder(t *testing.T) {
	for _, c := range []struct {
		dates []string
		want  Order
	}{
		{nil, ""},
		{[]string{"1/2/2024", "3/4/2024"}, ""},
		{[]string{"1/2/2024", "1/13/2024"}, MonthFirst},
		{[]string{"13/1/2024", "1/2/2024", "31/12/2023"}, DayFirst},
		{[]string{"13/1/2024", "1/13/2024"}, ""},
		{[]string{"1/13/2024", "13/1/2024"}, ""},
		{[]string{"13/13/2024", "2024-01-13", "rain", "/1/13", "123/1/2024"}, ""},
	} {
		if got := TellOrder(len(c.dates), func(i int) string { return c.dates[i] }); got != c.want {
			t.Errorf("%q: %q, want %q", c.dates, got, c.want)
		}
	}
}

// A date ends where the next one of its precision begins.
func TestEnd(t *testing.T) {
	for date, want := range map[string]string{
		"2024-02-29":          "2024-03-01T00:00:00Z",
		"2024-W09":            "2024-03-04T00:00:00Z",
		"2024-12":             "2025-01-01T00:00:00Z",
		"2024-Q4":             "2025-01-01T00:00:00Z",
		"2024":                "2025-01-01T00:00:00Z",
		"2024-02-29 10:20:30": "2024-02-29T10:20:31Z",
	} {
		m, ok := new(Clock).Read(date)
		if !ok {
			t.Errorf("%q is not read", date)
		}
		if got := time.Unix(m.End(), 0).UTC().Format(time.RFC3339); got != want {
			t.Errorf("%q ends at %s, want %s", date, got, want)
		}
	}
}
