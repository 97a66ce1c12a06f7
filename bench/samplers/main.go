//go:build unix

// Command samplers lets runs of samplers take turns, some sweeps each, so that whatever else the machine does slows
// all alike. It compares what a sweep costs, by processor time and by the clock, and how much sooner held-out
// documents are predicted as well as by the first run.
//
//	samplers -topics 300,1000 -runs 'warp:10 batch:3 lists:3' news.topoi
//	samplers -runs 'batch:10 cvb{"cvb":"zero","exact_sweeps":40}:6' -learnt news.topoi
//	samplers -runs 'warp@1 warp@2' -score=false news.topoi
//
// A run is a sampler; choices inside it, as records have them; "@" and its threads; ":" and the sweeps of a turn.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/sampler"
)

func main() {
	log.SetFlags(0)
	topics := flag.String("topics", "100", "numbers of topics, separated by commas")
	list := flag.String("runs", "warp:10 batch:3", "runs, separated by spaces")
	docs := flag.Int("docs", 0, "use the first documents only; 0: all")
	tokens := flag.Int("tokens", 0, "keep so many tokens of every document, drawn at random; 0: all")
	turns := flag.Int("turns", 10, "turns of the first run")
	learnt := flag.Bool("learnt", false, "learn priors, from Σα = 5 on, instead of keeping Σα = 50 and β = 0.01")
	score := flag.Bool("score", true, "predict held-out documents after every turn")
	flag.Parse()
	plans := parse(*list)
	for _, path := range flag.Args() {
		c, err := corpus.Open(path)
		if err != nil {
			log.Fatal(err)
		}
		if *docs > 0 {
			c = c.Docs(0, min(*docs, c.NumDocs()))
		}
		if *tokens > 0 {
			c = thin(c, *tokens)
		}
		for _, k := range strings.Split(*topics, ",") {
			n, err := strconv.Atoi(k)
			if err != nil {
				log.Fatalf("%q is not a number", k)
			}
			name := strings.TrimSuffix(filepath.Base(path), ".topoi")
			if err := compare(newLab(name, c, n, *learnt, *score), plans, *turns); err != nil {
				log.Fatal(err)
			}
		}
	}
}

// plan is a run as it was asked for.
type plan struct {
	name    string // as it was written, the sweeps aside
	sampler string
	tuning  sampler.Tuning
	threads int
	sweeps  int // of a turn
}

var planned = regexp.MustCompile(`^(([a-z]+)(\{.*\})?(?:@([0-9]+))?)(?::([0-9]+))?$`)

// parse reads runs, or ends the program.
func parse(list string) (plans []plan) {
	for text := range strings.FieldsSeq(list) {
		m := planned.FindStringSubmatch(text)
		if m == nil {
			log.Fatalf("%q is no run: it must be like warp, batch:3 or warp{\"mh_steps\":1}@2:10", text)
		}
		p := plan{name: m[1], sampler: m[2], threads: runtime.GOMAXPROCS(0), sweeps: 1}
		if m[3] != "" {
			if err := json.Unmarshal([]byte(m[3]), &p.tuning); err != nil {
				log.Fatalf("%q: %v", text, err)
			}
		}
		for i, n := range []*int{&p.threads, &p.sweeps} {
			if m[4+i] != "" {
				*n, _ = strconv.Atoi(m[4+i]) // digits
			}
		}
		plans = append(plans, p)
	}
	return plans
}

// thin keeps n tokens of every longer document, drawn at random with a fixed seed.
func thin(c *corpus.Corpus, n int) *corpus.Corpus {
	random := rand.New(rand.NewPCG(1, 2))
	docs := make([][]uint32, c.NumDocs())
	for d := range docs {
		docs[d] = slices.Clone(c.Doc(d))
		if len(docs[d]) <= n {
			continue
		}
		random.Shuffle(len(docs[d]), func(i, j int) { docs[d][i], docs[d][j] = docs[d][j], docs[d][i] })
		docs[d] = docs[d][:n]
		slices.Sort(docs[d])
	}
	return corpus.FromIDs(c.Words().List(), docs)
}

// how says how priors are chosen.
func (l *lab) how() string {
	if l.learnt {
		return "priors learnt"
	}
	return "Σα = 50, β = 0.01"
}

// title names what is compared.
func (l *lab) title() string {
	pairs := 0
	for d := range l.train.NumDocs() {
		pairs += len(slices.Compact(slices.Clone(l.train.Doc(d))))
	}
	return fmt.Sprintf("## %s: %d training tokens, %d words, %.1f distinct words in a document, K = %d, %s",
		l.name, l.train.NumTokens(), l.train.NumWords(), float64(pairs)/float64(l.train.NumDocs()), l.topics, l.how())
}
