package protocol_test

import (
	"context"
	"errors"
	"testing"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// answering answers every beat with the same offices.
type answering struct {
	protocol.Control
	offices []string
}

func (a answering) Beat(context.Context, int64, string, string) (*protocol.Beat, error) {
	return &protocol.Beat{Offices: a.offices}, nil
}

// An answer that a flipped bit has changed is damage, which can be mended, and no error of a parser or a panic.
func TestOfficesThatCannotBe(t *testing.T) {
	job := protocol.NewLayout("job", protocol.Spec{Parts: 2, Slices: 2})
	for office, fine := range map[string]bool{"p1": true, "s0": true, "p\x12": false, "p2": false, "s-1": false, "q1": false, "1": false, "p": false, "": false} {
		l := protocol.NewLease(1, &job, answering{offices: []string{office}}, protocol.Wall)
		l.Report = func() string { return "" }
		if err := l.Beat(t.Context()); (err == nil) != fine || err != nil && !errors.Is(err, protocol.ErrGone) {
			t.Errorf("%q: %v", office, err)
		}
	}
}
