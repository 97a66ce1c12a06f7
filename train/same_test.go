package train

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/simd"
)

// The samplers that have code of their own for vector instructions, and those
// that they are compared with.
var fastSamplers = []string{"batch", "warp", "gibbs", "sparse"}

// fingerprints trains every fast sampler with several numbers of threads and
// topics and lists what came out.
func fingerprints(t testing.TB, c *corpus.Corpus, iterations int, topics, threads []int) string {
	var b strings.Builder
	for _, name := range fastSamplers {
		for _, k := range topics {
			for _, n := range threads {
				m, err := Run(t.Context(), c, topoi.Options{Topics: k, Sampler: name, Iterations: iterations, Seed: 11, BurnIn: 2, OptimizeInterval: 2, Threads: n})
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintln(&b, name, k, m.Fingerprint())
			}
		}
	}
	return b.String()
}

// zipf makes a corpus of skewed words and lengths, with empty documents.
func zipf(docs int) *corpus.Corpus {
	key := rng.NewKey(8)
	list := make([][]string, docs)
	for d := range list {
		for i := range rng.Below(key.Block(uint32(d), 0, 1, 0)[0], 120) {
			x := rng.Float64(key.Block(uint32(d), i, 2, 0)[0], 0)
			list[d] = append(list[d], fmt.Sprint("w", int(300*x*x*x)))
		}
	}
	return corpus.FromTokens(list)
}

// sameBytes compares two models by manifest and fingerprint.
func sameBytes(t *testing.T, got, want *topoi.Model) {
	t.Helper()
	if !reflect.DeepEqual(got.Manifest(), want.Manifest()) {
		t.Errorf("manifest %+v\nwant %+v", got.Manifest(), want.Manifest())
	}
	if got.Fingerprint() != want.Fingerprint() {
		t.Errorf("fingerprint %s, want %s", got.Fingerprint(), want.Fingerprint())
	}
}

const printFingerprints = "TOPOI_TEST_PRINT_FINGERPRINTS"

// Models must not depend on the instruction set. The choice is made when a
// program starts, so this test starts itself anew with other choices.
func TestSameModelForEveryInstructionSet(t *testing.T) {
	run := func() string {
		list := fingerprints(t, zipf(60), 6, []int{1, 31, 33, 100, 200}, []int{2})
		if c := kos(t); c != nil {
			list += fingerprints(t, c, 2, []int{50}, []int{2})
		}
		return list
	}
	if os.Getenv(printFingerprints) != "" {
		fmt.Print("instructions: avx512 ", simd.AVX512, ", avx2 ", simd.AVX2, "\n", run())
		return
	}
	want := run()
	for _, set := range []string{"off", "avx2"} {
		c := exec.Command(os.Args[0], "-test.run=^TestSameModelForEveryInstructionSet$")
		c.Env = append(os.Environ(), printFingerprints+"=1", "TOPOI_SIMD="+set)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("TOPOI_SIMD=%s: %v\n%s", set, err, out)
		}
		if !strings.Contains(string(out), want) {
			t.Errorf("TOPOI_SIMD=%s: got\n%swant\n%s", set, out, want)
		}
	}
}

// kos opens a real corpus, or returns nil when it is not beside the repository.
func kos(t *testing.T) *corpus.Corpus {
	const path = "../shared/data/kos/docword.kos.txt.gz"
	if _, err := os.Stat(path); err != nil {
		t.Logf("done without KOS: %s is not there", path)
		return nil
	}
	c, _, err := corpus.Load(t.Context(), []string{path}, corpus.ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// On a real corpus too, models are the same for any number of threads, and for
// a run that was stopped and resumed.
func TestSameModelOnKOS(t *testing.T) {
	c := kos(t)
	if c == nil {
		t.Skip("needs KOS beside the repository")
	}
	list := strings.Split(strings.TrimSpace(fingerprints(t, c, 3, []int{50}, []int{1, 2, 3, 8})), "\n")
	for i, name := range fastSamplers {
		for _, other := range list[4*i+1 : 4*i+4] {
			if other != list[4*i] {
				t.Errorf("threads change the model: %q and %q", list[4*i], other)
			}
		}
		opts := topoi.Options{Topics: 50, Sampler: name, Seed: 11, BurnIn: 2, OptimizeInterval: 2, Checkpoint: filepath.Join(t.TempDir(), "checkpoint"), Resume: true}
		for n := 1; n <= 3; n++ {
			opts.Iterations = n
			m, err := Run(t.Context(), c, opts)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprintln(name, 50, m.Fingerprint()); n == 3 && strings.TrimSpace(got) != list[4*i] {
				t.Errorf("resuming changes the model: %q and %q", got, list[4*i])
			}
		}
	}
}

// Staleness changes the model, but threads and stopping do not; parts without it
// leave no trace.
func TestSameStaleModel(t *testing.T) {
	c := zipf(4000) // a few blocks of 65,536 tokens
	opts := topoi.Options{Topics: 20, Sampler: "warp", Iterations: 4, BurnIn: 1, OptimizeInterval: 2, Tuning: topoi.Tuning{Staleness: 2, Parts: 3}}
	train := func(o topoi.Options) *topoi.Model {
		t.Helper()
		m, err := Run(t.Context(), c, o)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	want := train(opts)
	resumed := opts
	resumed.Threads, resumed.Checkpoint, resumed.Resume = 1, filepath.Join(t.TempDir(), "checkpoint"), true
	for n := 1; n <= 4; n++ {
		resumed.Iterations = n
		if m := train(resumed); n == 4 && m.Fingerprint() != want.Fingerprint() {
			t.Error("resuming changes the model")
		}
	}
	fresh, cut := opts, opts
	fresh.Tuning, cut.Tuning = topoi.Tuning{}, topoi.Tuning{Parts: 3}
	if train(fresh).Fingerprint() == want.Fingerprint() {
		t.Error("staleness changes nothing")
	}
	if got := train(cut).Manifest(); got.Options.Tuning != (topoi.Tuning{}) {
		t.Errorf("the model records %+v", got.Options.Tuning)
	}
}
