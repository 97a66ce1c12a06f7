// Package records keeps a job in a store: its spec and state, the scripts that change them, and its blobs. It
// implements the interfaces of package protocol.
//
//   - A job is created (create.go, pseudo.go, ship.go), opened (open.go), looked at (status.go, nodes.go) and removed
//     (remove.go).
//   - Small keys change by scripts (package scripts, answer.go): for workers and the leader (control.go), and for a mender
//     (repair.go).
//   - Blobs are written (put.go) past the heads that refuse what is over (heads.go), and read (blobs.go, totals.go).
//     Topics may be in files (files.go).
package records

import (
	"context"
	"errors"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

var (
	// ErrNoJob is wrapped by errors about a job that the store does not hold.
	ErrNoJob = errors.New("no such job")

	errLate   = errors.New("the round is over")                   // of a blob
	errBroken = errors.New("its floor is no number")              // of a head
	errAhead  = errors.New("its floor is above the last barrier") // of a head
)

// Job is a job in a store. Once it is created or opened, only FetchPseudo changes it, which whoever opens it calls
// before others use it. All other methods may be called from any goroutine.
type Job struct {
	Blobs
	Text string // the Spec as the store has it
}

// State returns the last barrier, or nil while the job is being submitted.
func (j *Job) State(ctx context.Context) (*protocol.State, error) {
	state, _, err := j.Read(ctx)
	return state, err
}

// Read returns the state and the mark of the last mending.
func (j *Job) Read(ctx context.Context) (state *protocol.State, mended string, err error) {
	answer, err := j.Ask(ctx, scriptState, "spec state")
	if err != nil {
		return nil, "", err
	}
	text, err := answer[1].ToString()
	if err != nil || text == "" {
		return nil, "", err
	}
	if mended, err = answer[2].ToString(); err != nil {
		return nil, "", err
	}
	state, err = j.ParseState(text)
	return state, mended, err
}

func (j *Job) ParseState(text string) (*protocol.State, error) {
	state := new(protocol.State)
	if err := protocol.Unseal(text, state); err != nil {
		return nil, protocol.Damaged(j.Key.State(), err)
	}
	return state, nil
}
