package cluster

import (
	"context"
	"errors"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/store"
)

// restoreLeases is how many leases a watcher waits for workers that put a job back. They notice within a lease that it
// is gone, or wait for two if they were away themselves.
const restoreLeases = 4

// unseen is how long a watcher waits for a job that it has never seen: long enough for a worker with the usual lease to
// begin to mend it.
const unseen = 5 * time.Second

// await tells a job that workers are restoring from one that does not exist.
type await struct {
	store *store.Store
	name  string        // of the job
	id    uint64        // of the job as it was seen last; 0: never
	most  time.Duration // to wait for a job that is not there
	since time.Time     // when it was seen, or when a worker was mending it
}

func newAwait(st *store.Store, name string) *await {
	return &await{store: st, name: name, most: unseen, since: time.Now()}
}

// restored takes the answer to a question about the job. It returns true, after a pause, if the caller should ask again,
// because the job is not there but may come back.
func (a *await) restored(ctx context.Context, s *Status, fault error) (again bool, err error) {
	if !errors.Is(fault, ErrNoJob) {
		a.since = time.Now()
		if s != nil {
			a.most = max(a.most, restoreLeases*s.lease)
			a.id = s.id
		}
		return false, fault
	}
	mended, ended, err := records.Absent(ctx, a.store, a.name, a.id)
	switch {
	case err != nil:
		return false, err
	case ended:
		return false, protocol.Cancelled(a.name)
	case mended:
		a.since = time.Now()
	case time.Since(a.since) > a.most:
		return false, fault
	}
	return true, protocol.Wall.Wait(ctx, 100*time.Millisecond, nil)
}
