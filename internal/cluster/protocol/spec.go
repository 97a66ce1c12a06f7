// Package protocol has what the workers of a job, and those who submit, watch and collect it, agree upon: what a job
// is, how it stands, and under which keys of a store (see package store) it is kept. It also decides what a worker, a
// leader, an owner of slices and a mender do next. It does no I/O itself.
//
// # Keys
//
// All keys of job J have the prefix topoi:{J. Those that scripts must see together share a hash tag, and so a slot of
// a Redis Cluster; blobs spread over slots.
//
//	topoi:{J}:spec      what the job is (JSON, Spec, and a checksum); without it there is no job
//	topoi:{J}:state     the last complete barrier, what priors were estimated since, and how far to go from
//	                    there (JSON, State, and a checksum), and a random number that changes when the job is mended
//	topoi:{J}:owners    who has which part and slice: p7 or s3 → worker's token, a random number
//	topoi:{J}:reached   the last round each part has sampled, and the last barrier each part and slice
//	                    has reached: r7, p7 or s3 → round
//	topoi:{J}:members   what each worker says of itself: token → JSON, Report
//	topoi:{J}:leader    the leader's token, with expiry
//	topoi:{J}:lease:T   1 while the worker with token T is alive, with expiry; 0 if it must join again
//	topoi:ended:{J}:ID  tombstone of the job with this id, which was cancelled or collected, so that no worker that
//	                    slept meanwhile restores it; with expiry
//
//	topoi:{J:sI}:head   id of the job, and the last round whose late changes are refused
//	topoi:{J:sI}:d:R:P  changes of round R in slice I by part P
//	topoi:{J:sI}:first:P  what part P has in slice I when the job begins
//	topoi:{J:sI}:pseudo  pseudo-counts of some words, one run of words a slice, if the job has any
//	topoi:{J:sI}:h:R    statistics of the rows of slice I after round R, where workers met
//	topoi:{J:sI}:v:R    rows of slice I at the barrier of round R; where rows are apart, after every round
//
//	topoi:{J:pP}:head   the same for part P
//	topoi:{J:pP}:first  topics of part P in the checkpoint with which the job began
//	topoi:{J:pP}:z:R    topics of part P at the barrier of round R
//	topoi:{J:pP}:h:R    its documents' histograms after round R, where workers met
//	topoi:{J:pP}:n:R    n_k of its own tokens after round R, where rows are apart
//	topoi:{J:pP}:corpus:C   chunk C of the corpus file, or of frequencies, where shipped; P is C modulo the parts
//
// A blob is first written under its key with :new appended, with an expiry. A script that checks whether it still
// counts renames it.
package protocol

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/sampler"
)

// Waiting stands behind the key of a blob that has not been accepted.
const Waiting = ":new"

// Protocol is the version of keys, scripts and blobs. All workers of a job must have the same.
const Protocol = 11

// Spec describes a job. It never changes.
type Spec struct {
	ID       uint64 `json:"id,string"` // a random number, so that two jobs of one name are told apart
	Protocol int    `json:"protocol"`
	Program  string `json:"program"` // version of the program that submitted it
	Results  string `json:"results"` // what that program makes of a small corpus with the sampler, as a hash

	Corpus     string          `json:"corpus_fingerprint"`
	CorpusPath string          `json:"corpus_path"`       // where the submitter found it; workers may have it elsewhere
	Shipped    int             `json:"shipped,omitempty"` // keys that hold the corpus file itself; 0: workers have it
	State      string          `json:"state,omitempty"`   // shared directory for the topics of tokens; "": in the store
	Options    json.RawMessage `json:"options"`           // the training options, for package topoi
	Guide      json.RawMessage `json:"guide,omitempty"`   // what else determines the model, for package topoi; may be nil
	Names      map[int]string  `json:"names,omitempty"`   // of topics, for the model
	Sampler    string          `json:"sampler"`
	Topics     int             `json:"topics"` // K
	Words      int             `json:"words"`  // V
	Tokens     int             `json:"tokens"` // N in training

	Parts     int  `json:"parts"`
	Slices    int  `json:"slices"`
	Apart     bool `json:"apart"` // no worker keeps all rows: they come slice by slice from who has the slice
	Staleness int  `json:"staleness"`
	From      int  `json:"from"`    // the iteration after which the job begins: 0, or that of a checkpoint
	Start     int  `json:"start"`   // the round that ends it, where the first barrier is
	Workers   int  `json:"workers"` // how many are expected: the first waits a little for the others

	Lease     time.Duration `json:"lease"` // how long a silent worker counts as alive
	Submitted time.Time     `json:"submitted"`
}

// State is the last barrier of a job and the next meeting. A meeting may be brief, for an estimation of priors alone:
// then neither topics nor rows are kept. What must be repeated is repeated from the barrier, with the priors of that
// time.
type State struct {
	Round      int  `json:"round"`      // the barrier's round; -1 before there is any
	Iteration  int  `json:"iteration"`  // the iteration that it ends
	Since      int  `json:"since"`      // the iteration after which workers met last: that of the barrier, or a later one
	Until      int  `json:"until"`      // the iteration after which they meet next
	Histograms bool `json:"histograms"` // priors are estimated there, or the model is scored
	Brief      bool `json:"brief"`      // it is no barrier

	Priors
	Before []Stretch `json:"before,omitempty"` // priors of the iterations between the barrier and Since

	// Training is what package topoi must know to go on from Since.
	Training json.RawMessage `json:"training,omitempty"`

	Finished bool `json:"finished"` // the model is complete: nothing more is to be sampled
}

// PriorsOf returns the priors of an iteration after the barrier.
func (s *State) PriorsOf(iteration int) *Priors {
	for i := range s.Before {
		if iteration <= s.Before[i].Until {
			return &s.Before[i].Priors
		}
	}
	return &s.Priors
}

// Meet updates the state after workers met at iteration Until, which ends with the given round.
func (s *State) Meet(round int) {
	if s.Since = s.Until; s.Brief {
		s.Before = append(slices.Clip(s.Before), Stretch{s.Until, s.Priors})
		return
	}
	s.Round, s.Iteration, s.Before = round, s.Until, nil
}

// LaterThan reports whether a state is later than another of the same job.
func (s *State) LaterThan(other *State) bool {
	if s.Round != other.Round || s.Finished != other.Finished {
		return s.Round > other.Round || s.Round == other.Round && s.Finished
	}
	return s.Until > other.Until
}

// Version returns a text that differs between any two states of a job.
func (s *State) Version() string { return fmt.Sprintf("%d/%d/%v", s.Round, s.Until, s.Finished) }

// Priors are α and β in the form in which the store keeps them.
type Priors struct {
	Alpha  []byte  `json:"alpha"` // K float64, little-endian, or one where all are the same
	Beta   float64 `json:"beta"`
	Lambda []byte  `json:"lambda,omitempty"` // K rows of float64, if priors depend on columns of documents
}

// Stretch has the priors of some iterations.
type Stretch struct {
	Until int `json:"until"` // the last one
	Priors
}

// Decode returns α of so many topics, β and λ.
func (p *Priors) Decode(topics int) *sampler.Priors {
	d := &sampler.Priors{Alpha: make([]float64, topics), Beta: p.Beta}
	for k := range d.Alpha {
		d.Alpha[k] = math.Float64frombits(binary.LittleEndian.Uint64(p.Alpha[8*k%len(p.Alpha):]))
	}
	lambda := make([]float64, len(p.Lambda)/8)
	if _, err := binary.Decode(p.Lambda, binary.LittleEndian, lambda); err == nil && len(lambda) > 0 {
		d.Lambda = slices.Collect(slices.Chunk(lambda, len(lambda)/topics))
	}
	return d
}

// SetPriors sets α, β and λ. If all α are equal, one is written: to read a million would take longer than n_k of a
// sweep.
func (p *Priors) SetPriors(from *sampler.Priors) {
	p.Alpha, p.Beta, p.Lambda = nil, from.Beta, nil // not in its old room: another state may show it
	list := from.Alpha
	if !slices.ContainsFunc(list, func(a float64) bool { return a != list[0] }) {
		list = list[:1]
	}
	p.Alpha, _ = binary.Append(nil, binary.LittleEndian, list) // numbers of fixed size cannot fail
	p.Lambda, _ = binary.Append(nil, binary.LittleEndian, slices.Concat(from.Lambda...))
}

// Report is what a worker reports of itself.
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

// validName matches names of jobs. They contain nothing that has a meaning in keys, patterns or file names.
var validName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// CheckName returns an error if a job cannot have the name.
func CheckName(name string) error {
	if !validName.MatchString(name) {
		return fmt.Errorf("%q cannot be the name of a job: use up to 64 letters, digits, dots, dashes and underscores, "+
			"beginning with a letter or digit", name)
	}
	return nil
}

// Layout says where everything of a job is kept, and how long.
type Layout struct {
	Name string
	Spec
	Key Keys
}

// NewLayout returns the layout of a job.
func NewLayout(name string, spec Spec) Layout { return Layout{name, spec, Keys{name}} }

// MostRounds returns the most rounds from one barrier to the next. It bounds the changes or versions in the store,
// and what is repeated when a part goes to another worker.
func (j *Layout) MostRounds() int {
	if j.Apart {
		return 4
	}
	return 16
}

// VersionsKept returns how many versions before a barrier belong to it: those that later rounds see.
func (j *Layout) VersionsKept() int {
	if j.Apart {
		return j.Staleness
	}
	return 0
}

// BeginsWith returns the key of the topics with which a part begins, and the round in their id. The key is "" if the
// sampler draws them.
func (j *Layout) BeginsWith(number int, state *State) (key string, round int) {
	switch {
	case state.Round >= 0:
		return j.TopicsKey(number, state.Round), state.Round
	case j.From > 0:
		return j.OriginKey(number), j.Start
	}
	return "", 0
}

// Floor returns the last round whose late changes are refused at a state.
func (j *Layout) Floor(state *State) int {
	if state.Round >= 0 {
		return state.Round
	}
	return j.Start - 1 - j.Staleness
}

// IDText returns the job's number as scripts compare it.
func (j *Layout) IDText() string { return strconv.FormatUint(j.ID, 16) }

// HeadID returns the id in the heads of the job. It contains the iteration at which the job begins. So a worker that
// was frozen while it created the job from another checkpoint cannot write into this one.
func (j *Layout) HeadID() string { return j.IDText() + "/" + strconv.Itoa(j.From) }

// TopicsKey returns the key, or the path of the file, with the topics of a part at a barrier.
func (j *Layout) TopicsKey(part, round int) string {
	if !j.InFiles() {
		return j.Key.Topics(part, round)
	}
	return filepath.Join(j.StateDir(), fmt.Sprintf("part-%d.topics-%d", part, round))
}

// InFiles reports whether topics are in files.
func (j *Layout) InFiles() bool { return j.Spec.State != "" }

// OriginKey returns the key or path of the topics with which a part begins.
func (j *Layout) OriginKey(part int) string {
	if j.Spec.State == "" {
		return j.Key.Part(part, "first")
	}
	return filepath.Join(j.StateDir(), fmt.Sprintf("part-%d.first", part))
}

// StateDir returns the job's own directory in that of the state.
func (j *Layout) StateDir() string { return filepath.Join(j.Spec.State, j.Name+"-"+j.IDText()) }

// IsFile reports whether a name is a path and not a key.
func IsFile(key string) bool { return !strings.HasPrefix(key, "topoi:") }
