// Command sweep measures topoi sweep against the single runs that it replaces, and kills it.
//
//	go run ./bench/sweep -topoi ./topoi -corpus news.topoi -k 20..200:20 -seeds 3 cost
//	go run ./bench/sweep -topoi ./topoi -corpus news.topoi -k 10,20 -seeds 2 kill
//	go run ./bench/sweep -topoi ./topoi -corpus news.topoi -k 10,20 -seeds 1 phases --device cuda
//
// cost trains every model of a sweep by a topoi train of its own, with the same options,
// half of them before the sweep and half of them after it (or, with -every 3, one seed of each
// number of topics, which stands for the others), and compares times: wall and
// processor time of the commands, and the time that they spend training. kill lets a sweep run once,
// then kills another one (SIGKILL) in the run after a third and after two thirds of all, and compares
// their tables. phases says where the time of a sweep goes; what follows are flags of topoi sweep.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/sweep"
)

var (
	program    = flag.String("topoi", "topoi", "the program")
	corpus     = flag.String("corpus", "", "corpus file")
	topics     = flag.String("k", "10,20", "numbers of topics")
	seeds      = flag.Int("seeds", 3, "runs of each")
	iterations = flag.Int("iterations", 100, "sweeps of each run")
	threads    = flag.Int("threads", 2, "threads")
	every      = flag.Int("every", 1, "cost: train one single run in so many, and count it for as many")
	more       = flag.String("sweep-flags", "", "more flags of topoi sweep")
	work       = flag.String("dir", "", "directory for models (default: a temporary one)")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	dir := *work
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "sweep"); err != nil {
			log.Fatal(err)
		}
		defer os.RemoveAll(dir)
	}
	switch flag.Arg(0) {
	case "cost":
		cost(dir)
	case "kill":
		kill(dir)
	case "phases":
		phases(dir, flag.Args()[1:])
	default:
		log.Fatal("what to measure? cost, kill or phases")
	}
}

// spent is what commands took, in seconds.
type spent struct{ wall, cpu, training float64 }

func (s *spent) add(o spent) {
	s.wall, s.cpu, s.training = s.wall+o.wall, s.cpu+o.cpu, s.training+o.training
}

// run runs a command to its end.
func run(args ...string) spent {
	c := exec.Command(*program, args...)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, os.Stderr
	begin := time.Now()
	if err := c.Run(); err != nil {
		log.Fatal(strings.Join(args, " "), ": ", err)
	}
	s := spent{wall: time.Since(begin).Seconds(), cpu: (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()}
	for lines := bufio.NewScanner(&out); lines.Scan(); {
		var e struct {
			Event   string
			Seconds float64
		}
		if json.Unmarshal(lines.Bytes(), &e) == nil && (e.Event == "done") {
			s.training += e.Seconds
		}
	}
	return s
}

// common are the flags of single runs and of the sweep.
func common() []string {
	return []string{"--holdout", "0.1", "--iterations", strconv.Itoa(*iterations), "--threads", strconv.Itoa(*threads), "--json"}
}

func sweepArgs(out string) []string {
	args := append([]string{"sweep", *corpus, "-k", *topics, "--seeds", strconv.Itoa(*seeds), "-o", out}, common()...)
	return append(args, strings.Fields(*more)...)
}

func cost(dir string) {
	ks, err := sweep.ParseTopics(*topics)
	if err != nil {
		log.Fatal(err)
	}
	var single spent
	runs := 0
	half := func(odd int) {
		for i, k := range ks {
			for seed := range *seeds {
				if (i+seed)%(2**every) != odd {
					continue
				}
				out := filepath.Join(dir, "single")
				s := run(append([]string{"train", *corpus, "-k", strconv.Itoa(k), "--seed", strconv.Itoa(seed), "-o", out, "--overwrite", "--force"}, common()...)...)
				fmt.Printf("train  K %4d seed %d  %7.2f s wall  %7.2f s CPU  %7.2f s training\n", k, seed, s.wall, s.cpu, s.training)
				for range *every {
					single.add(s)
				}
				runs += *every
			}
		}
	}
	half(0)
	whole := run(sweepArgs(filepath.Join(dir, "news.sweep"))...)
	fmt.Printf("sweep  of all runs     %7.2f s wall  %7.2f s CPU  %7.2f s training\n", whole.wall, whole.cpu, whole.training)
	half(*every)
	fmt.Printf("\n%d single runs:    %8.2f s wall  %8.2f s CPU  %8.2f s training\n", runs, single.wall, single.cpu, single.training)
	fmt.Printf("sweep / single runs: %.3f of wall time, %.3f of processor time\n", whole.wall/single.wall, whole.cpu/single.cpu)
	fmt.Printf("sweep's wall time / its own training time: %.3f\n", whole.wall/whole.training)
	fmt.Printf("sweep's wall time / single runs' training time: %.3f\n", whole.wall/single.training)
}

// records lists the runs of a sweep that are done.
func records(dir string) []string {
	list, _ := filepath.Glob(filepath.Join(dir, "runs", "*.json"))
	return list
}

func kill(dir string) {
	whole := run(sweepArgs(filepath.Join(dir, "whole"))...)
	killed := filepath.Join(dir, "killed")
	args := append(sweepArgs(killed), "--resume")
	ks, err := sweep.ParseTopics(*topics)
	if err != nil {
		log.Fatal(err)
	}
	for i := range 2 {
		c := exec.Command(*program, args...)
		if err := c.Start(); err != nil {
			log.Fatal(err)
		}
		for len(records(killed)) < (i+1)*len(ks)**seeds/3 {
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Duration(whole.wall / float64(len(ks)**seeds) / 2 * float64(time.Second))) // half a run
		if err := c.Process.Kill(); err != nil {
			log.Fatal(err)
		}
		err := c.Wait()
		states, _ := filepath.Glob(filepath.Join(killed, "runs", "*.checkpoint"))
		fmt.Printf("kill %d: %v, %d runs done, %d checkpoints\n", i+1, err, len(records(killed)), len(states))
	}
	run(args...)
	same := true
	for _, name := range []string{"sweep.csv", "topics.csv", "stability.csv", "sweep.parquet", "topics.parquet", "recommendation.json"} {
		a, e1 := os.ReadFile(filepath.Join(dir, "whole", name))
		b, e2 := os.ReadFile(filepath.Join(killed, name))
		if e1 != nil || e2 != nil || !bytes.Equal(a, b) {
			fmt.Printf("%s differs\n", name)
			same = false
		}
	}
	fmt.Printf("same tables: %v\n", same)
	if !same {
		os.Exit(1)
	}
}
