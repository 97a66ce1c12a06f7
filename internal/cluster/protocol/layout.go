package protocol

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// Layout describes where everything of a job is kept, and how long.
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

// OriginKey returns the key or path of the topics with which a part begins.
func (j *Layout) OriginKey(part int) string {
	if j.Spec.State == "" {
		return j.Key.Part(part, "first")
	}
	return filepath.Join(j.StateDir(), fmt.Sprintf("part-%d.first", part))
}

// InFiles reports whether topics are in files.
func (j *Layout) InFiles() bool { return j.Spec.State != "" }

// StateDir returns the job's own directory in that of the state.
func (j *Layout) StateDir() string { return filepath.Join(j.Spec.State, j.Name+"-"+j.IDText()) }

// IsFile reports whether a name is a path and not a key.
func IsFile(key string) bool { return !strings.HasPrefix(key, "topoi:") }
