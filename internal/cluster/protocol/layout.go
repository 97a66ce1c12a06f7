package protocol

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// Layout says under which keys and in which files everything of a job is, and how long it is kept.
type Layout struct {
	Name string
	Spec
	Key Keys
}

// NewLayout returns the layout of a job.
func NewLayout(name string, spec Spec) Layout { return Layout{name, spec, Keys{name}} }

// Summed says whether workers read sums, given the number of parts and that of the
// workers expected, up to 1 if nobody knows. A worker that reads each part's changes
// reads P (1 - 1/W) blobs a slice and round, beside those it made itself. For sums it
// reads P/W to add up, and then the sum, which is as large as two or three of them and
// must be written and waited for.
func Summed(parts, workers int) bool {
	if workers <= 1 {
		return parts >= summedParts
	}
	return parts >= summedParts && parts*(workers-2) >= sumBlobs*workers
}

const (
	summedParts = 5
	sumBlobs    = 4 // what a sum may cost, in blobs of a part
)

// AllParts is the number that stands for the sum of all parts.
func (j *Layout) AllParts() int { return j.Parts }

// ChangesKey returns where the changes of a part, or of all, are in a slice.
func (j *Layout) ChangesKey(slice, round, part int) string {
	if part == j.AllParts() {
		return j.Key.Sum(slice, round)
	}
	return j.Key.Changes(slice, round, part)
}

// MostRounds bounds the rounds from one barrier to the next, and so the changes or versions
// that the store keeps and what a worker must repeat that takes over a part.
func (j *Layout) MostRounds() int {
	if j.Apart {
		return 4
	}
	return 16
}

// MeetsBriefly reports whether workers may meet without a barrier. Where rows are apart, versions of them are deleted at
// barriers, so every meeting is one.
func (j *Layout) MeetsBriefly() bool { return !j.Apart }

// VersionsKept is how many versions before that of a barrier belong to it: those that the rounds
// after it see.
func (j *Layout) VersionsKept() int {
	if j.Apart {
		return j.Staleness
	}
	return 0
}

// BeginsWith says where the topics are that a part begins with, and what round
// they name; "" if the sampler has its own.
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

// TopicsKey is where the topics of a part at a barrier are: a key, or the path of a file.
func (j *Layout) TopicsKey(part, round int) string {
	if !j.InFiles() {
		return j.Key.Topics(part, round)
	}
	return filepath.Join(j.StateDir(), fmt.Sprintf("part-%d.topics-%d", part, round))
}

// InFiles says whether topics are in files.
func (j *Layout) InFiles() bool { return j.Spec.State != "" }

// OriginKey returns where the topics are with which a part begins.
func (j *Layout) OriginKey(part int) string {
	if j.Spec.State == "" {
		return j.Key.Part(part, "first")
	}
	return filepath.Join(j.StateDir(), fmt.Sprintf("part-%d.first", part))
}

// StateDir returns the job's own directory in that of the state.
func (j *Layout) StateDir() string {
	return filepath.Join(j.Spec.State, j.OwnName())
}

// OwnName is what the job's directories are called.
func (j *Layout) OwnName() string { return j.Name + "-" + j.IDText() }

// IsFile tells paths from keys.
func IsFile(key string) bool { return !strings.HasPrefix(key, "topoi:") }
