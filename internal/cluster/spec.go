// Package cluster trains one model with many workers around a store (see package
// store) that holds the model.
//
// The corpus is cut into parts by documents and the vocabulary into slices by
// words. Rounds follow each other as in one process; in a round every part is
// sampled once, by whichever worker has it, and what it changed in each slice is
// written as one blob whose key names round, slice and part. Everything is a
// function of corpus, options and seed, so a blob written twice, or by two
// workers, is the same blob: who does what decides how fast a job goes, never
// what comes out.
//
// Workers either keep the rows of all words and add everybody's changes to them, or, in a job
// whose rows are apart, keep none: whoever has a slice adds the changes of a round to its rows
// and writes them to the store as the next version, and everybody fetches a version slice by slice as it
// samples. Then a model may be larger than any worker's memory.
//
// Rounds run freely from one barrier to the next. At a barrier the topics of all
// parts and the rows of all slices are in the store; the leader, one of the
// workers, does what training does between iterations and opens the rounds up to
// the next one. A worker that dies is noticed when its lease runs out; its parts
// go to others, who take up the last barrier's topics and repeat the rounds since.
// A leader that dies is replaced in the same way. Once a barrier is complete,
// everything older is deleted: the store holds the rows, twice the topics, and
// the changes of the rounds between two barriers.
//
// # Keys
//
// All keys of job J have the prefix topoi:{J. Those that scripts must see together
// share a hash tag, and so a slot of a Redis Cluster; blobs spread over slots.
//
//	topoi:{J}:spec      what the job is (JSON, Spec, and a checksum); without it there is no job
//	topoi:{J}:state     the last complete barrier and how far to go from there (JSON, State, and
//	                    a checksum), and a random number that changes when the job is mended
//	topoi:{J}:owners    who has which part and slice: p7 or s3 → worker's token, a random number
//	topoi:{J}:reached   the last round each part has sampled, and the last barrier each part
//	                    and slice has reached: r7, p7 or s3 → round
//	topoi:{J}:members   what each worker says of itself: token → JSON, Report
//	topoi:{J}:leader    the leader's token, with expiry
//	topoi:{J}:lease:T   1 while the worker with token T is alive, with expiry; 0 if it must join again
//	topoi:{J}:removed   id of a job that is being removed, until its workers have heard of it
//
//	topoi:{J:sI}:head   id of the job, and the last round whose late changes are refused
//	topoi:{J:sI}:d:R:P  changes of round R in slice I by part P
//	topoi:{J:sI}:m:R    their sum, if the job is summed
//	topoi:{J:sI}:first:P  what part P has in slice I when the job begins
//	topoi:{J:sI}:v:R    rows of slice I at the barrier of round R; where rows are apart, after every round
//
//	topoi:{J:pP}:head   the same for part P
//	topoi:{J:pP}:first  topics of part P in the checkpoint with which the job began
//	topoi:{J:pP}:z:R    topics of part P at the barrier of round R
//	topoi:{J:pP}:h:R    its documents' histograms
//	topoi:{J:pP}:n:R    n_k of its own tokens after round R, where rows are apart
//	topoi:{J:pP}:corpus:C   chunk C of the corpus file, where it was shipped; P is C modulo the parts
//
// A blob is first written under its key with :new behind it, with an expiry, and
// renamed by a script that sees whether it still counts.
package cluster

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// waiting stands behind the key of a blob that has not been accepted.
const waiting = ":new"

// Protocol is the version of everything that workers of one job must agree upon:
// keys, scripts, blobs. It changes when any of them does.
const Protocol = 3

// Spec is what a job is. It never changes.
type Spec struct {
	ID       uint64 `json:"id,string"` // a random number, so that two jobs of one name are told apart
	Protocol int    `json:"protocol"`
	Program  string `json:"program"` // version of the program that submitted it
	Results  string `json:"results"` // what that program makes of a small corpus, as a hash

	Corpus     string          `json:"corpus_fingerprint"`
	CorpusPath string          `json:"corpus_path"`       // where the submitter found it; workers may have it elsewhere
	Shipped    int             `json:"shipped,omitempty"` // keys that hold the corpus file itself; 0: workers have it
	State      string          `json:"state,omitempty"`   // directory for the topics of tokens, on a disk that all workers see; "": in the store
	Options    json.RawMessage `json:"options"`           // the training options, for package topoi
	Sampler    string          `json:"sampler"`
	Topics     int             `json:"topics"` // K
	Words      int             `json:"words"`  // V
	Tokens     int             `json:"tokens"` // N in training

	Parts     int  `json:"parts"`
	Slices    int  `json:"slices"`
	Summed    bool `json:"summed"` // workers read sums of all parts' changes, not each part's
	Apart     bool `json:"apart"`  // no worker keeps all rows: they come slice by slice from who has the slice
	Staleness int  `json:"staleness"`
	From      int  `json:"from"`    // the iteration after which the job begins: 0, or that of a checkpoint
	Start     int  `json:"start"`   // the round that ends it, where the first barrier is
	Workers   int  `json:"workers"` // how many are expected: the first waits a little for the others

	Lease     time.Duration `json:"lease"` // how long a silent worker counts as alive
	Submitted time.Time     `json:"submitted"`
}

// State is the last complete barrier of a job and how far to go from there.
type State struct {
	Round      int  `json:"round"`     // the barrier's round; -1 before there is any
	Iteration  int  `json:"iteration"` // the iteration that it ends
	Until      int  `json:"until"`     // the iteration that the next barrier ends
	Histograms bool `json:"histograms"`

	Alpha []byte  `json:"alpha"` // K float64, little-endian
	Beta  float64 `json:"beta"`

	// Training is what package topoi must know to go on from the barrier.
	Training json.RawMessage `json:"training,omitempty"`

	Finished bool `json:"finished"` // the model is complete: nothing more is to be sampled
}

// Report is what a worker says of itself.
type Report struct {
	Name     string        `json:"name"` // host and process
	Device   string        `json:"device"`
	Threads  int           `json:"threads"`
	Joined   time.Time     `json:"joined"`
	Parts    int           `json:"parts"`
	Round    int           `json:"round"`
	Tokens   uint64        `json:"tokens"`   // sampled since it joined
	Sampling time.Duration `json:"sampling"` // time spent in rounds
	Coding   time.Duration `json:"coding"`   // time spent on encoding, decoding and adding up changes
	Waiting  time.Duration `json:"waiting"`  // time spent waiting on the store or on other workers
	Busy     time.Duration `json:"busy"`     // all of it: since the first part was taken
	Sent     uint64        `json:"sent"`     // bytes of blobs
	Received uint64        `json:"received"`
	Rounds   int           `json:"rounds"` // sampled since it joined
	Memory   uint64        `json:"memory"` // bytes that are resident; 0 if the system does not tell
	Peak     uint64        `json:"peak"`   // most bytes that were
	Slices   int           `json:"slices"` // how many it has
	Awaits   []string      `json:"awaits"` // parts and slices that it waits for, p7 or s3
}

// validName is what jobs may be called: nothing that means something in keys,
// patterns or file names.
var validName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// CheckName returns what is wrong with a job's name, or nil.
func CheckName(name string) error {
	if !validName.MatchString(name) {
		return fmt.Errorf("%q cannot be the name of a job: use up to 64 letters, digits, dots, dashes and underscores, beginning with a letter or digit", name)
	}
	return nil
}

// keys makes the keys of a job.
type keys struct{ job string }

func (k keys) control(name string) string { return "topoi:{" + k.job + "}:" + name }
func (k keys) spec() string               { return k.control("spec") }
func (k keys) state() string              { return k.control("state") }
func (k keys) owners() string             { return k.control("owners") }
func (k keys) reached() string            { return k.control("reached") }
func (k keys) members() string            { return k.control("members") }
func (k keys) leader() string             { return k.control("leader") }
func (k keys) removed() string            { return k.control("removed") }
func (k keys) lease(token int64) string {
	return k.control("lease:") + strconv.FormatInt(token, 10)
}

// lock is the key of whoever mends the job. It is no key of the job itself.
func (k keys) lock() string { return "topoi:{" + k.job + "!}:recovery" }

func (k keys) slice(slice int, name string) string {
	return "topoi:{" + k.job + ":s" + strconv.Itoa(slice) + "}:" + name
}

func (k keys) part(part int, name string) string {
	return "topoi:{" + k.job + ":p" + strconv.Itoa(part) + "}:" + name
}

func (k keys) changes(slice, round, part int) string {
	return k.slice(slice, "d:"+strconv.Itoa(round)+":"+strconv.Itoa(part))
}

func (k keys) sum(slice, round int) string       { return k.slice(slice, "m:"+strconv.Itoa(round)) }
func (k keys) first(slice, part int) string      { return k.slice(slice, "first:"+strconv.Itoa(part)) }
func (k keys) rows(slice, round int) string      { return k.slice(slice, "v:"+strconv.Itoa(round)) }
func (k keys) topics(part, round int) string     { return k.part(part, "z:"+strconv.Itoa(round)) }
func (k keys) totals(part, round int) string     { return k.part(part, "n:"+strconv.Itoa(round)) }
func (k keys) histograms(part, round int) string { return k.part(part, "h:"+strconv.Itoa(round)) }

// prefixes are what all keys of the job begin with.
func (k keys) prefixes() []string {
	return []string{"topoi:{" + k.job + "}:", "topoi:{" + k.job + ":s", "topoi:{" + k.job + ":p"}
}
