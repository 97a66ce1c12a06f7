package training

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/cluster/simulate"
	"github.com/topoi-lda/topoi/internal/human"
)

// simulation is one run of topoi cluster simulate.
type simulation struct {
	*cli.App
	command  *cobra.Command
	job      simulate.Job
	machines simulate.Machines
	gigabits float64 // bandwidth
	json     bool
}

func addClusterSimulate(a *cli.App, parent *cobra.Command) {
	s := &simulation{App: a}
	s.command = &cobra.Command{
		Use:   "simulate [flags]",
		Short: "Predict times, traffic and memory of a job",
		Long: `Predict how long an iteration takes, what travels, and what must fit into memory,
at the beginning, when every word is in many topics, and later, when few are left.
Each figure stands beside the formula it comes from; docs/cluster.md explains them.`,
		Example: `  topoi cluster simulate --tokens 1e9 --words 200000 -k 10000 --workers 8 --shards 2 --token-rate 10e6
  topoi cluster simulate --tokens 200e9 --words 1000000 -k 1000000 --workers 24 --shards 24 --apart --bandwidth 1`,
	}
	j, m := &s.job, &s.machines
	cli.Section(s.command, "The corpus and its model", func(fs *pflag.FlagSet) {
		fs.Float64Var(&j.Tokens, "tokens", 1e9, "`number` of tokens, such as 1e9")
		fs.IntVar(&j.Words, "words", 100_000, "`number` of words in the vocabulary")
		fs.IntVarP(&j.Topics, "topics", "k", 1000, "`number` of topics")
		fs.Float64Var(&j.Changed, "changed", 0.25, "`share` of the tokens whose topic a later iteration changes")
		fs.Float64Var(&j.First, "first-spread", 1, "`exponent` of the first iterations: 1 with random topics, less with few topics per word to begin with")
		fs.Float64Var(&j.Spread, "spread", 0.65, "`exponent`: a word that occurs n times is in about n^spread topics later on")
	})
	cli.Section(s.command, "The cut", func(fs *pflag.FlagSet) {
		fs.IntVar(&j.Workers, "workers", 4, "`number` of workers")
		fs.IntVar(&j.Shards, "shards", 1, "`number` of nodes of the store")
		fs.IntVar(&j.Parts, "parts", 0, "`number` of parts of the corpus (default: one per worker)")
		fs.IntVar(&j.Staleness, "staleness", 1, "`rounds` that other workers' changes come late")
		fs.IntVar(&j.Rounds, "rounds", 1, "`number` of rounds in an iteration: 1 for warp and light, as many as mini-batches for batch")
		fs.BoolVar(&j.Apart, "apart", false, "no worker keeps all rows (submit --rows apart)")
		fs.BoolVar(&j.State, "state", false, "topics of tokens are on a disk that all see, not in the store (submit --state)")
		fs.IntVar(&j.Barriers, "barriers", 5, "`iterations` between two barriers: as evaluations and estimations of α and β, of which the latter are every 5 unless told otherwise")
	})
	cli.Section(s.command, "The machines", func(fs *pflag.FlagSet) {
		fs.Float64Var(&m.TokenRate, "token-rate", 10e6, "`tokens` that a worker draws in a second")
		fs.Float64Var(&m.CodeRate, "code-rate", 50e6, "`entries` that a worker encodes or adds in a second")
		fs.Float64Var(&s.gigabits, "bandwidth", 10, "`Gbit/s` of each machine's network, each way")
		fs.Float64Var(&m.StoreRate, "store-rate", 1e9, "`bytes` that one node of the store moves in a second")
		fs.DurationVar(&m.Latency, "latency", 200*time.Microsecond, "`time` of a round trip to the store")
		fs.Float64Var(&m.Jitter, "jitter", 0.05, "`share` by which workers differ in speed")
		fs.BoolVar(&s.json, "json", false, "write JSON")
	})
	a.AddTo(parent, groupPlan, s.command, s.check, s.run)
}

// check settles the numbers.
func (s *simulation) check(args []string) error {
	if err := cli.NoArguments(s.command)(args); err != nil {
		return err
	}
	s.machines.Bandwidth = s.gigabits * 1e9 / 8
	s.job.Parts = cmp.Or(s.job.Parts, s.job.Workers)
	return s.job.Validate(s.machines)
}

func (s *simulation) run(context.Context, []string) error {
	first := s.job
	first.Spread, first.Changed = cmp.Or(first.First, 1), 1
	early, later := simulate.Predict(first, s.machines), simulate.Predict(s.job, s.machines)
	if s.json {
		return s.WriteJSON(map[string]any{"job": s.job, "machines": s.machines, "first_iteration": early, "later_iterations": later})
	}
	j, m := s.job, s.machines
	formulas := eachReadsAll
	switch {
	case j.Apart:
		formulas = rowsAreRead
	case later.Summed:
		formulas = sumsAreRead
	}
	fmt.Fprintf(s.Stdout, "%s tokens, %s words, %s topics; %s, %s of the store, %s, staleness %d, %g Gbit/s\n\n",
		human.Rate(j.Tokens), human.Count(j.Words), human.Count(j.Topics), human.Of(j.Workers, "worker"), human.Of(j.Shards, "node"),
		human.Of(j.Parts, "part"), j.Staleness, s.gigabits)
	w := tabwriter.NewWriter(s.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "an iteration\tfirst\tlater\t")
	row := func(name, formula string, value func(simulate.Forecast) string) {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", name, value(early), value(later), formula)
	}
	span := func(pick func(simulate.Forecast) time.Duration) func(simulate.Forecast) string {
		return func(f simulate.Forecast) string { return human.Duration(pick(f)) }
	}
	size := func(pick func(simulate.Forecast) float64) func(simulate.Forecast) string {
		return func(f simulate.Forecast) string { return human.Bytes(int64(pick(f))) }
	}
	number := func(pick func(simulate.Forecast) float64) func(simulate.Forecast) string {
		return func(f simulate.Forecast) string { return human.Rate(pick(f)) }
	}
	row("takes", s.sumFormula(), span(func(f simulate.Forecast) time.Duration { return f.Iteration }))
	row("  sampling", fmt.Sprintf("N / (W r) = %.3g / (%d · %.3g), the slowest worker's", j.Tokens, j.Workers, m.TokenRate), span(func(f simulate.Forecast) time.Duration { return f.Sampling }))
	row("  coding", fmt.Sprintf("(%s) / C, C = %.3g entries/s%s", formulas.coding, m.CodeRate, formulas.sparse), span(func(f simulate.Forecast) time.Duration { return f.Coding }))
	row("  exchange", "slowest of worker's link, node's link, node's copying; and round trips", span(func(f simulate.Forecast) time.Duration { return f.Exchange }))
	row("  barrier", barrierFormula(j), span(func(f simulate.Forecast) time.Duration { return f.Barrier }))
	row("waiting", "share in which a worker neither samples nor codes", func(f simulate.Forecast) string { return fmt.Sprintf("%.0f %%", 100*f.Waiting) })
	row("rows", "e_R = Σ_w K (1 - exp(-n_w^b / K)) entries, b = "+firstSpread(j)+" at first", number(func(f simulate.Forecast) float64 { return f.RowEntries }))
	row("", "b_R, as blobs", size(func(f simulate.Forecast) float64 { return f.RowBytes }))
	row("changes of a part", "e_P entries", number(func(f simulate.Forecast) float64 { return f.PartEntries }))
	row("", "b_P, as blobs", size(func(f simulate.Forecast) float64 { return f.PartBytes }))
	row("changes together", "e_Σ entries", number(func(f simulate.Forecast) float64 { return f.SumEntries }))
	row("", "b_Σ, as blobs", size(func(f simulate.Forecast) float64 { return f.SumBytes }))
	row("a worker sends", formulas.sent, size(func(f simulate.Forecast) float64 { return f.Sent }))
	row("a worker receives", formulas.received, size(func(f simulate.Forecast) float64 { return f.Received }))
	row("a node moves", formulas.moved, size(func(f simulate.Forecast) float64 { return f.ShardMoved }))
	row("slices, at least", "largest blob at most 256 MB, half of what Redis takes", func(f simulate.Forecast) string { return fmt.Sprint(f.Slices) })
	row("memory of the store", formulas.store, size(func(f simulate.Forecast) float64 { return f.StoreMemory }))
	row("memory of a worker", formulas.worker, size(func(f simulate.Forecast) float64 { return f.WorkerMemory }))
	return w.Flush()
}

// trafficFormulas say what a round costs in a worker and in the store.
type trafficFormulas struct{ coding, sparse, sent, received, moved, store, worker string }

// The ways in which changes reach everybody: see package simulate.
var (
	eachReadsAll = trafficFormulas{
		"P/W e_P + P e_P + e_S", sparseRows, "P/W b_P", "P (1 - 1/W) b_P", "P W b_P / H", wholeStore, wholeWorker,
	}
	sumsAreRead = trafficFormulas{
		"2 P/W e_P + e_Σ/W + e_Σ + e_S", sparseRows, "(P b_P + b_Σ) / W", "P/W b_P + b_Σ", "(2 P b_P + (W + 1) b_Σ) / H", wholeStore, wholeWorker,
	}
	rowsAreRead = trafficFormulas{
		"(2 + s) P/W e_P + 2 e_R/W + P/W e_R", "", "(P b_P + b_R) / W", "P/W (b_P + b_R) + P b_K, b_K = 4 K for n_k of a part", "(2 P b_P + (P + 1) b_R) / H",
		"b_R for each round since the last barrier, at most 4, and s + 1 before; (s + 1) P b_P under way", "b_R/W, two open slices, 20 N/W, s P/W b_P, 256 K + 48 V P/W for tables",
	}
)

const (
	sparseRows  = ", e_S = those of e_R with n_w < K"
	wholeStore  = "2 (rows + topics of all tokens) + changes since the last barrier"
	wholeWorker = "4 K for each word with n_w ≥ K, 2 · 8 e_S for the others, 18 N/W"
)

// barrierFormula says what a barrier is, and how often.
func barrierFormula(j simulate.Job) string {
	if j.Apart {
		return "topics, every " + human.Of(simulate.BarrierEvery(j), "iteration")
	}
	return "rows and topics, every " + human.Of(j.Barriers, "iteration")
}

// firstSpread is b of the first iterations.
func firstSpread(j simulate.Job) string { return fmt.Sprintf("%g", cmp.Or(j.First, 1)) }

// sumFormula says how the parts of an iteration add up.
func (s *simulation) sumFormula() string {
	parts := []string{"sampling", "coding", "exchange", "barrier"}
	if s.job.Staleness == 0 {
		return strings.Join(parts, " + ")
	}
	return "max(sampling + coding, exchange) + barrier"
}
