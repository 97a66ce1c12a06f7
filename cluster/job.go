package cluster

import (
	"context"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/store"
)

// Job says where a job is. Its methods may be called from any number of processes and goroutines.
type Job struct {
	// Store is the store's URL: redis://user:password@host:6379, rediss:// for TLS, unix:// for a socket. Required.
	Store string

	// Name is the job's name, unique in the store: up to 64 letters, digits, dots, dashes and underscores. Required.
	Name string

	// Program is the version of the program. Workers of a job must have the same one, and must make the same of a
	// small corpus with the job's sampler, which they find out by themselves. Default "": it is not compared.
	Program string

	// Patience is how long the store may be away before a call gives up. Default one minute.
	Patience time.Duration
}

// ErrNoJob is wrapped by errors about a job that the store does not hold.
var ErrNoJob = records.ErrNoJob

// open connects to the store.
func (j Job) open(ctx context.Context) (*store.Store, error) {
	if err := protocol.CheckName(j.Name); err != nil {
		return nil, err
	}
	return store.Open(ctx, store.Options{URL: j.Store, Patience: j.Patience})
}

// build identifies this program.
func (j Job) build() records.Build { return records.Build{Version: j.Program, Results: results} }

// Cancel removes the job and all keys with its name from the store, and returns the number of keys. Its workers stop.
func (j Job) Cancel(ctx context.Context) (keys int, err error) {
	st, err := j.open(ctx)
	if err != nil {
		return 0, err
	}
	defer st.Close()
	return records.Remove(ctx, st, j.Name)
}
