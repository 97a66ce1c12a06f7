package prevalence

import (
	"fmt"
	"strconv"
	"time"

	"github.com/topoi-lda/topoi/internal/dates"
	"github.com/topoi-lda/topoi/internal/human"
)

// calendar lists the bins from fine to coarse with the precision they need.
var calendar = []struct {
	bins  string
	exact dates.Precision
}{
	{dates.ByDay, dates.ToDay},
	{dates.ByWeek, dates.ToWeek},
	{dates.ByMonth, dates.ToMonth},
	{dates.ByQuarter, dates.ToQuarter},
	{dates.ByYear, dates.ToYear},
	{dates.ByDecade, dates.ToYear},
}

const (
	fewPeriods  = 40     // that chosen bins may give
	mostPeriods = 20_000 // that any bins may give
)

// checkBins returns the fault of the bins, or nil.
func checkBins(b string) error {
	if b == "" || precisionOf(b) >= 0 {
		return nil
	}
	if n, err := strconv.Atoi(b); err == nil {
		return human.FaultIf(n < 1 || n > mostPeriods, "the number of bins is %d: it must be between 1 and %d", n,
			mostPeriods)
	}
	return fmt.Errorf("unknown bins %q%s", b, human.Hint(b, append(dates.BinNames(), "a number")))
}

// precisionOf returns the precision that the calendar's bins need, or −1 for a number of bins.
func precisionOf(b string) int {
	for _, c := range calendar {
		if c.bins == b {
			return int(c.exact)
		}
	}
	return -1
}

// Period is a piece of time.
type Period struct {
	Name  string    `json:"period"` // 2024-03-05, 2024-W10, 2024-03, 2024-Q1, 2024, 2020s, or 2024-03-05/2024-04-01
	Start time.Time `json:"start"`  // its beginning, in UTC
	End   time.Time `json:"end"`    // its end, which it does not include
}

// axis cuts time into periods, numbered from 0.
type axis struct {
	bins        string
	first, last int64 // of the calendar's numbers, or seconds
	count       int
}

const secondsPerDay = 24 * 60 * 60

// ordinal numbers the calendar's periods through all time.
func ordinal(b string, seconds int64) int64 {
	days := floorDiv(seconds, secondsPerDay)
	switch b {
	case dates.ByDay:
		return days
	case dates.ByWeek:
		return floorDiv(days+3, 7) // 1970-01-01 was a Thursday
	}
	t := time.Unix(seconds, 0).UTC()
	month := int64(t.Year())*12 + int64(t.Month()) - 1
	switch b {
	case dates.ByMonth:
		return month
	case dates.ByQuarter:
		return floorDiv(month, 3)
	case dates.ByDecade:
		return floorDiv(int64(t.Year()), 10)
	}
	return int64(t.Year())
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// beginning is the inverse of ordinal.
func beginning(b string, n int64) time.Time {
	date := func(year, month int64) time.Time {
		return time.Date(int(year), time.Month(month), 1, 0, 0, 0, 0, time.UTC)
	}
	switch b {
	case dates.ByDay:
		return time.Unix(n*secondsPerDay, 0).UTC()
	case dates.ByWeek:
		return time.Unix((n*7-3)*secondsPerDay, 0).UTC()
	case dates.ByMonth:
		return date(floorDiv(n, 12), n-12*floorDiv(n, 12)+1)
	case dates.ByQuarter:
		return date(floorDiv(n, 4), 3*(n-4*floorDiv(n, 4))+1)
	case dates.ByDecade:
		return date(10*n, 1)
	}
	return date(n, 1)
}

// newAxis cuts the time from the first to the last of some moments.
func newAxis(b string, first, last int64) (*axis, error) {
	a := &axis{bins: b, first: first, last: last}
	if precisionOf(b) < 0 {
		a.count, _ = strconv.Atoi(b) // checked by Validate
		return a, nil
	}
	a.first, a.last = ordinal(b, first), ordinal(b, last)
	if n := a.last - a.first + 1; n > mostPeriods {
		return nil, fmt.Errorf("the documents span %d periods of a %s, and at most %d can be shown: choose longer ones",
			n, b, mostPeriods)
	}
	a.count = int(a.last - a.first + 1)
	return a, nil
}

// chooseBins returns the finest bins that give few periods, and decades otherwise.
func chooseBins(first, last int64, exact dates.Precision) string {
	for _, c := range calendar {
		if c.exact >= exact && ordinal(c.bins, last)-ordinal(c.bins, first) < fewPeriods {
			return c.bins
		}
	}
	return dates.ByDecade
}

// period returns the number of the period that holds a moment.
func (a *axis) period(m dates.Moment) int {
	if precisionOf(a.bins) >= 0 {
		return int(ordinal(a.bins, m.Seconds) - a.first)
	}
	return int(float64(m.Seconds-a.first) / float64(a.last-a.first+1) * float64(a.count))
}

// tooFine reports whether the bins are finer than the moment is known. Equally long pieces take the
// beginning of every moment.
func (a *axis) tooFine(m dates.Moment) bool {
	p := precisionOf(a.bins)
	return p >= 0 && dates.Precision(p) < m.Exact
}

// describe returns period i.
func (a *axis) describe(i int) *Period {
	if precisionOf(a.bins) < 0 {
		at := func(i int) time.Time {
			return time.Unix(a.first+int64(float64(i)/float64(a.count)*float64(a.last-a.first+1)), 0).UTC()
		}
		p, form := &Period{Start: at(i), End: at(i + 1)}, time.DateOnly
		if a.last-a.first < int64(a.count)*secondsPerDay { // days would not tell them apart
			form = "2006-01-02T15:04:05"
		}
		p.Name = p.Start.Format(form) + "/" + p.End.Format(form)
		return p
	}
	n := a.first + int64(i)
	p := &Period{Start: beginning(a.bins, n), End: beginning(a.bins, n+1)}
	switch a.bins {
	case dates.ByDay:
		p.Name = p.Start.Format(time.DateOnly)
	case dates.ByWeek:
		year, week := p.Start.ISOWeek()
		p.Name = fmt.Sprintf("%04d-W%02d", year, week)
	case dates.ByMonth:
		p.Name = p.Start.Format("2006-01")
	case dates.ByQuarter:
		p.Name = fmt.Sprintf("%04d-Q%d", p.Start.Year(), (int(p.Start.Month())+2)/3)
	case dates.ByDecade:
		p.Name = fmt.Sprintf("%04ds", p.Start.Year())
	default:
		p.Name = fmt.Sprintf("%04d", p.Start.Year())
	}
	return p
}
