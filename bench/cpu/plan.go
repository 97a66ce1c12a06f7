package main

// planned is one training run to measure.
type planned struct {
	name    string
	corpus  string // as bench/corpora.sh knows it
	topics  int
	threads int
	args    []string // further arguments of topoi train
	targets []target
}

// target is a score whose time is asked for.
type target struct {
	score string  // "held-out" or "joint"
	value float64 // nats per token
	peer  float64 // seconds the best other program took, yardstick at its reference speed; 0 when unknown
}

// compare are the priors under which all programs were compared.
var compare = []string{"--alpha-sum", "50", "--beta", "0.01", "--optimize-interval", "0", "--tolerance", "-1"}

// plan lists the runs. The peers' seconds are tomotopy's and WarpLDA's with two
// threads, measured beside the yardstick at 22.4 M tokens/s.
func plan(quick bool) []planned {
	sweeps := func(n, few string) []string {
		if quick {
			n = few
		}
		return append([]string{"--iterations", n}, compare...)
	}
	heldout := func(args []string) []string {
		return append(args, "--holdout", "0.1", "--holdout-last", "--holdout-tokens", "0")
	}
	sampler := func(name string, args []string) []string { return append(args, "--sampler", name) }
	one := func(args []string) []string { return append(args, "--mh-steps", "1") } // as WarpLDA was measured
	generated := "plain"
	if quick {
		generated = "short"
	}
	small := []planned{
		{"generated-100", generated, 100, 2, heldout(sweeps("100", "10")), nil},
		{"kos-100", "kos", 100, 2, heldout(sweeps("500", "20")), nil},
	}
	if quick {
		return small
	}
	return append(small,
		planned{"elife-100-heldout", "elife20", 100, 2, heldout(sweeps("130", "")), []target{{"held-out", -7.98, 94}, {"held-out", -7.94, 194}}},
		planned{"elife-100-joint", "elife20", 100, 2, sweeps("100", ""), []target{{"joint", -9.5, 54}, {"joint", -9.3, 67}, {"joint", -9.1, 93}, {"joint", -9, 105}, {"joint", -8.95, 120}}},
		planned{"elife-1000-joint", "elife20", 1000, 2, sweeps("100", ""), []target{{"joint", -10.5, 64}, {"joint", -10, 84}, {"joint", -9.8, 96}, {"joint", -9.6, 111}, {"joint", -9.4, 133}}},
		planned{"elife-1000-heldout", "elife20", 1000, 2, heldout(sweeps("150", "")), nil},
		// The curves behind the choice of "auto".
		planned{"choose-100-warp", "elife20", 100, 2, sampler("warp", heldout(sweeps("160", ""))), nil},
		planned{"choose-300-batch", "elife20", 300, 2, sampler("batch", heldout(sweeps("70", ""))), nil},
		planned{"choose-300-warp", "elife20", 300, 2, sampler("warp", heldout(sweeps("160", ""))), nil},
		planned{"choose-1000-batch", "elife20", 1000, 2, sampler("batch", heldout(sweeps("40", ""))), nil},
		planned{"elife-100-batch-1", "elife20", 100, 1, sampler("batch", sweeps("30", "")), nil},
		planned{"elife-100-batch-2", "elife20", 100, 2, sampler("batch", sweeps("30", "")), nil},
		planned{"elife-1000-warp-1", "elife20", 1000, 1, sampler("warp", one(sweeps("30", ""))), nil},
		planned{"elife-1000-warp-2", "elife20", 1000, 2, sampler("warp", one(sweeps("30", ""))), nil},
		planned{"elife-10000-warp-2", "elife20", 10000, 2, sampler("warp", one(sweeps("30", ""))), nil},
	)
}
