package cluster

import (
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
)

// A worker that would cut the corpus otherwise does not take part.
func TestWorkRefusesAnotherCut(t *testing.T) {
	job := &records.Job{Blobs: records.Blobs{Layout: protocol.NewLayout("job", protocol.Spec{Parts: 3})}}
	lost, err := Work(t.Context(), WorkOptions{Task: records.Task{Job: job}})
	if err == nil || !strings.Contains(err.Error(), "the job has 3 parts and the corpus is cut into 0") || lost.Job != job {
		t.Errorf("%+v, %v", lost, err)
	}
}
