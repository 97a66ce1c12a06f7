package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/statefile"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/internal/training"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/topic"
)

// checkpoint is everything a run needs to continue. Together with the corpus it determines all later bytes.
type checkpoint struct {
	Options   topoi.Options    `json:"options"`                 // must equal those of the resuming run
	Corpus    string           `json:"corpus_fingerprint"`      // of the whole corpus
	Pseudo    string           `json:"pseudo_counts,omitempty"` // hash of Options.Pseudo; "" without
	Iteration int              `json:"iteration"`               // sweeps done
	Stopped   topoi.StopReason `json:"stopped,omitempty"`       // why the run ended there; "" if it was to continue
	Alpha     []float64        `json:"alpha"`                   // K: α after Iteration
	Beta      float64          `json:"beta"`                    // β after Iteration

	Columns *topoi.Covariates `json:"covariates,omitempty"` // with λ after Iteration; nil without the prior "covariates"
	History []topoi.Score     `json:"history"`              // evaluations so far

	Topics topics.List     `json:"-"` // N: z after Iteration, corpus order; 32 bits wide when read
	Parts  json.RawMessage `json:"-"` // where z is instead, when it is kept in files; Topics is empty then
	Extra  []byte          `json:"-"` // what the sampler's state holds beyond z; usually empty
	Given  bool            `json:"-"` // the state is Options.Start: it has no Extra and is in no file
}

// check checks that the state belongs to a run with the given numbers of topics and tokens.
func (c *checkpoint) check(topics, tokens int) error {
	switch {
	case len(c.Alpha) != topics:
		return fmt.Errorf("it holds α for %d topics, not %d", len(c.Alpha), topics)
	case c.Parts == nil && c.Topics.Len() != tokens:
		return fmt.Errorf("it has %d tokens, not %d", c.Topics.Len(), tokens)
	case c.Iteration < 0:
		return fmt.Errorf("it was written after iteration %d", c.Iteration)
	}
	for _, prior := range append([]float64{c.Beta}, c.Alpha...) {
		if !(prior > 0) || math.IsInf(prior, 0) {
			return errors.New("a prior is 0 or negative")
		}
	}
	return nil
}

// ended returns why a run that resumes at c with the given options has nothing left to do, or "". A run
// whose stopping conditions have changed continues.
func (c *checkpoint) ended(o topoi.Options) topoi.StopReason {
	was := c.Options
	if was.Iterations != o.Iterations || was.UntilLL != o.UntilLL ||
		was.UntilHeldout != o.UntilHeldout || was.Tolerance != o.Tolerance {
		return ""
	}
	return c.Stopped
}

// belongs returns an error if the checkpoint at path cannot continue a run with the given options and documents.
func (c *checkpoint) belongs(path string, record topoi.Options, pseudo *topic.PseudoCounts, docs *training.Documents) error {
	if c.Corpus != docs.All.Fingerprint() {
		return fmt.Errorf("%s: the checkpoint belongs to another corpus: "+
			"resume with the corpus that the run started with, or start a new run", path)
	}
	if diff := difference(c.Options, record); diff != "" {
		return otherOptions(path, diff)
	}
	if c.Pseudo != pseudo.Hash() {
		return otherOptions(path, "other pseudo-counts, from seeds or an older model")
	}
	if err := c.check(record.Topics, docs.Train.NumTokens()); err != nil {
		return fmt.Errorf("%s: %w: %w; train from the start", path, ErrCheckpoint, err)
	}
	return nil
}

// otherOptions returns the error about a checkpoint that was made with other options.
func otherOptions(path, diff string) error {
	return fmt.Errorf("%s: the checkpoint was made with %s: resume with the same options, or start a new run", path,
		diff)
}

// Major versions of the checkpoint file. They change when an old reader could misread it. docs/formats.md has the
// grammar. The body holds z, as uint16[N] if K ≤ 65536 and else as uint32[N], and the sampler's own bytes.
const (
	checkpointMajor  = 1
	checkpointParts  = 2 // z is in other files
	checkpointSample = 2 // added if the held-out documents are a sample
	checkpointMost   = checkpointParts + checkpointSample
)

// ErrCheckpoint is wrapped by every error about a checkpoint file that can be opened but not used: it is
// another kind of file, damaged, or of another version.
var ErrCheckpoint = errors.New("unusable checkpoint")

// checkpointHeader is the JSON part: the checkpoint without z.
type checkpointHeader struct {
	checkpoint
	Tokens int `json:"tokens"`
	Extra  int `json:"extra_bytes,omitempty"`

	// Parts names the files of a run that keeps its tokens in files; there is no z then.
	Parts json.RawMessage `json:"parts,omitempty"`
}

// writeCheckpoint replaces the checkpoint at path, whole or not at all, and returns the file's size.
// However the process or the machine stops, either the old checkpoint or the new one is there afterwards.
func writeCheckpoint(path string, c *checkpoint) (int64, error) {
	f, err := wholefile.CreateShared(path)
	if err != nil {
		return 0, err
	}
	defer f.Abort()
	size, err := encodeCheckpoint(wholefile.Early(f.File), c)
	if err != nil {
		return 0, wholefile.Explain(path, err)
	}
	return size, f.Commit()
}

func encodeCheckpoint(w io.Writer, c *checkpoint) (int64, error) {
	major := checkpointMajor
	if c.Parts != nil {
		major = checkpointParts
	}
	if c.Options.Holdout > 0 && !c.Options.HoldoutLast {
		major += checkpointSample
	}
	header := checkpointHeader{checkpoint: *c, Tokens: c.Topics.Len(), Extra: len(c.Extra), Parts: c.Parts}
	return statefile.Encode(w, major, header, func(put func([]byte) error) error {
		if err := c.Topics.EachChunk(len(c.Alpha), put); err != nil {
			return err
		}
		return put(c.Extra)
	})
}

// readCheckpoint reads a checkpoint file. A file that cannot be opened gives
// an error of package os, any other fault one that wraps ErrCheckpoint.
func readCheckpoint(path string) (*checkpoint, error) {
	f, err := mapfile.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there is no checkpoint at %s: %w", path, os.ErrNotExist)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the checkpoint: %w", err)
	}
	defer f.Close()
	c, err := decodeCheckpoint(f.Data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrCheckpoint, err)
	}
	return c, nil
}

// decodeCheckpoint decodes a whole file, which must be aligned as memory maps are.
func decodeCheckpoint(b []byte) (*checkpoint, error) {
	var h checkpointHeader
	rest, err := statefile.Decode(b, checkpointMost, &h)
	if err != nil {
		return nil, err
	}
	if h.Extra < 0 || h.Extra > len(rest) {
		return nil, fmt.Errorf("the sampler's %d bytes do not fit into the file; train from the start", h.Extra)
	}
	split := len(rest) - h.Extra
	z, err := topics.Decode(rest[:split], h.Tokens, len(h.Alpha))
	if err != nil {
		return nil, fmt.Errorf("%w; train from the start", err)
	}
	c := h.checkpoint
	c.Topics, c.Extra = topics.List{Wide: z}, append([]byte(nil), rest[split:]...)
	if string(h.Parts) != "null" {
		c.Parts = h.Parts
	}
	return &c, nil
}
