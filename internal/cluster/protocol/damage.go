package protocol

import (
	"errors"
	"fmt"
)

// ErrGone is wrapped by errors about something that the store has lost or damaged.
var ErrGone = errors.New("the store has lost something of the job")

// ErrCancelled is wrapped by errors about a job that somebody removed.
var ErrCancelled = errors.New("the job was removed")

// ErrLost means that a lease has run out, or that another worker has the office.
var ErrLost = errors.New("the lease has run out")

// ErrBehind means that a worker has to wait for others, or look at its job again.
var ErrBehind = errors.New("behind the last barrier")

// Taken means that a job cannot be created because its name is in use.
type Taken string

// ErrMissing means that a key does not exist.
var ErrMissing = errors.New("is missing")

// Damage names a key that the store has lost or damaged. Package mend repairs the job.
type Damage struct {
	Key string
	Err error // ErrMissing, or what is wrong with the value
}

func (t Taken) Error() string { return string(t) }

func (d *Damage) Error() string {
	switch gone := errors.Is(d.Err, ErrMissing); {
	case gone && IsFile(d.Key):
		return d.Key + " is missing"
	case gone:
		return d.Key + " is missing from the store"
	case IsFile(d.Key):
		return fmt.Sprintf("%s is damaged (%v)", d.Key, d.Err)
	}
	return fmt.Sprintf("%s in the store is damaged (%v)", d.Key, d.Err)
}

func (d *Damage) Unwrap() []error { return []error{ErrGone, d.Err} }

// Missing returns the error about a key that does not exist.
func Missing(key string) error { return &Damage{key, ErrMissing} }

// Damaged returns an error about a key whose value could not be read. It returns nil, or an error that names a key
// already, unchanged.
func Damaged(key string, err error) error {
	var d *Damage
	if err == nil || errors.As(err, &d) {
		return err
	}
	return &Damage{key, err}
}

// Cancelled returns the error about a job that somebody removed.
func (j *Layout) Cancelled() error { return Cancelled(j.Name) }

// Cancelled returns the error about a job of the given name that somebody removed.
func Cancelled(name string) error {
	return fmt.Errorf("%w: job %s was cancelled or has been collected", ErrCancelled, name)
}
