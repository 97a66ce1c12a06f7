package bench

import "testing"

func TestRun(t *testing.T) {
	var rows []Row
	err := Run(t.Context(), Options{
		Device: "cpu", Tokens: []int{20_000, 40_000}, Topics: []int{5, 10}, Samplers: []string{"warp", "batch"},
		Iterations: 4, Evaluate: 2, Threads: 2,
	}, func(r Row) { rows = append(rows, r) })
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 8 {
		t.Fatalf("got %d rows, want one for each of 2 corpora, 2 numbers of topics and 2 samplers", len(rows))
	}
	for _, r := range rows {
		if len(r.Points) != 2 || r.Tokens < 10_000 || r.Ready <= 0 || r.Whole <= r.Points[len(r.Points)-1].Training || r.TokensPerSecond <= 0 || r.Device != "cpu" {
			t.Errorf("implausible: %+v", r)
		}
		if first, last := r.Points[0], r.Points[1]; first.Iteration != 2 || last.Iteration != 4 || last.Training <= first.Training || first.Heldout >= 0 {
			t.Errorf("implausible: %+v", r.Points)
		}
	}
	if rows[0].Sampler != "warp" || rows[1].Sampler != "batch" || rows[2].Topics != 10 || rows[4].Tokens < rows[3].Tokens {
		t.Errorf("rows out of order: %+v", rows)
	}
}

func TestRunRefusesUnknownSamplers(t *testing.T) {
	err := Run(t.Context(), Options{Device: "cpu", Tokens: []int{10_000}, Topics: []int{5}, Samplers: []string{"nosuch"}, Iterations: 1, Evaluate: 1},
		func(Row) { t.Error("a row") })
	if err == nil {
		t.Error("accepted")
	}
}
