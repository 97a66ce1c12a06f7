// Package chaos disturbs the topoi program at random moments and in random ways,
// and sees what comes of it. A schedule is drawn from a seed: something to do
// (import, training in memory, from files or by a cluster, two commands at once, or looking at
// files at rest) and what happens meanwhile (kill, freeze, cut, flush, delete a key, damage a
// blob, fill or lose the disk, flip a bit in a file, swap two files). It must end with the bytes of an
// undisturbed run, or with one sentence that names what is wrong, after which those
// bytes can still be had. Anything else is a failure: other bytes, a trace, a hang,
// something lost.
//
//	go -C bench test ./chaos -v -timeout 1h -schedules 100
//	go -C bench test ./chaos -v -seed 17 -schedules 1 -all
//
// A seed gives the same schedule again; where in the run a fault falls depends on
// the machine's speed.
package chaos

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/program"
)

var (
	first     = flag.Uint64("seed", 1, "`seed` of the first schedule")
	schedules = flag.Int("schedules", 0, "`number` of schedules; 0: a few of those that take little time")
	atOnce    = flag.Int("at-once", 1, "`number` of schedules at a time")
	among     = flag.String("kinds", "import,train,files,cluster,proxy,rest,pair,records,tombs,lies,folders,answers",
		"`names` of what to disturb")
	built   = flag.String("topoi", "", "`path` of the program (default: built from here)")
	tellAll = flag.Bool("all", false, "show what was done and expected in every schedule")
	logFile = flag.String("log", "", "`file` for what was done and expected")
)

// A few schedules that take little time, or as many of any kind as are asked for.
func TestChaos(t *testing.T) {
	if *schedules == 0 {
		*schedules, *among = 6, "import,pair,records,lies"
	}
	if *built == "" {
		*built = program.Build(t)
	}
	dir := t.TempDir()
	f, err := newFixture(filepath.Join(dir, "fixture"), *built)
	if err != nil {
		t.Fatal(err)
	}
	records := io.Discard
	if *logFile != "" {
		file, err := os.OpenFile(*logFile, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		records = file
	}
	t.Logf("\n%s", runAll(t, f, dir, records))
}

// runAll runs the schedules and returns a table of what came of them.
func runAll(t *testing.T, f *fixture, dir string, records io.Writer) string {
	table := newTable()
	var mutex sync.Mutex
	var group sync.WaitGroup
	slots := make(chan struct{}, *atOnce)
	for i := range *schedules {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			began := time.Now()
			seed := *first + uint64(i)
			s := draw(f, seed, strings.Split(*among, ","), filepath.Join(dir, fmt.Sprint("schedule", seed)))
			err := s.run()
			mutex.Lock()
			defer mutex.Unlock()
			table.add(s, err)
			text := s.report(err, time.Since(began))
			fmt.Fprint(records, text)
			switch {
			case err != nil:
				t.Error(text)
			case *tellAll:
				t.Log(text)
			}
		})
	}
	group.Wait()
	var b strings.Builder
	table.print(&b)
	return b.String()
}
