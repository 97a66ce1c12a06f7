package prevalence

import (
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/dates"
)

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
		bins            string
		count           int
		first, la       string
		startFirst, end string
	}{
		{dates.ByYear, 3, "1999", "2001", "1999-01-01", "2002-01-01"},
		{dates.ByQuarter, 6, "1999-Q4", "2001-Q1", "1999-10-01", "2001-04-01"},
		{dates.ByMonth, 14, "1999-12", "2001-01", "1999-12-01", "2001-02-01"},
		{dates.ByWeek, 54, "1999-W52", "2001-W01", "1999-12-27", "2001-01-08"},
		{dates.ByDay, 368, "1999-12-31", "2001-01-01", "1999-12-31", "2001-01-02"},
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
		if i, j := a.period(dates.Moment{Seconds: first}), a.period(dates.Moment{Seconds: last}); i != 0 || j != a.count-1 {
			t.Errorf("%s: the ends are in periods %d and %d", c.bins, i, j)
		}
		for i := range a.count - 1 {
			if !a.describe(i).End.Equal(a.describe(i + 1).Start) {
				t.Errorf("%s: a gap after period %d", c.bins, i)
			}
		}
	}
	if _, err := newAxis(dates.ByDay, at("1000-01-01 00:00:00"), last); err == nil {
		t.Error("a thousand years in days")
	}
	before := at("1969-12-29 00:00:00") // a Monday
	if a, b := ordinal(dates.ByWeek, before), ordinal(dates.ByWeek, before-1); a != b+1 {
		t.Errorf("weeks %d and %d", a, b)
	}
}

func TestBinsAreChosen(t *testing.T) {
	const year = 365 * secondsPerDay
	for _, c := range []struct {
		span  int64
		exact dates.Precision
		want  string
	}{
		{10 * secondsPerDay, dates.ToDay, dates.ByDay},
		{100 * secondsPerDay, dates.ToDay, dates.ByWeek},
		{2 * year, dates.ToDay, dates.ByMonth},
		{2 * year, dates.ToYear, dates.ByYear},
		{8 * year, dates.ToDay, dates.ByQuarter},
		{30 * year, dates.ToDay, dates.ByYear},
		{100 * year, dates.ToDay, dates.ByDecade},
		{1000 * year, dates.ToYear, dates.ByDecade},
	} {
		if got := chooseBins(0, c.span, c.exact); got != c.want {
			t.Errorf("%d days known to %d: %s, want %s", c.span/secondsPerDay, c.exact, got, c.want)
		}
	}
	for _, b := range []string{"", dates.ByDay, dates.ByYear, dates.ByDecade, "1", "20"} {
		if err := checkBins(b); err != nil {
			t.Error(err)
		}
	}
	for _, b := range []string{"0", "-3", "decades", "moth", "100000"} {
		if checkBins(b) == nil {
			t.Errorf("%q passes", b)
		}
	}
}
