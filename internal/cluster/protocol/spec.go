package protocol

import (
	"encoding/json"
	"fmt"
	"regexp"
	"time"
)

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
