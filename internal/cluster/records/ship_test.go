package records

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/store"
)

// A corpus of several chunks arrives whole, also while it is still on its way.
func TestShip(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	st, err := store.Open(t.Context(), store.Options{URL: server.SocketURL()})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	file := make([]byte, 2*chunkBytes+12345)
	for i := range file {
		file[i] = byte(rand.Uint32())
	}
	spec := protocol.Spec{ID: 7, Protocol: protocol.Protocol, Parts: 2, Slices: 1, Topics: 1, Words: 1, Shipped: Chunks(int64(len(file)))}
	if spec.Shipped != 3 {
		t.Fatalf("%d chunks", spec.Shipped)
	}
	job, err := Create(t.Context(), st, "ship", spec, protocol.State{Round: -1}, nil, []uint64{1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var early bytes.Buffer
	err = job.Receive(t.Context(), &early, 100*time.Millisecond)
	if err == nil || !strings.Contains(err.Error(), "the store does not hold all of the corpus of job ship") {
		t.Errorf("before anything is shipped: %v", err)
	}
	shipped := make(chan error)
	go func() { shipped <- job.Ship(t.Context(), bytes.NewReader(file)) }()
	var got bytes.Buffer
	if err := job.Receive(t.Context(), &got, time.Minute); err != nil {
		t.Fatal(err)
	}
	if err := <-shipped; err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), file) {
		t.Errorf("%d bytes arrive, other than the %d sent", got.Len(), len(file))
	}
	if _, err := Remove(t.Context(), st, "ship"); err != nil || len(server.Left()) > 0 {
		t.Errorf("%v is left, %v", server.Left(), err)
	}
	if err := job.Ship(t.Context(), bytes.NewReader(file[:10])); err == nil {
		t.Error("a file that is too short was shipped")
	}
}
