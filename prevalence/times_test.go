package prevalence

import (
	"testing"
	"time"
)

func TestTimes(t *testing.T) {
	const day = "2024-03-05"
	for s, want := range map[string]struct {
		start string
		exact precision
	}{
		"2024-03-05":                            {day, toDay},
		" 2024-03-05 ":                          {day, toDay},
		"2024-03-05T23:30:00+02:00":             {day, toDay}, // the day it names, not that of Greenwich
		"2024-03-05T00:30:00-08:00":             {day, toDay},
		"2024-03-05T12:00:00.123Z":              {day, toDay},
		"2024-03-05 12:00:00":                   {day, toDay},
		"2024-03-05T12:00":                      {day, toDay},
		"2024/03/05":                            {day, toDay},
		"2024/3/5":                              {day, toDay},
		"20240305":                              {day, toDay},
		"05.03.2024":                            {day, toDay},
		"5.3.2024":                              {day, toDay},
		"Tue, 05 Mar 2024 12:00:00 GMT":         {day, toDay},
		"Tue, 5 Mar 2024 12:00:00 -0700":        {day, toDay},
		"Tuesday, 05-Mar-24 12:00:00 GMT":       {day, toDay},
		"Tue Mar  5 12:00:00 2024":              {day, toDay},
		"5 Mar 2024":                            {day, toDay},
		"5 March 2024":                          {day, toDay},
		"March 5, 2024":                         {day, toDay},
		"Mar 5, 2024":                           {day, toDay},
		"1709640000":                            {day, toDay},
		"1709640000.5":                          {day, toDay},
		"1709640000123":                         {day, toDay},
		"2024":                                  {"2024-01-01", toYear},
		"2024.0":                                {"2024-01-01", toYear},
		"1851":                                  {"1851-01-01", toYear},
		"2024-03":                               {"2024-03-01", toMonth},
		"202403":                                {"2024-03-01", toMonth},
		"March 2024":                            {"2024-03-01", toMonth},
		"2024-Q2":                               {"2024-04-01", toQuarter},
		"2024-W10":                              {"2024-03-04", toWeek},
		"2020-W53":                              {"2020-12-28", toWeek},
		"Tue, 05 Mar 2024 12:00:00 +0000 (UTC)": {day, toDay},
	} {
		var c clock
		m, ok := c.read(s)
		if got := time.Unix(m.seconds, 0).UTC().Format(time.DateOnly); !ok || got != want.start || m.exact != want.exact {
			t.Errorf("%q is read as %s, %d (%v); want %s, %d", s, got, m.exact, ok, want.start, want.exact)
		}
	}
	for _, s := range []string{"", "yesterday", "3/5/2024", "2024-13-01", "2024-02-30", "24", "12345", "2024-Q5", "2023-W53", "2024.5", "20241345", "-5", "1e9", "99999999999999999999999"} {
		var c clock
		if m, ok := c.read(s); ok {
			t.Errorf("%q is read as %v", s, time.Unix(m.seconds, 0).UTC())
		}
	}
	us, uk := clock{order: MonthFirst}, clock{order: DayFirst}
	a, okA := us.read("3/5/2024 10:00")
	b, okB := uk.read("5/3/2024")
	if !okA || !okB || a.seconds-b.seconds != 10*3600 {
		t.Errorf("by month %v %v, by day %v %v", a, okA, b, okB)
	}
}

func TestPeriods(t *testing.T) {
	at := func(s string) int64 {
		x, err := time.Parse(time.DateTime, s)
		if err != nil {
			t.Fatal(err)
		}
		return x.Unix()
	}
	first, last := at("1999-12-31 23:59:59"), at("2001-01-01 00:00:00")
	for _, c := range []struct {
		bins            Bins
		count           int
		first, la       string
		startFirst, end string
	}{
		{Year, 3, "1999", "2001", "1999-01-01", "2002-01-01"},
		{Quarter, 6, "1999-Q4", "2001-Q1", "1999-10-01", "2001-04-01"},
		{Month, 14, "1999-12", "2001-01", "1999-12-01", "2001-02-01"},
		{Week, 54, "1999-W52", "2001-W01", "1999-12-27", "2001-01-08"},
		{Day, 368, "1999-12-31", "2001-01-01", "1999-12-31", "2001-01-02"},
		{"2", 2, "1999-12-31/2000-07-02", "2000-07-02/2001-01-01", "1999-12-31", "2001-01-01"},
	} {
		a, err := newAxis(c.bins, first, last)
		if err != nil {
			t.Fatal(err)
		}
		if a.count != c.count {
			t.Errorf("%s: %d periods, want %d", c.bins, a.count, c.count)
		}
		p, q := a.describe(0), a.describe(a.count-1)
		if p.Name != c.first || q.Name != c.la || p.Start.Format(time.DateOnly) != c.startFirst || q.End.Format(time.DateOnly) != c.end {
			t.Errorf("%s: from %+v to %+v", c.bins, p, q)
		}
		if i, j := a.period(moment{first, toDay}), a.period(moment{last, toDay}); i != 0 || j != a.count-1 {
			t.Errorf("%s: the ends are in periods %d and %d", c.bins, i, j)
		}
		for i := range a.count - 1 {
			if !a.describe(i).End.Equal(a.describe(i + 1).Start) {
				t.Errorf("%s: a gap after period %d", c.bins, i)
			}
		}
	}
	if _, err := newAxis(Day, at("1000-01-01 00:00:00"), last); err == nil {
		t.Error("a thousand years in days")
	}
	before := at("1969-12-29 00:00:00") // a Monday
	if a, b := ordinal(Week, before), ordinal(Week, before-1); a != b+1 {
		t.Errorf("weeks %d and %d", a, b)
	}
}

func TestBinsAreChosen(t *testing.T) {
	const year = 365 * secondsPerDay
	for _, c := range []struct {
		span  int64
		exact precision
		want  Bins
	}{
		{10 * secondsPerDay, toDay, Day},
		{100 * secondsPerDay, toDay, Week},
		{2 * year, toDay, Month},
		{2 * year, toYear, Year},
		{8 * year, toDay, Quarter},
		{30 * year, toDay, Year},
		{100 * year, toDay, Year},
	} {
		if got := chooseBins(0, c.span, c.exact); got != c.want {
			t.Errorf("%d days known to %d: %s, want %s", c.span/secondsPerDay, c.exact, got, c.want)
		}
	}
	for _, b := range []Bins{"", Day, Year, "1", "20"} {
		if err := b.Validate(); err != nil {
			t.Error(err)
		}
	}
	for _, b := range []Bins{"0", "-3", "decade", "moth", "100000"} {
		if b.Validate() == nil {
			t.Errorf("%q passes", b)
		}
	}
}
