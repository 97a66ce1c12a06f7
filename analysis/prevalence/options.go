package prevalence

import (
	"cmp"
	"errors"
	"runtime"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/dates"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/topic"
)

// What documents are grouped by, if not by other columns.
const (
	byLabel      = "label"      // their labels
	byTime       = "time"       // their times, in bins
	labelAndTime = "label,time" // both
)

// Options say what to compute. The zero value groups by label.
type Options struct {
	// By names the columns by which documents are grouped, separated by commas. "label" groups them by label. A column
	// of dates is cut into periods, and so are the documents' times with "time" or with the name of bins such as "year".
	// Default "label".
	By string

	// Bins describes how time is cut: "day", "week" (of ISO 8601, from Monday), "month", "quarter", "year", "decade", or
	// a number of equally long pieces between the first and the last document, such as "20". Default: the finest of
	// these that gives at most 40 periods and is not finer than the times are known.
	Bins string

	DateOrder string   // "mdy" or "dmy", for dates such as 3/5/2024. Default: that of the other dates, if they agree
	Labels    []string // the groups to compute, in this order. Default: all, in bytewise order
	Topics    []int    // default: all

	// Difference adds share(Labels[0]) − share(Labels[1]). There must be two labels.
	Difference bool

	Interval   float64 // c, the share of replicates inside an interval, below 1. Default 0.95; negative: no intervals
	Replicates int     // default 1000
	Seed       uint64  // of the replicates
	Threads    int     // goroutines; never changes the result. Default: all cores

	Progress func(done, total int64) // called with the progress; may be nil
}

// The limits of options.
const (
	mostReplicates = 1 << 18
	mostShares     = 1 << 24 // groups × periods × topics
)

// withDefaults fills in what was left out.
func (o Options) withDefaults(topics int) Options {
	o.By = cmp.Or(o.By, byLabel)
	o.Interval = cmp.Or(o.Interval, 0.95)
	o.Replicates = cmp.Or(o.Replicates, 1000)
	o.Threads = cmp.Or(max(0, o.Threads), runtime.GOMAXPROCS(0))
	if o.Topics == nil {
		o.Topics = lists.Upto(topics)
	}
	return o
}

// Validate returns all faults of the options at once, or nil.
func (o Options) Validate() error {
	return errors.Join(
		checkBins(o.Bins),
		human.FaultIf(o.DateOrder != "" && o.DateOrder != string(dates.MonthFirst) && o.DateOrder != string(dates.DayFirst),
			"unknown order of dates %q: it is %s or %s", o.DateOrder, dates.MonthFirst, dates.DayFirst),
		human.FaultIf(!(o.Interval < 1), "the interval is %v: it must be below 1, such as 0.95", o.Interval),
		human.FaultIf(o.Replicates < 0 || o.Replicates > mostReplicates,
			"the number of replicates is %d: it must be between 1 and %d", o.Replicates, mostReplicates),
		human.FaultIf(o.Difference && (len(o.Labels) != 2 || o.By == byTime || o.Labels[0] == o.Labels[1]),
			"a difference is between two groups: name two different labels, and group by label"),
	)
}

// Share is the share of one topic in a group, in a period, or in both.
type Share struct {
	Tokens uint64  // Σ_d n_dk
	Share  float64 // share of the group's tokens; NaN if it has none
	Low    float64 // the interval's ends; NaN if there is none
	High   float64
}

// Change is the share in one group minus that in another.
type Change struct {
	Difference float64 // NaN if a group has no tokens
	Low        float64 // the interval's ends; NaN if there is none
	High       float64
}

// Difference is the difference between two groups, over all time or in a period.
type Difference struct {
	Period  *Period  // nil if documents are not grouped by time
	Changes []Change // one for each of Result.Topics
}

// Result holds the shares of topics.
type Result struct {
	*Grouping
	Topics      []int
	Shares      [][]Share    // of each cell and topic
	Differences []Difference // empty unless requested
	Interval    float64      // c; 0 if there are no intervals
	Replicates  int
	Seed        uint64
}

// job is one call of Compute.
type job struct {
	model   topic.Documents
	docs    *corpus.Corpus
	options Options
	slots   []int32 // K: the place of a topic in Options.Topics, or −1
	result  *Result
}
