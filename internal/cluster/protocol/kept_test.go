package protocol_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	update  = flag.Bool("update", false, "write what comes of kept traces, and drop events that do not take place")
	printed = flag.Bool("log", false, "print all that happens in kept traces")
)

// keptTrace is a file of testdata: what it is about, in lines that begin with #, the trace, and what came of it behind
// a line of dashes.
type keptTrace struct {
	about string
	*trace
	outcome string
}

const dashes = "----\n"

// mostNotes bounds the lines of an outcome: some faults go on for ever.
const mostNotes = 12

// readKept reads a kept trace.
func readKept(t *testing.T, path string) *keptTrace {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	k := &keptTrace{}
	told, outcome, _ := strings.Cut(string(text), dashes)
	for line := range strings.Lines(told) {
		if strings.HasPrefix(line, "#") {
			k.about += line
		}
	}
	if k.trace, err = parseTrace(told); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	k.outcome = outcome
	return k
}

// String returns the file.
func (k *keptTrace) String() string { return k.about + k.trace.String() + dashes + k.outcome }

// write writes the file.
func (k *keptTrace) write(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(k.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// replay runs a trace. It returns the events that took place, at the times at which they did, what is worth telling,
// and what is wrong.
func replay(tr *trace, p planted, log func(line string)) (took *trace, notes string, err error) {
	x := newReplay(tr, p)
	x.log = log
	err = x.run()
	for i, line := range x.notes {
		if i == mostNotes {
			notes += fmt.Sprintf("and %d lines more\n", len(x.notes)-i)
			break
		}
		notes += line + "\n"
	}
	if err != nil {
		notes += fmt.Sprintf("fails: %v\n", err)
	}
	return x.told.whatTook(), notes, err
}

// fails reports whether a trace fails with a fault that is planted, and with none does not.
func (p planted) fails(tr *trace, settled time.Duration) bool {
	x, sound := newReplay(tr, p), newReplay(tr, planted{})
	x.settled, sound.settled = settled, settled
	return x.run() != nil && (p == planted{} || sound.run() == nil)
}

// checkKept replays a kept trace. All of it must take place, with the outcome that is written there. Otherwise the code
// has changed so that the trace tells another story, or none: look at it, and write it with -update if it is still
// worth keeping.
func checkKept(t *testing.T, path string, p planted) (err error) {
	t.Helper()
	k := readKept(t, path)
	took, outcome, err := replay(k.trace, p, func(line string) {
		if *printed {
			t.Log(line)
		}
	})
	now := &keptTrace{k.about, took, outcome}
	switch text, _ := os.ReadFile(path); {
	case *update:
		now.write(t, path)
	case string(text) != now.String():
		t.Errorf("%s: what happens is\n%s", path, now)
	}
	return err
}
