package bench

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// comparison is some commands to compare with the first of them.
type comparison struct {
	about   string
	runs    []string
	targets []target
}

// target is a score whose time is asked for.
type target struct {
	score string  // "held-out" or "joint"
	value float64 // nats per token
	peer  float64 // seconds that the best other program took, the yardstick at its reference speed
}

// fixed are the priors under which all programs were compared, last the documents held out.
const (
	fixed = " --alpha-sum 50 --beta 0.01 --optimize-interval 0 --tolerance 0 --threads 2"
	last  = fixed + " --holdout 0.1 --holdout-last --holdout-tokens 0"
)

// comparisons are those that the documentation cites. The peers' seconds are tomotopy's
// and WarpLDA's with two threads.
var comparisons = map[string]comparison{
	"heldout": {
		about:   "time to held-out scores, K = 100",
		runs:    []string{"train elife20 -k 100 --iterations 130 --evaluate-every 5" + last},
		targets: []target{{"held-out", -7.98, 94}, {"held-out", -7.94, 194}},
	},
	"joint-100": {
		about:   "time to joint likelihoods, K = 100",
		runs:    []string{"train elife20 -k 100 --iterations 100 --evaluate-every 5" + fixed},
		targets: []target{{"joint", -9.5, 54}, {"joint", -9.1, 93}, {"joint", -9, 105}, {"joint", -8.95, 120}},
	},
	"joint-1000": {
		about:   "time to joint likelihoods, K = 1000",
		runs:    []string{"train elife20 -k 1000 --iterations 100 --evaluate-every 5" + fixed},
		targets: []target{{"joint", -10.5, 64}, {"joint", -10, 84}, {"joint", -9.6, 111}, {"joint", -9.4, 133}},
	},
	"auto-100": {
		"the choice of auto, K = 100",
		samplers("elife20 -k 100", "batch:60", "cvb --cvb zero:60", "warp:160"), nil,
	},
	"auto-300":  {"the choice of auto, K = 300", samplers("elife20 -k 300", "batch:70", "warp:160"), nil},
	"auto-1000": {"the choice of auto, K = 1000", samplers("elife20 -k 1000", "batch:40", "warp:150"), nil},
	"quality": {"all samplers beside gibbs", samplers("kos -k 50", "gibbs:200", "sparse:200", "alias:200",
		"batch:200", "panel:200", "warp:200", "grid:200", "mean:200", "light:200", "mean --uncollapsed:200",
		"cvb:200", "cvb --cvb zero:200"), nil},
	"threads": {"a second thread", []string{
		sweeps("warp", 1000, "elife20", "--threads 1"), sweeps("warp", 1000, "elife20", "--threads 2"),
	}, nil},
	"ends": {"training that stops by itself, by batch and by what auto chooses", []string{
		"train kos -k 50 --holdout 0.1 --sampler batch", "train kos -k 50 --holdout 0.1",
	}, nil},
	"large": {"a million topics beside a thousand", []string{
		sweeps("warp", 1000, "million", "--threads 1"), sweeps("warp", 1_000_000, "million", "--threads 1"),
		sweeps("light", 1000, "million", "--threads 1"), sweeps("light", 1_000_000, "million", "--threads 1"),
	}, nil},
	"cluster": {"two workers around a store beside two threads", []string{
		sweeps("warp", 1000, "elife20", "--threads 2"), sweeps("warp", 1000, "elife20", "--workers 2 --parts 2"),
		sweeps("warp", 1000, "elife20", "--workers 2 --parts 2 --staleness 1"),
		sweeps("warp", 1000, "elife20", "--workers 2 --parts 8 --staleness 1"),
	}, nil},
	"cluster-batch": {"two workers around a store beside two threads, batch", []string{
		sweeps("batch", 1000, "elife20", "--threads 2"), sweeps("batch", 1000, "elife20", "--workers 2 --parts 2"),
		sweeps("batch", 1000, "elife20", "--workers 2 --parts 2 --staleness 1"),
	}, nil},
	"memory": {"training from files beside training in memory", []string{
		sweeps("warp", 1000, "million", "--threads 2"), sweeps("warp", 1000, "million", "--threads 2 --memory 150MB"),
		sweeps("light", 1000, "million", "--threads 2"), sweeps("light", 1000, "million", "--threads 2 --memory 150MB"),
	}, nil},
	"quick": {"a small corpus, to see that everything works", samplers("short -k 20", "batch:20", "warp:20"), nil},
}

// samplers returns runs on the same documents by several samplers, each with its sweeps.
func samplers(what string, list ...string) (runs []string) {
	for _, s := range list {
		name, n, _ := strings.Cut(s, ":")
		runs = append(runs, fmt.Sprintf("train %s --sampler %s --iterations %s --evaluate-every 10%s", what, name, n, last))
	}
	return runs
}

// sweeps returns a run of thirty sweeps, or four of light, whose sweeps take many times as
// long. It is scored every ten, which is when workers tell how far they are.
func sweeps(sampler string, topics int, corpus, flags string) string {
	n := 30
	if sampler == "light" {
		n = 4
	}
	return fmt.Sprintf("train %s -k %d --sampler %s --iterations %d --evaluate-every 10", corpus, topics, sampler, n) +
		" --tolerance 0 --device cpu --checkpoint-every 0 " + flags
}

// avx2 compares the samplers that have vector kernels with AVX2 and with AVX-512: one thread, 100 topics.
func (l *lab) avx2(corpus string) error {
	for _, sampler := range []string{"batch", "cvb --cvb zero", "warp"} {
		run := fmt.Sprintf("study %s -k 100 --sampler %s --iterations 40 --evaluate-every 10 --alpha-sum 10"+
			" --optimize-interval 0 --tolerance 0 --threads 1 --checkpoint-every 0 --holdout-tokens 0", corpus, sampler)
		if err := l.compare(comparison{runs: []string{"TOPOI_SIMD=avx512 " + run, "TOPOI_SIMD=avx2 " + run}}); err != nil {
			return err
		}
	}
	return nil
}

// list prints the comparisons.
func list() {
	for _, name := range slices.Sorted(maps.Keys(comparisons)) {
		fmt.Printf("%-14s %s\n", name, comparisons[name].about)
		for _, line := range comparisons[name].runs {
			fmt.Printf("    %s\n", line)
		}
	}
	fmt.Println("stop/CORPUS/K[/SAMPLER]  when training stops, and what four times as many sweeps would have brought")
	fmt.Println("grid/CORPUS/K[/default|/SAMPLER:SWEEPS]  the default, and the best of all samplers in four times as many sweeps")
	fmt.Println("avx2/CORPUS              AVX2 beside AVX-512, K = 100")
	fmt.Println("priors/CORPUS/K          learned priors beside Σα kept at 1, 5 and 50")
}
