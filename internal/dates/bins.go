package dates

// The bins into which the calendar cuts time.
const (
	ByDay     = "day"
	ByWeek    = "week" // of ISO 8601, from Monday
	ByMonth   = "month"
	ByQuarter = "quarter"
	ByYear    = "year"
	ByDecade  = "decade"
)

// BinNames lists the bins of the calendar as help shows them.
func BinNames() []string { return []string{ByMonth, ByQuarter, ByYear, ByDecade, ByWeek, ByDay} }
