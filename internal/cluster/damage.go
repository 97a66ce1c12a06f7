package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/zeebo/xxh3"
)

// ErrGone is wrapped by errors about something of a job that the store held and
// holds no more, or holds damaged.
var ErrGone = errors.New("the store has lost something of the job")

// ErrCancelled is wrapped by errors about a job that somebody removed.
var ErrCancelled = errors.New("the job was removed")

// errMissing says that there is nothing under a key.
var errMissing = errors.New("is missing")

// Damage is a key of a job that the store has lost or holds damaged. Mend puts the
// job right.
type Damage struct {
	Key string
	Err error // errMissing, or what is wrong with the value
}

func (d *Damage) Error() string {
	switch gone := errors.Is(d.Err, errMissing); {
	case gone && isFile(d.Key):
		return d.Key + " is missing"
	case gone:
		return d.Key + " is missing from the store"
	case isFile(d.Key):
		return fmt.Sprintf("%s is damaged (%v)", d.Key, d.Err)
	}
	return fmt.Sprintf("%s in the store is damaged (%v)", d.Key, d.Err)
}

func (d *Damage) Unwrap() []error { return []error{ErrGone, d.Err} }

// Missing says whether there is nothing under the key.
func (d *Damage) Missing() bool { return errors.Is(d.Err, errMissing) }

func missing(key string) error { return &Damage{key, errMissing} }

// damaged names the key whose value could not be read. Errors that say so already
// stay as they are.
func damaged(key string, err error) error {
	var d *Damage
	if err == nil || errors.As(err, &d) {
		return err
	}
	return &Damage{key, err}
}

// firstMissing returns Damage about the first key that has no value, or nil.
func firstMissing(names []string, values [][]byte) error {
	for i, v := range values {
		if v == nil {
			return missing(names[i])
		}
	}
	return nil
}

// seal returns v as JSON with the XXH3 of that behind it, in a line of its own: what
// a job is and how it stands must not be read wrongly.
func seal(v any) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	return string(text) + "\n" + digest(string(text)), nil
}

func digest(text string) string { return strconv.FormatUint(xxh3.HashString(text), 16) }

// unseal reads what seal wrote.
func unseal(text string, v any) error {
	body, sum, ok := strings.Cut(text, "\n")
	if !ok || sum != digest(body) {
		return errors.New("the checksum does not match")
	}
	return json.Unmarshal([]byte(body), v)
}

// judge says what a session that ended with err is to be followed by, while its
// lease still shows that it was there. A job that somebody removes is marked so
// until all leases have ended: whoever lost the job, finds no mark and was there
// until now, knows that nobody removed it.
func (s *session) judge(ctx context.Context, err error) error {
	if !errors.Is(err, ErrGone) && !errors.Is(err, errLost) { // whoever removes a job ends its leader's office
		return err
	}
	j := s.o.Job
	values, fault := j.store.Get(ctx, j.keys.removed(), j.keys.spec())
	switch {
	case fault != nil:
		return fault
	case string(values[0]) == j.id(), string(values[0]) == anyJob:
		return j.cancelled()
	case values[1] == nil && s.away() && !errors.Is(err, errLost):
		return s.o.vanished(ctx)
	}
	return err
}

// away says whether the session's lease may have ended before now.
func (s *session) away() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return wallSince(s.seen) > s.o.Job.Lease
}

func (j *Job) cancelled() error {
	return fmt.Errorf("%w: job %s was cancelled or has been collected", ErrCancelled, j.Name)
}

// ErrVanished is wrapped by errors about a job that was removed or lost while nobody
// looked.
var ErrVanished = errors.New("the job is not in the store any more")

// vanished waits a while for others to put back a job that is not there, and says
// that it is to be joined again then.
func (o *WorkOptions) vanished(ctx context.Context) error {
	j := o.Job
	for pause, waited := newPause(), newPause(); wallSince(waited.began) < 2*j.Lease; {
		if now, err := j.again(ctx); err == nil {
			o.Job = now
			return errLost
		} else if !errors.Is(err, errMissing) {
			return err
		}
		if err := pause.wait(ctx); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: job %s was cancelled, collected or lost by the store while this worker was away: if it was lost, submit it again, from its checkpoint if there is one", ErrVanished, j.Name)
}

// wallSince is the time since t by the clock on the wall, which goes on while a machine
// sleeps.
func wallSince(t time.Time) time.Duration { return time.Now().Round(0).Sub(t.Round(0)) }
