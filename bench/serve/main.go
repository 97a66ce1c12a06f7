//go:build linux

// Command serve loads a topoi server and says how it bears it, beside topoi infer on the
// same texts and the same machine:
//
//	throughput   documents per second against batch inference, in turns
//	latency      of one document of 200 words at half load, against its own computing
//	memory       over minutes of load
//	swaps        100,000 requests while the model is replaced and a server is drained; none may break
//
// The texts are lines of JSON. With -pin the server and topoi infer share one processor and
// the load comes from others, so that both have the same to compute with.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/bench/internal/process"
)

// bench is what all measurements share.
type bench struct {
	program string
	model   string
	texts   string   // path of the lines
	docs    []string // the lines
	threads int
	device  string
	pin     string // processors of the programs; empty: any
	under   string // command that runs the programs, with its arguments
	rounds  int
	drain   string        // time to drain of swaps
	only    string        // ways of throughput whose names hold it
	length  time.Duration // of latency and memory
}

func main() {
	log.SetFlags(0)
	b := &bench{}
	flag.StringVar(&b.program, "topoi", "topoi", "the program")
	flag.StringVar(&b.model, "model", "", "directory of the model")
	flag.StringVar(&b.texts, "texts", "", "file of documents, a JSON object with a text on every line")
	flag.IntVar(&b.threads, "threads", 1, "threads of both programs")
	flag.StringVar(&b.device, "device", "cpu", "where both programs find topics: cpu, cuda or cuda:N")
	flag.StringVar(&b.pin, "pin", "", "processors of both programs, as taskset takes them")
	flag.StringVar(&b.under, "under", "", "command that runs both programs, such as 'chrt -r 10' for a priority over all else on the machine")
	flag.IntVar(&b.rounds, "rounds", 3, "turns of throughput and latency")
	flag.StringVar(&b.drain, "drain", "5s", "time to drain of the servers of swaps; 0s shows what breaks without it")
	flag.StringVar(&b.only, "only", "", "measure only the ways of throughput whose names hold this")
	flag.DurationVar(&b.length, "length", time.Minute, "how long latency and memory go on")
	flag.Parse()
	all := map[string]func() error{"throughput": b.throughput, "latency": b.latency, "memory": b.memory, "swaps": b.swaps}
	if err := b.load(); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s; load of the machine before: %s\n", time.Now().UTC().Format("2006-01-02 15:04"), process.Load())
	for _, name := range flag.Args() {
		if all[name] == nil {
			log.Fatalf("there is no measurement %q", name)
		}
		if err := all[name](); err != nil {
			log.Fatal(err)
		}
	}
}

// load reads the texts.
func (b *bench) load() error {
	data, err := os.ReadFile(b.texts)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(data) {
		if len(bytes.TrimSpace(line)) > 0 {
			b.docs = append(b.docs, strings.TrimSpace(string(line)))
		}
	}
	return nil
}

// twoHundredWords returns the texts cut into documents of 200 words, as JSON strings. They
// are different ones: equal documents that are done together cost less.
func (b *bench) twoHundredWords(most int) []string {
	var list, words []string
	for _, d := range b.docs {
		var doc struct{ Text string }
		if json.Unmarshal([]byte(d), &doc) == nil && len(strings.Fields(doc.Text)) > 60 {
			words = append(words, strings.Fields(doc.Text)...)
		}
		for len(words) >= 200 && len(list) < most {
			text, _ := json.Marshal(strings.Join(words[:200], " ")) // a string always can be encoded
			list, words = append(list, string(text)), words[200:]
		}
	}
	return list
}
