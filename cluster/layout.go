package cluster

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
)

// SubmitOptions say how to cut and store a job. The zero value is a good default if all workers see the corpus. Only
// Layout.Parts can change the model.
type SubmitOptions struct {
	// CorpusPath is where workers are told to look for the corpus.
	CorpusPath string

	// Workers is the number of expected workers: the first waits a few seconds for the others. Workers may join and
	// leave at any time. Default 1.
	Workers int

	// Memory is how many bytes of memory a worker may use. Default: what it takes.
	Memory int64

	// Threads is the number of threads of a worker that Memory is to hold. Default 1.
	Threads int

	// Layout describes how the job is cut and where its data are. Default: it follows from the rest.
	Layout Layout

	// Lease is how long a silent worker counts as alive. Default 10 s.
	Lease time.Duration

	// Names are the labels of topics that the model gets, by topic. Default nil: none.
	Names map[int]string

	frequencies []uint64 // of words, counted by the submitter; nil: to be counted
	ranged      bool     // workers read their parts of the corpus
	exactly     bool     // the model is to be that of train.Run with the same options
}

// Values of a Layout.
const (
	rowsWhole = "whole" // every worker has all rows
	rowsApart = "apart" // rows come slice by slice from the workers that have the slices
	inStore   = "store" // topics or the corpus are in the store
	atPath    = "path"  // workers see the corpus at SubmitOptions.CorpusPath
)

// Layout describes how a job is cut and where its data are. Zero fields follow from the memory of a worker, the store
// and the number of workers; Job.Plan returns the choice. Only Parts changes the model, and only with staleness.
type Layout struct {
	// Rows describes where the rows n_wk are: "whole" in every worker, or "apart", slice by slice, in the workers that
	// have the slices. Zero: apart if they do not fit SubmitOptions.Memory, or with eight workers or more; whole if the
	// sampler needs all rows.
	Rows string

	// Parts is the number of parts into which the documents are cut. More workers than parts have nothing to do. With
	// staleness Tuning.Parts goes first. Zero: two for each worker, or one where rows are apart; with staleness what
	// train.Run chooses, and at least one a worker.
	Parts int

	// Slices is the number of slices of the vocabulary, the units in which rows travel. Zero: 16, or as many as
	// SubmitOptions.Memory asks for.
	Slices int

	// Topics describes where the topics of tokens are: in the "store", or a directory that all workers see under the
	// same path. Zero: in the store; beside the checkpoint if the store may not have enough memory.
	Topics string

	// Corpus describes where workers get the corpus: from the "store", or at the "path" SubmitOptions.CorpusPath. Zero:
	// in the store if it is small.
	Corpus string
}

// mostShipped is the size of the largest corpus file that goes into the store unasked.
const mostShipped = 64 << 20

// String returns the layout as UnmarshalText reads it, without what is zero.
func (l Layout) String() string {
	var list []string
	add := func(name, value string) {
		if value != "" && value != "0" {
			list = append(list, name+"="+value)
		}
	}
	add("rows", l.Rows)
	add("parts", strconv.Itoa(l.Parts))
	add("slices", strconv.Itoa(l.Slices))
	add("topics", l.Topics)
	add("corpus", l.Corpus)
	return strings.Join(list, ",")
}

// MarshalText returns the text that UnmarshalText reads.
func (l Layout) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads a layout such as rows=apart,parts=16,topics=/shared/state.
func (l *Layout) UnmarshalText(text []byte) (err error) {
	*l = Layout{}
	for item := range strings.SplitSeq(string(text), ",") {
		name, value, _ := strings.Cut(item, "=")
		wants := "" // what the value must be, unless it is that
		switch name {
		case "rows":
			l.Rows, wants = value, oneOf(value, rowsWhole, rowsApart)
		case "parts":
			l.Parts, wants = aboveZero(value)
		case "slices":
			l.Slices, wants = aboveZero(value)
		case "topics":
			if l.Topics = value; value == "" {
				wants = "store or a directory"
			}
		case "corpus":
			l.Corpus, wants = value, oneOf(value, atPath, inStore)
		default:
			return fmt.Errorf("a layout has rows, parts, slices, topics and corpus, and no %q: "+
				"write it as in rows=apart,parts=16,topics=/shared/state", name)
		}
		if wants != "" {
			return fmt.Errorf("%s is %q: it must be %s", name, value, wants)
		}
	}
	return nil
}

// check returns what is wrong with a layout that was not read from text.
func (l Layout) check() error {
	if l.Topics = ""; l == (Layout{}) {
		return nil
	}
	return new(Layout).UnmarshalText([]byte(l.String()))
}

func oneOf(value, a, b string) string {
	if value == a || value == b {
		return ""
	}
	return a + " or " + b
}

func aboveZero(value string) (n int, wants string) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 {
		return 0, "a number above 0"
	}
	return n, ""
}

// layoutOf returns the layout of a job.
func layoutOf(spec *protocol.Spec) Layout {
	l := Layout{Rows: rowsWhole, Parts: spec.Parts, Slices: spec.Slices, Topics: inStore, Corpus: atPath}
	if spec.Apart {
		l.Rows = rowsApart
	}
	if spec.State != "" {
		l.Topics = spec.State
	}
	if spec.Shipped > 0 {
		l.Corpus = inStore
	}
	return l
}

// settle decides where topics and the corpus are, given the nodes of the store. needs is the memory that the store
// needs if it holds the topics.
func (how SubmitOptions) settle(storeURL, checkpoint string, nodes []records.NodeStatus, needs int64,
	spec *protocol.Spec,
) (err error) {
	l := how.Layout
	room, bounded := storeRoom(nodes)
	switch {
	case l.Topics == "" && bounded && needs > room && checkpoint != "":
		spec.State = filepath.Dir(checkpoint)
	case l.Topics != "" && l.Topics != inStore:
		if spec.State, err = filepath.Abs(l.Topics); err != nil {
			return err
		}
	}
	if how.ranged {
		spec.Shipped = records.Chunks(8*int64(spec.Words) + 8)
		return nil
	}
	if l.Corpus == atPath || l.Corpus == "" && how.CorpusPath == "" {
		return nil
	}
	info, err := os.Stat(how.CorpusPath)
	if err != nil {
		return fmt.Errorf("cannot put the corpus into the store: %w", err)
	}
	at, err := url.Parse(storeURL)
	here := err == nil && at.Scheme == "unix" // all workers are on this machine
	if l.Corpus == inStore || info.Size() <= mostShipped && !here && (!bounded || 8*info.Size() <= room) {
		spec.Shipped = records.Chunks(info.Size())
	}
	return nil
}

// storeRoom returns how much memory the nodes may still take, if that is bounded.
func storeRoom(nodes []records.NodeStatus) (room int64, bounded bool) {
	for _, n := range nodes {
		bounded = bounded || n.Most > 0
		room += int64(n.Most) - int64(n.Used)
	}
	return room, bounded
}
