package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const tiny = "mutate/testdata/tiny"

// changes returns the changes of all mutants of a function.
func changes(t *testing.T, function string) (list []string) {
	t.Helper()
	mutants, err := find(tinyPackage(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mutants {
		if m.function == function {
			list = append(list, m.change)
		}
	}
	return list
}

func tinyPackage(t *testing.T) *pkg {
	t.Helper()
	p, err := list(t.Context(), "./testdata/tiny")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Every place of a function has its mutants, in order.
func TestFind(t *testing.T) {
	for function, want := range map[string][]string{
		"Clamp": {
			"if x < lo { → if (x < lo) || true {", "if x < lo { → if (x < lo) && false {", "x < lo → x <= lo", "x < lo → x >= lo",
		},
		"Half": {
			"n%2 != 0 → (n%2 != 0) || true", "n%2 != 0 → (n%2 != 0) && false", "n%2 != 0 → n%2 == 0", "n%2 → n*2",
			"if n%2 != 0 { → if n%3 != 0 {", "if n%2 != 0 { → if n%1 != 0 {", "if n%2 != 0 { → if n%2 != 1 {",
			"return 0, errOdd → error lost", "return 0, errOdd → return 1, errOdd",
			"n / 2 → n * 2", "return n / 2, nil → return n / 3, nil", "return n / 2, nil → return n / 1, nil",
		},
		"Count":    {"for range list { → for range list - 1 {", "n++ → (dropped)"},
		"Untested": {"n + 1 → n - 1", "func Untested(n int) int { return n + 1 } → func Untested(n int) int { return n + 2 }", "func Untested(n int) int { return n + 1 } → func Untested(n int) int { return n + 0 }"},
		"errOdd":   nil,
	} {
		if got := changes(t, function); !slices.Equal(got, want) {
			t.Errorf("%s: %q\nwant %q", function, got, want)
		}
	}
}

// The same seed chooses the same mutants, another seed others.
func TestChoose(t *testing.T) {
	chosen := func(seed uint64, match string) (keys []string) {
		mutants, err := (&options{seed: seed, match: regexp.MustCompile(match)}).choose(tinyPackage(t))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mutants {
			keys = append(keys, m.key())
		}
		return keys
	}
	if one, two, again := chosen(1, ""), chosen(2, ""), chosen(1, ""); len(one) != 21 || !slices.Equal(one, again) || slices.Equal(one, two) {
		t.Errorf("%d mutants, the same twice: %v", len(one), slices.Equal(one, again))
	}
	if got := chosen(1, "Count.*dropped"); !slices.Equal(got, []string{tiny + "\tCount\tn++ → (dropped)"}) {
		t.Errorf("%q", got)
	}
}

// The tool tells which mutants of the tiny package die, which do not compile, which survive, and which of these were judged.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a package six times")
	}
	judged := filepath.Join(t.TempDir(), "judged.txt")
	text := "# a comment\n\nequivalent\t" + tiny + "\tClamp\tx < lo → x <= lo\tlo is returned either way\n"
	if err := os.WriteFile(judged, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	o := &options{runner: runner{slower: 8}}
	var b strings.Builder
	if err := run(o, judged, "", `Clamp.*=|error lost|Count|n \+ 1 → n - 1`, []string{"./testdata/tiny"}, &b); err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(b.String()) {
		rows = append(rows, strings.Fields(line))
	}
	want := strings.Fields(tiny + " 6 1 1 2 0 2 50 % 50 %")
	if len(rows) < 2 || !slices.Equal(rows[1], want) {
		t.Errorf("%s\nwant %s", b.String(), want)
	}
	_, survivors, _ := strings.Cut(b.String(), "\n\n")
	var keys []string
	for line := range strings.Lines(survivors) {
		keys = append(keys, strings.Join(strings.Split(line, "\t")[2:4], ": "))
	}
	slices.Sort(keys)
	if want := []string{"Half: return 0, errOdd → error lost", "Untested: n + 1 → n - 1"}; !slices.Equal(keys, want) {
		t.Errorf("survivors %q, want %q", keys, want)
	}
	again := filepath.Join(t.TempDir(), "output.txt")
	if err := os.WriteFile(again, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if left, err := readSurvivors(again); err != nil || len(left) != 2 || !left[tiny+"\tUntested\tn + 1 → n - 1"] {
		t.Errorf("%v %v", left, err)
	}
}

// A verdict has a reason; the verdicts of this tree can be read.
func TestJudged(t *testing.T) {
	if _, err := readJudged("judged.txt"); err != nil {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "judged.txt")
	for _, line := range []string{"equivalent\tp\tf\tc", "equivalent\tp\tf\tc\t", "boring\tp\tf\tc\treason"} {
		if err := os.WriteFile(path, []byte(line+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := readJudged(path); err == nil || !strings.Contains(err.Error(), path+":1: ") {
			t.Errorf("%q: %v", line, err)
		}
	}
}
