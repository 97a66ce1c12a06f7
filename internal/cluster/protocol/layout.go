package protocol

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/redis/rueidis"

	"github.com/topoi-lda/topoi/internal/store"
)

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
func (j *Job) AllParts() int { return j.Parts }

// ChangesKey returns where the changes of a part, or of all, are in a slice.
func (j *Job) ChangesKey(slice, round, part int) string {
	if part == j.AllParts() {
		return j.Key.Sum(slice, round)
	}
	return j.Key.Changes(slice, round, part)
}

// MostRounds bounds the rounds from one barrier to the next, and so the changes or versions
// that the store keeps and what a worker must repeat that takes over a part.
func (j *Job) MostRounds() int {
	if j.Apart {
		return 4
	}
	return 16
}

// MeetsBriefly reports whether workers may meet without a barrier. Where rows are apart, versions of them are deleted at
// barriers, so every meeting is one.
func (j *Job) MeetsBriefly() bool { return !j.Apart }

// VersionsKept is how many versions before that of a barrier belong to it: those that the rounds
// after it see.
func (j *Job) VersionsKept() int {
	if j.Apart {
		return j.Staleness
	}
	return 0
}

// BeginsWith says where the topics are that a part begins with, and what round
// they name; "" if the sampler has its own.
func (j *Job) BeginsWith(number int, state *State) (key string, round int) {
	switch {
	case state.Round >= 0:
		return j.TopicsKey(number, state.Round), state.Round
	case j.From > 0:
		return j.originKey(number), j.Start
	}
	return "", 0
}

// heads returns the keys of the heads of all slices and parts.
func (j *Job) heads() (names []string) {
	for i := range j.Slices {
		names = append(names, j.Key.Slice(i, "head"))
	}
	for i := range j.Parts {
		names = append(names, j.Key.Part(i, "head"))
	}
	return names
}

// CheckHeads returns Damage about a head of a slice or part that is missing, cannot be read, or refuses rounds that are
// not over. Heads are there from the beginning to the end of a job.
func (j *Job) CheckHeads(ctx context.Context) error {
	var calls []store.Call
	for _, head := range j.heads() {
		calls = append(calls, store.Call{Keys: []string{head}, Args: []string{j.IDText()}})
	}
	answers, err := j.Store.RunAll(ctx, scriptHead, calls)
	if err != nil {
		return err
	}
	floors := make([]int64, len(answers))
	for i, a := range answers {
		answer, err := j.Understand(a)
		if err = HeadFault(calls[i].Keys[0], err); err != nil {
			return err
		}
		if floors[i], err = answer[1].AsInt64(); err != nil {
			return err
		}
	}
	// The state is read after the heads, because a barrier is published before they are raised.
	state, err := j.State(ctx)
	if err != nil || state == nil {
		return err
	}
	for i, floor := range floors {
		if floor > int64(j.Floor(state)) {
			return &Damage{calls[i].Keys[0], errAhead}
		}
	}
	return nil
}

// HeadFault turns what a script said of a head into Damage about it.
func HeadFault(head string, err error) error {
	switch {
	case errors.Is(err, errBroken):
		return &Damage{head, err}
	case errors.Is(err, ErrGone):
		return Missing(head)
	}
	return err
}

func Milliseconds(d time.Duration) string { return strconv.FormatInt(max(1, d.Milliseconds()), 10) }

// Pairs reads the answer of HGETALL in a script.
func Pairs(message rueidis.RedisMessage) (map[string]string, error) {
	list, err := message.AsStrSlice()
	if err != nil {
		return nil, err
	}
	m := make(map[string]string, len(list)/2)
	for i := 0; i+1 < len(list); i += 2 {
		m[list[i]] = list[i+1]
	}
	return m, nil
}
