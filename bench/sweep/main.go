// Command sweep says where the time of a topoi sweep goes. What follows the word phases are flags of topoi sweep.
// bench/sweep.sh measures what a sweep costs beside single runs, and kills it.
//
//	go run ./bench/sweep -topoi ./topoi -corpus news.topoi -k 10,20 -seeds 1 phases --device cuda
package main

import (
	"flag"
	"log"
	"os"
)

var (
	program    = flag.String("topoi", "topoi", "the program")
	corpus     = flag.String("corpus", "", "corpus file")
	topics     = flag.String("k", "10,20", "numbers of topics")
	seeds      = flag.Int("seeds", 3, "runs of each")
	iterations = flag.Int("iterations", 100, "sweeps of each run")
	work       = flag.String("dir", "", "directory for models (default: a temporary one)")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	if flag.Arg(0) != "phases" {
		log.Fatal("what to measure? phases")
	}
	dir := *work
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "sweep"); err != nil {
			log.Fatal(err)
		}
		defer os.RemoveAll(dir)
	}
	phases(dir, flag.Args()[1:])
}
