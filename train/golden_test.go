package train

import (
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/simd"
)

// goldenFile holds a line for every run of goldenRuns: the fingerprint, and the run's
// name. A change that is not meant to change results leaves it as it is. One that is
// meant to renews it, by
//
//	go test ./train -run TestGolden -update
//
// in a commit of its own that says what changed and why.
const goldenFile = "testdata/golden.txt"

var update = flag.Bool("update", false, "write the golden files anew")

// goldenRun is one small run.
type goldenRun struct {
	name string                    // unique, one word
	make func(t *testing.T) string // returns the fingerprint, or "" if this machine cannot do it
}

// goldenPrint is the fingerprint of a run's outcome: the XXH3-64 of its text.
func goldenPrint(of ...any) string {
	sum := xxh3.HashString128(fmt.Sprintln(of...)).Bytes()
	return hex.EncodeToString(sum[:8])
}

// goldenModel is the fingerprint of a model and of the scores on the way there.
func goldenModel(m *topoi.Model) string {
	var scores strings.Builder
	for _, s := range m.Manifest().History {
		fmt.Fprintf(&scores, "%d %.9g %.9g %.9g %.9g;", s.Iteration, s.LogLikelihood, predictive(s), s.AlphaSum, s.Beta)
	}
	return goldenPrint(m.Fingerprint(), m.Manifest().Stopped, scores.String())
}

// Every run gives the bytes that it gave when the file was written, wherever and
// however it runs.
func TestGolden(t *testing.T) {
	want := readGolden(t)
	var lines strings.Builder
	seen := map[string]bool{}
	for _, run := range goldenRuns(t) {
		if seen[run.name] || strings.ContainsAny(run.name, " \n") {
			t.Fatalf("the name %q is not one word, or not the only one", run.name)
		}
		seen[run.name] = true
		got := run.make(t)
		switch {
		case got == "": // this machine cannot do it
			got = want[run.name]
		case got != want[run.name] && !*update:
			t.Errorf("%s: fingerprint %s, want %s", run.name, got, want[run.name])
		}
		fmt.Fprintln(&lines, got, run.name)
	}
	for name := range want {
		if !seen[name] && !*update {
			t.Errorf("%s: there is no such run any more", name)
		}
	}
	t.Log(len(seen), "runs")
	if *update {
		if err := os.WriteFile(goldenFile, []byte(lines.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// readGolden returns the fingerprints by run.
func readGolden(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(goldenFile)
	if err != nil && !(*update && errors.Is(err, fs.ErrNotExist)) {
		t.Fatal(err)
	}
	prints := map[string]string{}
	for line := range strings.Lines(string(text)) {
		fingerprint, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		prints[name] = fingerprint
	}
	return prints
}

// instructions runs f with vector instructions up to a set: "off", "avx2" or "best".
func instructions(set string, f func() string) string {
	avx2, avx512 := simd.AVX2, simd.AVX512
	defer func() { simd.AVX2, simd.AVX512 = avx2, avx512 }()
	simd.AVX2 = avx2 && set != "off"
	simd.AVX512 = avx512 && set == "best"
	return f()
}
