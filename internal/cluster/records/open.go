package records

import (
	"cmp"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/store"
)

// Build identifies a program.
type Build struct {
	Version string // what it calls itself

	// Results returns a hash of what the program makes of a small corpus with a sampler. It is nil for readers.
	Results func(sampler string) (string, error)
}

// Open finds a job in the store. Workers must have the build that submitted it; readers pass the zero value.
func Open(ctx context.Context, st *store.Store, name string, build Build) (*Job, error) {
	if err := protocol.CheckName(name); err != nil {
		return nil, err
	}
	var j *Job
	err := rereading(func() error {
		j = &Job{Blobs: Blobs{protocol.NewLayout(name, protocol.Spec{}), st, nil}}
		values, err := st.Get(ctx, j.Key.Spec())
		if err != nil {
			return err
		}
		if values[0] == nil {
			return j.absent()
		}
		return j.readSpec(string(values[0]))
	})
	if err != nil {
		return nil, err
	}
	return j, j.refuse(build)
}

// rereading calls read for a reader, who cannot mend a job, up to three times as long as something is damaged: it may have
// been damaged on its way, and workers replace what they say of themselves.
func rereading(read func() error) (err error) {
	for range 3 {
		var d *protocol.Damage
		if err = read(); !errors.As(err, &d) || errors.Is(err, protocol.ErrMissing) {
			return err
		}
	}
	return err
}

// absent returns the error about a job that is not in the store.
func (j *Job) absent() error {
	return fmt.Errorf("%w: store %s has no job called %s: submit it with Job.Submit, or correct the name",
		ErrNoJob, j.Store.Name(), j.Name)
}

// Explain returns the error for a reader of the job. A job that disappeared since it was opened is one that the store
// does not hold.
func (j *Job) Explain(err error) error {
	var d *protocol.Damage
	if errors.As(err, &d) && d.Key == j.Key.Spec() && errors.Is(err, protocol.ErrMissing) {
		return j.absent()
	}
	return err
}

// Absent tells more about a job that is not in the store: whether a worker is mending it, and whether the job with this
// id was cancelled or collected. An id of 0 stands for a job that nobody has seen.
func Absent(ctx context.Context, st *store.Store, name string, id uint64) (mended, ended bool, err error) {
	j := protocol.NewLayout(name, protocol.Spec{ID: id})
	values, err := st.Get(ctx, append(j.Key.Tombstones(j.IDText()), j.Key.Lock())...)
	if err != nil {
		return false, false, err
	}
	return values[2] != nil, id != 0 && (values[0] != nil || values[1] != nil), nil
}

// refuse returns an error if a build would give other results than the job's.
func (j *Job) refuse(build Build) error {
	theirs, ours := cmp.Or(j.Program, "of an unknown version"), cmp.Or(build.Version, "of an unknown version")
	if j.Protocol != protocol.Protocol || build.Version != "" && j.Program != build.Version {
		return fmt.Errorf("job %s was submitted by topoi %s (protocol %d) and this is topoi %s (protocol %d): "+
			"run the same program everywhere", j.Name, theirs, j.Protocol, ours, protocol.Protocol)
	}
	if build.Results == nil {
		return nil
	}
	results, err := build.Results(j.Sampler)
	if err != nil {
		return err
	}
	if j.Results != results {
		return fmt.Errorf("job %s was submitted by topoi %s whose small runs give %s, and those of this topoi %s give %s, "+
			"so that it would make another model: run the same program everywhere, and see that the machine is sound",
			j.Name, theirs, j.Results, ours, results)
	}
	return nil
}

// readSpec reads the spec. One of another protocol is read as far as possible.
func (j *Job) readSpec(text string) error {
	j.Text = text
	fault := protocol.Unseal(text, &j.Spec)
	if fault == nil {
		return nil
	}
	body, _, _ := strings.Cut(text, "\n")
	switch err := json.Unmarshal([]byte(body), &j.Spec); {
	case err == nil && j.Protocol != protocol.Protocol && j.Protocol > 0:
		return nil
	case err != nil && !strings.HasPrefix(text, "{"):
		return fmt.Errorf("store %s: the value of %s is not a job of topoi: choose another name",
			j.Store.Name(), j.Key.Spec())
	}
	return unreadable(&protocol.Damage{Key: j.Key.Spec(), Err: fault})
}

// SpecDigest returns the SHA-1 of the spec, which scripts compute too.
func (j *Job) SpecDigest() string {
	sum := sha1.Sum([]byte(j.Text))
	return hex.EncodeToString(sum[:])
}

// unreadable returns the error about damage for a reader, who cannot mend it.
func unreadable(err error) error {
	return fmt.Errorf("%w: workers that still run mend it; if there are none, "+
		"remove the job with Job.Cancel and submit it again, from its checkpoint if there is one", err)
}

// Again reads the job anew. It may have been created again, and then begins elsewhere.
func (j *Job) Again(ctx context.Context) (*Job, error) {
	now, err := Open(ctx, j.Store, j.Name, Build{Version: j.Program})
	switch {
	case errors.Is(err, ErrNoJob):
		return nil, protocol.Missing(j.Key.Spec())
	case err == nil && now.ID != j.ID:
		return nil, fmt.Errorf("%w, and there is another of its name", j.Cancelled())
	case err == nil:
		now.Pseudo = j.Pseudo
	}
	return now, err
}
