// Command chaos disturbs the topoi program at random moments and in random ways,
// and sees what comes of it. A schedule is drawn from a seed: something to do
// (import, training in memory, from files or by a cluster, or looking at files at
// rest) and what happens meanwhile (kill, freeze, cut, flush, delete a key, damage a
// blob, fill or lose the disk, flip a bit in a file). It must end with the bytes of an
// undisturbed run, or with one sentence that names what is wrong, after which those
// bytes can still be had. Anything else is a failure: other bytes, a trace, a hang,
// something lost.
//
//	go run ./bench/chaos -count 100
//	go run ./bench/chaos -seed 17 -count 1 -v
//
// A seed gives the same schedule again; where in the run a fault falls depends on
// the machine's speed.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

func main() {
	log.SetFlags(0)
	seed := flag.Uint64("seed", 1, "`seed` of the first schedule")
	count := flag.Int("count", 100, "`number` of schedules")
	at := flag.Int("parallel", 1, "`number` of schedules at a time")
	kinds := flag.String("kinds", "import,train,files,cluster,rest,pair,records", "`names` of what to disturb")
	program := flag.String("topoi", "", "`path` of the program (default: built from here)")
	verbose := flag.Bool("v", false, "show what was done and expected in every schedule")
	logFile := flag.String("log", "", "`file` for what was done and expected")
	flag.Parse()
	dir, err := os.MkdirTemp("", "topoi-chaos-")
	if err != nil {
		log.Fatal(err)
	}
	failed, err := run(dir, *program, *seed, *count, *at, strings.Split(*kinds, ","), *logFile, *verbose)
	if removeErr := os.RemoveAll(dir); err == nil && removeErr != nil {
		log.Print(removeErr)
	}
	if err != nil {
		log.Fatal(err)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// run runs the schedules and prints what came of them.
func run(dir, program string, seed uint64, count, at int, kinds []string, logFile string, verbose bool) (failed int, err error) {
	if program == "" {
		program = filepath.Join(dir, "topoi")
		build := exec.Command("go", "build", "-o", program, "./cmd/topoi")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return 0, fmt.Errorf("cannot build the program: %w", err)
		}
	}
	f, err := newFixture(filepath.Join(dir, "fixture"), program)
	if err != nil {
		return 0, err
	}
	records := io.Discard
	if logFile != "" {
		file, err := os.OpenFile(logFile, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
		if err != nil {
			return 0, err
		}
		defer file.Close()
		records = file
	}
	t := newTable()
	var mutex sync.Mutex
	var group sync.WaitGroup
	slots := make(chan struct{}, at)
	for i := range count {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			began := time.Now()
			s := draw(f, seed+uint64(i), kinds, filepath.Join(dir, fmt.Sprint("schedule", seed+uint64(i))))
			err := s.run()
			mutex.Lock()
			defer mutex.Unlock()
			t.add(s, err)
			text := s.report(err, time.Since(began))
			fmt.Fprint(records, text)
			if err != nil || verbose {
				fmt.Print(text)
			}
		})
	}
	group.Wait()
	t.print(os.Stdout)
	return t.failed, nil
}
