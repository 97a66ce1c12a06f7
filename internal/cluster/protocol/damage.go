package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"
)

// ErrGone is wrapped by errors about something of a job that the store held and holds no more, or holds damaged.
var ErrGone = errors.New("the store has lost something of the job")

// ErrCancelled is wrapped by errors about a job that somebody removed.
var ErrCancelled = errors.New("the job was removed")

// ErrLost says that a lease has run out, or that an office went to another worker.
var ErrLost = errors.New("the lease has run out")

// Taken says that the store holds something under the name of a job that is to be created.
type Taken string

func (t Taken) Error() string { return string(t) }

// ErrMissing says that there is nothing under a key.
var ErrMissing = errors.New("is missing")

// Damage is a key of a job that the store has lost or holds damaged. Package mend puts the job right.
type Damage struct {
	Key string
	Err error // ErrMissing, or what is wrong with the value
}

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

// Missing returns the error about a key under which there is nothing.
func Missing(key string) error { return &Damage{key, ErrMissing} }

// Damaged names the key whose value could not be read. Errors that say so already stay as they are.
func Damaged(key string, err error) error {
	var d *Damage
	if err == nil || errors.As(err, &d) {
		return err
	}
	return &Damage{key, err}
}

// Seal returns v as JSON with the XXH3 of that behind it, in a line of its own: what a job is and how it stands must
// not be read wrongly.
func Seal(v any) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	return string(text) + "\n" + digest(string(text)), nil
}

func digest(text string) string { return strconv.FormatUint(xxh3.HashString(text), 16) }

// Unseal reads what Seal wrote.
func Unseal(text string, v any) error {
	body, sum, ok := strings.Cut(text, "\n")
	if !ok || sum != digest(body) {
		return errors.New("the checksum does not match")
	}
	return json.Unmarshal([]byte(body), v)
}

// Cancelled returns the error about a job that somebody removed.
func (j *Layout) Cancelled() error {
	return fmt.Errorf("%w: job %s was cancelled or has been collected", ErrCancelled, j.Name)
}
