//go:build linux

// Package serve loads a topoi server and says how it bears it, beside topoi infer on the
// same texts and the same machine:
//
//	throughput   documents per second against batch inference, in turns
//	latency      of one document of 200 words at half load, against its own computing
//	memory       over minutes of load
//	swaps        100,000 requests while the model is replaced and a server is drained; none may break
//
// The texts are lines of JSON. With -pin the server and topoi infer share one processor and
// the load comes from others, so that both have the same to compute with.
//
//	go -C bench test ./serve -v -timeout 1h -topoi PROGRAM -model MODEL -texts LINES swaps latency
//
// Without names of measurements a few requests are sent while a model is replaced and a
// server drained.
package serve

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/program"
)

// bench holds the state that all measurements share.
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

	wanted, swapped int // of swaps: how many are sent, and how often the model is replaced
}

// flags are those of the measurements.
var flags = func() *bench {
	b := &bench{wanted: 100_000, swapped: 10}
	flag.StringVar(&b.program, "topoi", "", "the `program` (default: built from here)")
	flag.StringVar(&b.model, "model", "", "`directory` of the model")
	flag.StringVar(&b.texts, "texts", "", "`file` of documents, a JSON object with a text on every line")
	flag.IntVar(&b.threads, "threads", 1, "threads of both programs")
	flag.StringVar(&b.device, "device", "cpu", "where both programs find topics: cpu, cuda or cuda:N")
	flag.StringVar(&b.pin, "pin", "", "processors of both programs, as taskset takes them")
	flag.StringVar(&b.under, "under", "", "command that runs both programs, such as 'chrt -r 10' for a priority over all else on the machine")
	flag.IntVar(&b.rounds, "rounds", 3, "turns of throughput and latency")
	flag.StringVar(&b.drain, "drain", "5s", "time to drain of the servers of swaps; 0s shows what breaks without it")
	flag.StringVar(&b.only, "only", "", "measure only the ways of throughput whose names hold this")
	flag.DurationVar(&b.length, "length", time.Minute, "how long latency and memory go on")
	return b
}()

// The measurements that are named, or a few requests of swaps.
func TestServe(t *testing.T) {
	given := *flags
	b := &given
	if b.program == "" {
		b.program = program.Build(t)
	}
	names := flag.Args()
	if len(names) == 0 {
		names, b.wanted, b.swapped, b.drain = []string{"swaps"}, 600, 2, "500ms"
		if err := b.small(t.TempDir()); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.load(); err != nil {
		t.Fatal(err)
	}
	fmt.Printf("%s; load of the machine before: %s\n", time.Now().UTC().Format("2006-01-02 15:04"), machineLoad())
	all := map[string]func() error{"throughput": b.throughput, "latency": b.latency, "memory": b.memory, "swaps": b.swaps}
	for _, name := range names {
		if all[name] == nil {
			t.Fatalf("there is no measurement %q", name)
		}
		if err := all[name](); err != nil {
			t.Fatal(err)
		}
	}
}

// small makes a small model and its texts.
func (b *bench) small(dir string) error {
	b.texts, b.model = filepath.Join(dir, "texts.jsonl"), filepath.Join(dir, "small.model")
	var lines strings.Builder
	for d := range 40 {
		theme := []string{"cat sofa purr kitten", "dog garden bark puppy"}[d%2]
		fmt.Fprintf(&lines, "{\"id\":\"%d\",\"text\":\"%s\"}\n", d, strings.Repeat(theme+" ", 4))
	}
	if err := os.WriteFile(b.texts, []byte(lines.String()), 0o600); err != nil {
		return err
	}
	out, err := b.command("train", b.texts, "-k", "2", "--iterations", "20", "-o", b.model, "--quiet").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
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
