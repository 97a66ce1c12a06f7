// Command cpu measures training on this machine's processor through the topoi
// binary, as a user would run it. Machines are noisy: every run stands beside
// the yardstick, a fixed small program run just before and after it, so that
// figures of different days can be compared as ratios.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	quick := flag.Bool("quick", false, "small corpora and few sweeps, to see that everything works")
	only := flag.String("only", "", "names of the runs to do, separated by commas (default all)")
	data := flag.String("data", "../shared/data", "directory of the real corpora, if there")
	yard := flag.String("yardstick", "../shared/yardstick", "directory of the yardstick, if there")
	out := flag.String("out", "bench/results", "directory for the results")
	flag.Parse()

	dir, err := os.MkdirTemp("", "topoi-bench-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	b := &bench{dir: dir, data: *data, quick: *quick}
	if err := b.build(*yard); err != nil {
		log.Fatal(err)
	}
	var results []result
	for _, p := range plan(*quick) {
		if *only != "" && !strings.Contains(","+*only+",", ","+p.name+",") {
			continue
		}
		r, err := b.run(p)
		if err != nil {
			log.Fatalf("%s: %v", p.name, err)
		}
		if r == nil {
			log.Printf("%s: left out, %s is not there", p.name, p.corpus)
			continue
		}
		results = append(results, *r)
		report(os.Stdout, *r)
	}
	if err := write(*out, merge(*out, results)); err != nil {
		log.Fatal(err)
	}
}

// merge returns the new results and, of the ones kept before, those that were
// not measured again.
func merge(dir string, results []result) []result {
	raw, err := os.ReadFile(filepath.Join(dir, "cpu.json"))
	if err != nil {
		return results
	}
	var before []result
	if err := json.Unmarshal(raw, &before); err != nil {
		log.Printf("the results kept before are left out: %v", err)
		return results
	}
	for i, old := range before {
		at := slices.IndexFunc(results, func(r result) bool { return r.Name == old.Name })
		if at >= 0 {
			before[i] = results[at]
			results = slices.Delete(results, at, at+1)
		}
	}
	return append(before, results...)
}

// write keeps the results as JSON, as text and as a picture.
func write(dir string, results []result) error {
	raw, err := json.MarshalIndent(results, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "cpu.json"), append(raw, '\n'), 0o644); err != nil {
		return err
	}
	text, err := os.Create(filepath.Join(dir, "cpu.txt"))
	if err != nil {
		return err
	}
	for _, r := range results {
		report(text, r)
	}
	if err := text.Close(); err != nil {
		return err
	}
	return draw(filepath.Join(dir, "cpu.svg"), results)
}

// report prints one result for people.
func report(w io.Writer, r result) {
	fmt.Fprintf(w, "%s: %s, K = %d, %s, %d threads\n", r.Name, r.Corpus, r.Topics, r.Sampler, r.Threads)
	fmt.Fprintf(w, "  %.1f M tokens/s (%.2f s a sweep), peak memory %.0f MB, %.1f bytes a token beside the word-topic table\n",
		r.Rate/1e6, r.Tokens/r.Rate, float64(r.PeakBytes)/1e6, r.BytesPerToken)
	if r.Yardstick > 0 {
		fmt.Fprintf(w, "  yardstick %.1f M tokens/s: %.2f times as fast as it\n", r.Yardstick/1e6, r.Rate/r.Yardstick)
	}
	for _, t := range r.Targets {
		if t.Seconds == 0 {
			fmt.Fprintf(w, "  %s %.3f not reached\n", t.Score, t.Value)
			continue
		}
		fmt.Fprintf(w, "  %s %.3f after %.1f s (iteration %d)", t.Score, t.Value, t.Seconds, t.Iteration)
		if t.Scaled > 0 {
			fmt.Fprintf(w, ", %.1f s at the yardstick's reference speed", t.Scaled)
		}
		if t.Peer > 0 {
			fmt.Fprintf(w, "; best peer %.0f s: %.1f times sooner", t.Peer, t.Peer/t.Scaled)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "  the whole command %.1f s, of which %.1f s were sweeps; the rest is opening, starting, scoring and saving\n", r.Whole, r.Training)
	last := r.Curve[len(r.Curve)-1]
	fmt.Fprintf(w, "  at the end: iteration %d, joint %.4f", last.Iteration, last.Joint)
	if last.Heldout != 0 {
		fmt.Fprintf(w, ", held-out %.4f", last.Heldout)
	}
	fmt.Fprintln(w)
}
