package barrier

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/store"
)

// takes returns which parts changed something in which rounds of the job below.
func takes(part, round int) bool { return part == 0 || round != 5 }

// stale writes changes of rounds 3 to 5 of a job in which others see them two rounds later. It returns a reader of
// it, and the late changes of round 5 in order.
func stale(t *testing.T) (r *Reader, want []string) {
	server := redistest.Start(t, redistest.Config{})
	st, err := store.Open(t.Context(), store.Options{URL: server.SocketURL()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(st.Close)
	frequencies := []uint64{5, 5, 5, 5}
	spec := protocol.Spec{ID: 7, Protocol: protocol.Protocol, Topics: 3, Words: 4, Parts: 2, Slices: 2, Staleness: 2}
	j, err := records.Create(t.Context(), st, "late", spec, protocol.State{Round: -1}, nil, frequencies, nil)
	if err != nil {
		t.Fatal(err)
	}
	cut := rows.NewCut(frequencies, j.Topics, j.Slices)
	write := func(round, part, slice int) records.Write {
		var e blob.Encoder
		e.Begin(nil, j.BlobID(blob.Changes, round, part)(slice))
		for _, w := range cut.Words[slice] {
			changes := []counts.Change{{Topic: 0, Delta: -int32(round)}, {Topic: 2, Delta: int32(part + 1)}}
			e.Changes(w, changes)
			if round > 3 {
				want = append(want, fmt.Sprint(round, part, w, changes))
			}
		}
		return records.Write{Key: j.Key.Changes(slice, round, part), Round: round, Blob: e.Finish()}
	}
	for round := 3; round <= 5; round++ {
		for part := range j.Parts {
			if !takes(part, round) {
				continue
			}
			if err := j.Put(t.Context(), []records.Write{write(round, part, 0), write(round, part, 1)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return NewReader(t.Context(), records.Task{Job: j, Cut: cut, Spans: make([]sampler.Span, j.Parts), Takes: takes}), want
}

// Late changes come out of a checkpoint as they were in the store, slices joined.
func TestLateChanges(t *testing.T) {
	r, want := stale(t)
	extra, err := r.FetchLate(5)
	if err != nil {
		t.Fatal(err)
	}
	late, err := ReadLate(extra, 5, 2, 2, 3, 4)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range late {
		for d := l.Changes; d.Next(); {
			got = append(got, fmt.Sprint(l.Round, l.Part, d.Word(), d.Changes(nil)))
		}
	}
	if !slices.Equal(got, want) || len(late) != 4 {
		t.Errorf("%d blobs: %v, want %v", len(late), got, want)
	}
	if err := r.job.Store.Delete(t.Context(), r.job.Key.Changes(1, 4, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.FetchLate(5); !errors.Is(err, protocol.ErrMissing) {
		t.Errorf("without the changes of a slice: %v", err)
	}
}

// Late changes that are not whole, or of another job, are refused.
func TestLateChangesOfAnother(t *testing.T) {
	r, _ := stale(t)
	extra, err := r.FetchLate(5)
	if err != nil {
		t.Fatal(err)
	}
	flipped := slices.Clone(extra)
	flipped[len(flipped)/2] ^= 1
	for _, test := range []struct {
		name                            string
		extra                           []byte
		staleness, parts, topics, words int
	}{
		{"nothing", nil, 2, 2, 3, 4},
		{"cut short", extra[:len(extra)-1], 2, 2, 3, 4},
		{"something after", append(slices.Clone(extra), 0), 2, 2, 3, 4},
		{"a bit", flipped, 2, 2, 3, 4},
		{"staleness", extra, 1, 2, 3, 4},
		{"parts", extra, 2, 1, 3, 4},
		{"topics", extra, 2, 2, 4, 4},
		{"words", extra, 2, 2, 3, 3},
	} {
		if late, err := ReadLate(test.extra, 5, test.staleness, test.parts, test.topics, test.words); !errors.Is(err, errLateChanges) || late != nil {
			t.Errorf("%s: %v, %v", test.name, late, err)
		}
	}
}
