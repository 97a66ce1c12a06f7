// Command sweep runs a topoi sweep and says where its time goes, by what it tells:
//
//	go run ./bench/sweep -topoi ./topoi -- big.topoi -k 10..50:10 --seeds 1 --device cuda -o big.sweep
//
// What follows are arguments of topoi sweep.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"strings"
	"time"
)

// told is what an event of a sweep says that is looked at.
type told struct {
	Event, Phase, Device string
	Topics               int
	Seconds              float64
	Wall                 float64 `json:"wall_seconds"`
	Starting             float64 `json:"starting_seconds"`
	Scoring              float64 `json:"scoring_seconds"`
	Waiting              float64 `json:"checkpoint_seconds"`
	at                   float64 // seconds since the command began
}

func main() {
	log.SetFlags(0)
	program := flag.String("topoi", "topoi", "the program")
	flag.Parse()
	args := append([]string{"sweep", "--json"}, flag.Args()...)
	fmt.Println(*program, strings.Join(args, " "))
	c := exec.Command(*program, args...)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	begin := time.Now()
	if err := c.Start(); err != nil {
		log.Fatal(err)
	}
	events := listen(bufio.NewScanner(out), begin)
	if err := c.Wait(); err != nil {
		log.Fatal(err)
	}
	tabulate(events, time.Since(begin).Seconds())
}

// listen collects events until the command ends.
func listen(lines *bufio.Scanner, begin time.Time) (events []told) {
	lines.Buffer(nil, 16<<20) // a run that is done has a line with all its topics
	for lines.Scan() {
		var e told
		if json.Unmarshal(lines.Bytes(), &e) == nil {
			e.at = time.Since(begin).Seconds()
			events = append(events, e)
		}
	}
	return events
}

// tabulate writes a line for every run. Those of a GPU are measured beside the next one.
func tabulate(events []told, all float64) {
	fmt.Println("seconds                     placing  training  scoring  waiting  model  until the next")
	var run, last told
	first, training := 0.0, 0.0
	for _, e := range events {
		switch e.Event {
		case "run":
			if first == 0 {
				first = e.at
			} else if last.Event != "" {
				fmt.Printf("  %15.2f\n", e.at-last.at)
			}
			run = e
		case "start":
			run.Device = e.Device
		case "done":
			model := e.Wall - e.Starting - e.Seconds - e.Scoring - e.Waiting
			fmt.Printf("K %4d  %-18.18s  %7.2f  %8.2f  %7.2f  %7.2f  %5.2f", run.Topics, run.Device, e.Starting, e.Seconds, e.Scoring, e.Waiting, model)
			training += e.Seconds
			last = e
		case "phase":
			if e.Phase == "measure coherence" && last.Event == "done" {
				fmt.Printf("\nlast model measured %.2f\n", e.at-last.at)
				last = e
			}
		}
	}
	fmt.Printf("before the first run %.2f, coherence and tables %.2f\nall %.2f, of which training %.2f\n", first, all-last.at, all, training)
}
