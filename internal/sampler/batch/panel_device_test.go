package batch

import (
	"errors"
	"math"
	"testing"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// startPanel starts panel on a device.
func startPanel(t testing.TB, p *sampler.Problem, d *device.Device, priors *sampler.Priors) *panelOn {
	t.Helper()
	remote, err := samplertest.InfoOf("panel").On(p, d)
	samplertest.MustDo(t, err)
	samplertest.MustDo(t, remote.Start(nil, priors))
	return remote.(*panelOn)
}

// checkPanel fetches the state and checks that the counts on the device are those of
// the topics, whatever order they came about in.
func checkPanel(t *testing.T, p *sampler.Problem, s *panelOn) {
	t.Helper()
	samplertest.MustDo(t, s.Fetch())
	nwk, nk := make([]uint32, p.V*s.pad), make([]uint32, p.K)
	samplertest.MustDo(t, errors.Join(s.nwkOn.Download(nwk), s.nkOn.Download(nk)))
	for w := range p.V {
		for k := range s.pad {
			want := uint32(0)
			if k < p.K {
				want = uint32(s.Nwk[w*p.K+k])
			}
			if nwk[w*s.pad+k] != want {
				t.Fatalf("the device has n_wk = %d for word %d and topic %d, z says %d", nwk[w*s.pad+k], w, k, want)
			}
		}
	}
	for k, n := range nk {
		if n != uint32(s.Nk[k]) {
			t.Fatalf("the device has n_k = %d for topic %d, z says %d", n, k, s.Nk[k])
		}
	}
	samplertest.CheckCounts(t, p, s)
}

// countsStayTrue runs a case and checks all counts after every sweep.
func countsStayTrue(t *testing.T, d *device.Device, c samplertest.DeviceCase) {
	t.Helper()
	s := startPanel(t, c.Problem, d, c.Priors)
	defer s.Close()
	checkPanel(t, c.Problem, s)
	for i := 1; i <= c.Iterations; i++ {
		samplertest.MustDo(t, s.Sweep(t.Context(), i, c.Priors))
		checkPanel(t, c.Problem, s)
	}
}

// Documents of one token, each of a word of its own, leave all rows empty once the token
// is out, and no other counts matter: its topic is drawn with p_k ∝ α_k/(n_k + Vβ), n_k
// as before the mini-batch. Pearson's χ² of n such draws has mean K-1 and variance
// 2(K-1); seeds are fixed, and 5 deviations are allowed.
func panelDrawsAsItShould(t *testing.T, d *device.Device, n, k int) {
	t.Helper()
	docs := make([][]uint32, n)
	for i := range docs {
		docs[i] = []uint32{uint32(i)}
	}
	p := samplertest.ProblemOf(n, k, docs...)
	p.Tuning.MiniBatches = 1
	priors := samplertest.PriorsFor(k)
	s := startPanel(t, p, d, priors)
	defer s.Close()
	expected, sum := make([]float64, k), 0.0
	for topic, count := range s.Nk {
		expected[topic] = priors.Alpha[topic] / (float64(count) + float64(p.V)*priors.Beta)
		sum += expected[topic]
	}
	samplertest.MustDo(t, s.Sweep(t.Context(), 1, priors))
	checkPanel(t, p, s)
	chi := 0.0
	for topic, count := range s.Nk {
		e := expected[topic] / sum * float64(n)
		chi += (float64(count) - e) * (float64(count) - e) / e
	}
	if free := float64(k - 1); chi > free+5*math.Sqrt(2*free) {
		t.Errorf("K = %d: χ² of %d draws is %.0f, with %d degrees of freedom", k, n, chi, k-1)
	}
}

// panelLearns trains on documents that have topics and returns the joint likelihoods per
// token of gibbs at the start and the end, of panel on the CPU, and of it on the device.
func panelLearns(t *testing.T, d *device.Device, p *sampler.Problem, k, sweeps int) (begin, gibbs, cpu, gpu float64) {
	t.Helper()
	priors := &sampler.Priors{Alpha: make([]float64, k), Beta: 0.05}
	for i := range priors.Alpha {
		priors.Alpha[i] = 0.2
	}
	p.Tuning.MiniBatches = 5
	score := func(s sampler.Sampler) float64 {
		for i := 1; i <= sweeps; i++ {
			samplertest.MustDo(t, s.Sweep(t.Context(), i, priors))
		}
		if remote, ok := s.(sampler.Remote); ok {
			samplertest.MustDo(t, remote.Fetch())
		}
		return samplertest.LogJoint(p, samplertest.TopicsOf(s, p), priors) / float64(p.N())
	}
	first := samplertest.Start(t, "gibbs", p, nil, priors)
	begin = samplertest.LogJoint(p, samplertest.TopicsOf(first, p), priors) / float64(p.N())
	s := startPanel(t, p, d, priors)
	defer s.Close()
	return begin, score(first), score(samplertest.Start(t, "panel", p, nil, priors)), score(s)
}

func TestEmulatedPanel(t *testing.T) {
	d := samplertest.Emulation(t)
	for seed := range uint64(4) {
		c := samplertest.RandomDeviceCase("panel", seed)
		c.Iterations = 2
		countsStayTrue(t, d, c)
	}
	large := samplertest.DeviceCase{Problem: samplertest.RandomProblem(1, 3, 4, 65_535, 6), Iterations: 1, Priors: samplertest.SymmetricPriors(65_535)} // rows beyond shared memory
	countsStayTrue(t, d, large)
	for _, k := range []int{2, 40, 1100} {
		panelDrawsAsItShould(t, d, 1000, k)
	}
	begin, gibbs, _, got := panelLearns(t, d, samplertest.TopicalProblem(1, 60, 60, 6, 6, 20), 6, 30)
	if (gibbs-got)/(gibbs-begin) > 0.2 { // one run; four seeds gave -0.08 to 0.015
		t.Errorf("the joint likelihood rises from %.3f to %.3f, that of gibbs to %.3f", begin, got, gibbs)
	}
}

func TestPanelOnGPU(t *testing.T) {
	d := samplertest.Gpu(t)
	for seed := range samplertest.DeviceCases() {
		countsStayTrue(t, d, samplertest.RandomDeviceCase("panel", seed))
	}
	for _, k := range []int{1, 31, 33, 1000, 30_000, 65_535} {
		docs := 100
		if k > 2000 {
			docs = 10
		}
		countsStayTrue(t, d, samplertest.DeviceCase{Problem: samplertest.RandomProblem(uint64(k), docs, 50, k, 300), Iterations: 2, Priors: samplertest.SymmetricPriors(k)})
	}
	if testing.Short() {
		return
	}
	hot := samplertest.DeviceCase{Problem: samplertest.RandomProblem(5, 30, 100, 40, 5000), Iterations: 3, Priors: samplertest.SymmetricPriors(40)}
	hot.Problem.Tuning.MiniBatches = 1 // a word with 37,000 tokens, worked on by several blocks of threads
	countsStayTrue(t, d, hot)
	for _, k := range []int{2, 31, 33, 1000, 1100} {
		panelDrawsAsItShould(t, d, 50_000, k)
	}
}

// Over twelve seeds, panel on the GPU must reach the joint likelihood that it reaches on
// the CPU. Runs differ by chance, so the difference of the means is compared with its
// standard deviation as the runs show it: 4 of them, and 0.01 nats for the fresher
// n_k that tasks have on the CPU.
func TestPanelOnGPULearnsAsOnTheCPU(t *testing.T) {
	d := samplertest.Gpu(t)
	const runs = 12
	var sum, square float64
	for seed := range uint64(runs) {
		p := samplertest.TopicalProblem(seed, 300, 120, 12, 12, 60)
		p.Seed = seed
		_, _, cpu, gpu := panelLearns(t, d, p, 12, 60)
		sum += gpu - cpu
		square += (gpu - cpu) * (gpu - cpu)
	}
	mean := sum / runs
	deviation := math.Sqrt((square/runs - mean*mean) / (runs - 1))
	t.Logf("GPU minus CPU: %.4f ± %.4f nats per token", mean, deviation)
	if math.Abs(mean) > 4*deviation+0.01 {
		t.Errorf("the GPU's joint likelihood is %.4f ± %.4f above the CPU's", mean, deviation)
	}
}
