package cluster

import (
	"context"
	"errors"
	"fmt"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
)

// Lost is what a worker knew of a job when it left it.
type Lost struct {
	Job    *records.Job // as it was joined last
	State  *protocol.State
	Mended string
}

// judge says what a session that ended with err is to be followed by, while its
// lease still shows that it was there. A job that somebody removes is marked so
// until all leases have ended: whoever lost the job, finds no mark and was there
// until now, knows that nobody removed it.
func (s *session) judge(ctx context.Context, err error) error {
	if !errors.Is(err, protocol.ErrGone) && !errors.Is(err, protocol.ErrLost) { // whoever removes a job ends its leader's office
		return err
	}
	removed, there, fault := s.control.Removed(ctx)
	switch {
	case fault != nil:
		return fault
	case removed:
		return s.o.Job.Cancelled()
	case !there && s.lease.Away() && !errors.Is(err, protocol.ErrLost):
		return s.o.vanished(ctx)
	}
	return err
}

// ErrVanished is wrapped by errors about a job that was removed or lost while nobody
// looked.
var ErrVanished = errors.New("the job is not in the store any more")

// vanished waits a while for others to put back a job that is not there, and says
// that it is to be joined again then.
func (o *WorkOptions) vanished(ctx context.Context) error {
	j := o.Job
	for pause := protocol.NewPause(); pause.Waited() < 2*j.Lease; {
		if now, err := j.Again(ctx); err == nil {
			o.Job = now
			return protocol.ErrLost
		} else if !errors.Is(err, protocol.ErrMissing) {
			return err
		}
		if err := pause.Wait(ctx); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: job %s was cancelled, collected or lost by the store while this worker was away: if it was lost, submit it again, from its checkpoint if there is one", ErrVanished, j.Name)
}
