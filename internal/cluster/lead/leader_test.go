package lead

import (
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// A leader goes on where the state says, and training cannot end where there is no barrier.
func TestLeaderResumes(t *testing.T) {
	state := &protocol.State{Round: 8, Iteration: 8, Since: 10, Until: 12}
	state.SetPriors(&sampler.Priors{Alpha: []float64{0.5, 0.5}, Beta: 0.1})
	job := &records.Job{Blobs: records.Blobs{Layout: protocol.NewLayout("job", protocol.Spec{Topics: 2})}}
	l := New(Options{Task: records.Task{Job: job}, Own: records.NewProgress()}, 5, state)
	iteration, priors, _ := l.Resume()
	if iteration != 10 || priors.Alpha[1] != 0.5 || priors.Beta != 0.1 {
		t.Errorf("iteration %d, %+v", iteration, priors)
	}
	if err := l.Finish(priors); err == nil || !strings.Contains(err.Error(), "training ended after iteration 10, which is no barrier") {
		t.Errorf("%v", err)
	}
}
