package records

import (
	"errors"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// A blob is read as what it was written as: one of another job, round, slice or part is damage of the key that was
// read.
func TestBlobsKnowWhatTheyAre(t *testing.T) {
	job := func(id uint64) *Blobs {
		spec := protocol.Spec{ID: id, Topics: 4, Parts: 3, Slices: 3}
		return &Blobs{Layout: protocol.NewLayout("job", spec)}
	}
	j := job(7)
	write := func(j *Blobs, kind blob.Kind, slice, round, part int) []byte {
		var e blob.Encoder
		e.Begin(nil, j.BlobID(kind, round, part)(slice))
		return e.Finish()
	}
	for name, c := range map[string]struct {
		b    []byte
		fine bool
	}{
		"itself":        {write(j, blob.Counts, 1, 5, 0), true},
		"another job":   {write(job(8), blob.Counts, 1, 5, 0), false},
		"another slice": {write(j, blob.Counts, 2, 5, 0), false},
		"another round": {write(j, blob.Counts, 1, 6, 0), false},
		"changes":       {write(j, blob.Changes, 1, 5, 0), false},
		"nothing":       {nil, false},
	} {
		_, err := j.OpenRows(c.b, 1, 5)
		var d *protocol.Damage
		if c.fine != (err == nil) || err != nil && (!errors.As(err, &d) || d.Key != j.Key.Rows(1, 5)) {
			t.Errorf("rows, %s: %v", name, err)
		}
	}
	for name, c := range map[string]struct {
		b    []byte
		fine bool
	}{
		"itself":       {write(j, blob.Changes, 1, 5, 2), true},
		"another part": {write(j, blob.Changes, 1, 5, 1), false},
		"rows":         {write(j, blob.Counts, 1, 5, 2), false},
	} {
		_, err := j.OpenChange(c.b, 1, 5, 2)
		var d *protocol.Damage
		if c.fine != (err == nil) || err != nil && (!errors.As(err, &d) || d.Key != j.Key.Changes(1, 5, 2)) {
			t.Errorf("changes, %s: %v", name, err)
		}
	}
}

// n_k of a part have an id of their own: no slice's blob can be taken for them.
func TestTotalsAreOfNoSlice(t *testing.T) {
	j := &Blobs{Layout: protocol.NewLayout("job", protocol.Spec{ID: 7, Topics: 2, Parts: 2, Slices: 3})}
	w := j.TotalsWrite(1, 5, []uint64{3, 4})
	if w.Key != j.Key.Totals(1, 5) || w.Round != 5 {
		t.Errorf("it is written as %s of round %d", w.Key, w.Round)
	}
	for slice := range 3 {
		if j.TotalsID(1, 5) == j.BlobID(blob.Totals, 5, 1)(slice) {
			t.Errorf("n_k have the id of slice %d", slice)
		}
	}
	sum := j.NewTotals(5)
	if err := errors.Join(sum.Add(1, w.Blob), sum.Add(1, w.Blob)); err != nil || !slices.Equal(sum.Sum, []uint64{6, 8}) {
		t.Errorf("n_k twice are %v: %v", sum.Sum, err)
	}
	var d *protocol.Damage
	if err := sum.Add(0, w.Blob); !errors.As(err, &d) || d.Key != j.Key.Totals(0, 5) {
		t.Errorf("n_k of another part: %v", err)
	}
}

// So many n_k are in memory together that they take 8 MiB at most, and one at least.
func TestAtOnce(t *testing.T) {
	for topics, want := range map[int]int{1: 1 << 20, 1000: 1048, 1 << 20: 1, 1 << 21: 1} {
		j := &Blobs{Layout: protocol.NewLayout("job", protocol.Spec{Topics: topics})}
		if got := j.AtOnce(); got != want || got > 1 && 8*got*topics > 8<<20 {
			t.Errorf("%d topics: %d at once, want %d", topics, got, want)
		}
	}
}

// Names are those of the numbers below n, in order.
func TestEach(t *testing.T) {
	key := func(i int) string { return string(rune('a' + i)) }
	if got := Each(3, key); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("%q", got)
	}
	if got := Each(0, key); len(got) != 0 {
		t.Errorf("none are %q", got)
	}
}
