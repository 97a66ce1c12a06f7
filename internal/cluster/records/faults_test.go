package records

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/store"
)

// fullSpec is that of a job with two parts and two slices, whose corpus is in the store.
var fullSpec = protocol.Spec{
	ID: 7, Protocol: protocol.Protocol, Sampler: "sparse", Topics: 3, Words: 4, Parts: 2, Slices: 2, Shipped: 1,
	From: 2, Start: 2, Staleness: 1, Lease: time.Minute,
}

// fullFrequencies are those of the words of the job: a word in either slice begins it.
var fullFrequencies = []uint64{4, 4, 4, 4}

// fullPseudo are its pseudo-counts.
func fullPseudo() *counts.Pseudo {
	one := func(w int) []counts.Entry { return []counts.Entry{{Topic: uint32(w % 3), Count: 1}} }
	return counts.NewPseudo(4, 3, one)
}

// changesOf returns a blob of changes of all words: word w one more of topic w % 3.
func changesOf(t *testing.T, words ...uint32) blob.Decoder {
	t.Helper()
	id := blob.ID{Kind: blob.Changes, Topics: 3}
	var e blob.Encoder
	e.Begin(nil, id)
	for _, w := range words {
		e.Changes(w, []counts.Change{{Topic: w % 3, Delta: 1}})
	}
	d, err := blob.Open(e.Finish(), id)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// createFull creates the job from a checkpoint.
func createFull(t *testing.T, st *store.Store) (*Job, error) {
	origin := &Origin{
		Topics:  func(part int) []uint32 { return []uint32{0, 1, uint32(part)} },
		Changes: []Late{{1, 0, changesOf(t, 0, 1, 3)}, {1, 1, blob.Decoder{}}, {2, 1, changesOf(t, 2)}},
	}
	state := protocol.State{Round: -1, Until: 4}
	return Create(t.Context(), st, "full", fullSpec, state, origin, fullFrequencies, fullPseudo())
}

// fill puts a corpus, and rows, totals and statistics of round 3 into the job, lets worker 11 lead it, and publishes
// that round.
func fill(t *testing.T, j *Job) {
	t.Helper()
	ctx, c := t.Context(), Control{j}
	var writes []Write
	var e blob.Encoder
	for i := range j.Slices {
		e.Begin(nil, j.BlobID(blob.Counts, 3, 0)(i))
		for w := 2 * i; w < 2*i+2; w++ {
			e.Counts(uint32(w), []counts.Entry{{Topic: uint32(i), Count: uint32(1 + w)}})
		}
		writes = append(writes, Write{j.Key.Rows(i, 3), 3, e.Finish()})
		id := j.BlobID(blob.Statistics, 3, 0)(i)
		statistics := blob.EncodeStatistics(id, []uint64{uint64(i), 1, 0}, []uint64{0, 2})
		writes = append(writes, Write{j.Key.Statistics(i, 3), 3, statistics})
	}
	for part := range j.Parts {
		writes = append(writes, j.TotalsWrite(part, 3, []uint64{1, uint64(part), 5}))
	}
	_, joined := c.Join(ctx, 11, `{"name": "one"}`)
	_, beaten := c.Beat(ctx, 11, `{"name": "one"}`, "")
	err := errors.Join(joined, beaten, j.Put(ctx, writes), j.Ship(ctx, strings.NewReader("the corpus")),
		c.Publish(ctx, 11, &protocol.State{Round: 2, Until: 6}, []string{"p0", "11", "s1", "11"}),
		c.Reach(ctx, 11, "r0", "p0", 3))
	if err != nil {
		t.Fatal(err)
	}
}

// ending are the operations after which a job cannot do the others.
var ending = []string{"remove keys", "leave", "raise", "discard", "mend", "forget", "remove"}

// operations are all that a job can do in its store.
var operations = map[string]func(context.Context, *Job) error{
	"open":       func(ctx context.Context, j *Job) error { _, err := Open(ctx, j.Store, j.Name, Build{}); return err },
	"again":      func(ctx context.Context, j *Job) error { _, err := j.Again(ctx); return err },
	"absent":     func(ctx context.Context, j *Job) error { _, _, err := Absent(ctx, j.Store, j.Name, 7); return err },
	"state":      func(ctx context.Context, j *Job) error { _, err := j.State(ctx); return err },
	"status":     func(ctx context.Context, j *Job) error { _, err := j.Status(ctx); return err },
	"heads":      func(ctx context.Context, j *Job) error { return j.CheckHeads(ctx) },
	"make heads": func(ctx context.Context, j *Job) error { return j.MakeHeads(ctx, 2, "new") },
	"ship":       func(ctx context.Context, j *Job) error { return j.Ship(ctx, strings.NewReader("the corpus")) },
	"receive":    func(ctx context.Context, j *Job) error { return j.Receive(ctx, io.Discard, time.Minute) },
	"pseudo":     func(ctx context.Context, j *Job) error { return j.FetchPseudo(ctx) },
	"totals":     func(ctx context.Context, j *Job) error { _, err := j.TotalsAt(ctx, 3); return err },
	"statistics": func(ctx context.Context, j *Job) error { _, _, err := j.StatisticsAt(ctx, 3); return err },
	"rows": func(ctx context.Context, j *Job) error {
		return j.LoadRows(ctx, rows.NewModel(rows.NewCut(fullFrequencies, 3, 2), 3), 3)
	},
	"changes":      func(ctx context.Context, j *Job) error { _, err := j.GetChanges(ctx, 2, 1); return err },
	"open changes": func(ctx context.Context, j *Job) error { _, err := j.OpenChanges(ctx, 1, 2, []int{1}); return err },
	"read":         func(ctx context.Context, j *Job) error { _, err := j.ReadBlob(ctx, j.OriginKey(1)); return err },
	"missing":      func(ctx context.Context, j *Job) error { _, err := j.Absent(ctx, []string{"topoi:1"}); return err },
	"keys":         func(ctx context.Context, j *Job) error { _, err := j.Keys(ctx); return err },
	"remove keys":  func(ctx context.Context, j *Job) error { return j.RemoveKeys(ctx) },
	"put late": func(ctx context.Context, j *Job) error {
		return j.Put(ctx, []Write{{j.Key.Rows(0, 0), 0, []byte("x")}})
	},
	"join":  func(ctx context.Context, j *Job) error { _, err := Control{j}.Join(ctx, 12, "{}"); return err },
	"beat":  func(ctx context.Context, j *Job) error { _, err := Control{j}.Beat(ctx, 11, "{}", ""); return err },
	"leave": func(ctx context.Context, j *Job) error { return Control{j}.Leave(ctx, 11) },
	"reach": func(ctx context.Context, j *Job) error { return Control{j}.Reach(ctx, 11, "r0", "p0", 4) },
	"survey": func(ctx context.Context, j *Job) error {
		_, err := Control{j}.Survey(ctx, 11)
		return err
	},
	"assign": func(ctx context.Context, j *Job) error { return Control{j}.Assign(ctx, 11, []string{"p1", "11"}) },
	"publish": func(ctx context.Context, j *Job) error {
		return Control{j}.Publish(ctx, 11, &protocol.State{Round: 3, Until: 8}, nil)
	},
	"raise":   func(ctx context.Context, j *Job) error { return Control{j}.Raise(ctx, &protocol.State{Round: 2}) },
	"discard": func(ctx context.Context, j *Job) error { return Control{j}.Discard(ctx, []string{j.Key.Rows(0, 3)}) },
	"removed": func(ctx context.Context, j *Job) error { _, _, err := Control{j}.Removed(ctx); return err },
	"lock":    func(ctx context.Context, j *Job) error { return Repair{j}.Lock(ctx, "me") },
	"unlock":  func(ctx context.Context, j *Job) error { return Repair{j}.Unlock(ctx, "me") },
	"mend": func(ctx context.Context, j *Job) error {
		r := Repair{j}
		if had, err := r.Halt(ctx, -5); err != nil || !had {
			return errors.Join(err, io.EOF)
		}
		if err := r.Rule(ctx, -5); err != nil {
			return err
		}
		names, marks, err := r.Blobs(ctx)
		if err != nil {
			return err
		}
		if err := r.Sweep(ctx, names, marks); err != nil {
			return err
		}
		if err := r.Mark(ctx, &protocol.State{Round: 2}, "mark", -5); err != nil {
			return err
		}
		return r.Resume(ctx, -5)
	},
	"forget": func(ctx context.Context, j *Job) error { return Repair{j}.Forget(ctx) },
	"remove": func(ctx context.Context, j *Job) error {
		if err := (Control{j}).Leave(ctx, 11); err != nil {
			return err
		}
		_, err := Remove(ctx, j.Store, j.Name)
		return err
	},
}

// An error of the store is reported, whichever command of an operation it comes from.
func TestEachCommandMayFail(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	faults := redistest.NewFaults(t, server)
	// Once: a command that goes out again may arrive after its operation is over, and would count for the next.
	st, err := store.Open(t.Context(), store.Options{URL: faults.URL(), Once: true})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	try := func(name string, prepare func() *Job, f func(context.Context, *Job) error) {
		failed := true
		for n := 0; failed; n++ {
			j := prepare()
			faults.FailAt(n)
			err := f(t.Context(), j)
			failed = faults.Failed()
			faults.Pass()
			switch {
			case failed && err == nil:
				t.Errorf("%s: command %d failed, and nothing says so", name, n)
			case !failed && err != nil:
				t.Errorf("%s: %v", name, err)
			case failed && !strings.Contains(err.Error(), "this command fails"):
				t.Errorf("%s: command %d failed, and the error is: %v", name, n, err)
			}
		}
	}
	fresh := func() *Job {
		server.Do("FLUSHALL")
		j, err := createFull(t, st)
		if err != nil {
			t.Fatal(err)
		}
		fill(t, j)
		return j
	}
	empty := func() *Job {
		server.Do("FLUSHALL")
		return nil
	}
	try("create", empty, func(context.Context, *Job) error { _, err := createFull(t, st); return err })
	j := fresh()
	for name, f := range operations {
		if !slices.Contains(ending, name) {
			try(name, func() *Job { return j }, f)
		}
	}
	for _, name := range ending {
		try(name, fresh, operations[name])
	}
}

// What a job begins with is in the store under the keys and ids of its parts and slices, and nothing else is.
func TestCreateFromCheckpoint(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	st, err := store.Open(t.Context(), store.Options{URL: server.SocketURL()})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	j, err := createFull(t, st)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for i := range 2 {
		want = append(want, j.Key.Slice(i, "head"), j.Key.Part(i, "head"), j.Key.Part(i, "first"), j.Key.Pseudo(i))
		want = append(want, j.Key.Changes(i, 1, 0), j.Key.Changes(i, 1, 1), j.Key.Changes(i, 2, 1))
	}
	want = append(want, j.Key.Spec(), j.Key.State())
	slices.Sort(want)
	if got := server.Keys(); !slices.Equal(got, want) {
		t.Errorf("keys %q, want %q", got, want)
	}
	for part := range 2 {
		b, err := j.ReadBlob(t.Context(), j.OriginKey(part))
		if err != nil {
			t.Fatal(err)
		}
		z := make([]uint32, 3)
		err = blob.DecodeTopics(z, b, j.PartID(part, 2), 3)
		if err != nil || !slices.Equal(z, []uint32{0, 1, uint32(part)}) {
			t.Errorf("topics of part %d: %v, %v", part, z, err)
		}
	}
	for _, c := range []struct {
		slice, round, part int
		words              []uint32
	}{{0, 1, 0, []uint32{0, 1}}, {1, 1, 0, []uint32{3}}, {0, 1, 1, nil}, {0, 2, 1, nil}, {1, 2, 1, []uint32{2}}} {
		sources, err := j.OpenChanges(t.Context(), c.slice, c.round, []int{c.part})
		if err != nil {
			t.Fatal(err)
		}
		var words []uint32
		for d := sources[0]; d.Next(); {
			words = append(words, d.Word())
			if got := d.Changes(nil); !slices.Equal(got, []counts.Change{{Topic: d.Word() % 3, Delta: 1}}) {
				t.Errorf("word %d changes by %v", d.Word(), got)
			}
		}
		if !slices.Equal(words, c.words) {
			t.Errorf("%+v: words %v", c, words)
		}
	}
	// The checkpoint is one of round 2, whose changes others do not see yet: only rounds before that are over.
	if floor := server.Do("HGET", j.Key.Slice(1, "head"), "floor"); floor != "0" {
		t.Errorf("the floor is %q", floor)
	}
	if state, err := j.State(t.Context()); err != nil || state.Until != 4 {
		t.Errorf("state %+v, %v", state, err)
	}
}

// What was put into the store comes out of it, summed over parts or slices.
func TestReadRound(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	st, err := store.Open(t.Context(), store.Options{URL: server.SocketURL()})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	j, err := createFull(t, st)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, j)
	// 1 + 1, 0 + 1, 5 + 5 and the pseudo-counts 2, 1, 1
	if totals, err := j.TotalsAt(t.Context(), 3); err != nil || !slices.Equal(totals, []uint64{4, 2, 11}) {
		t.Errorf("totals %v, %v", totals, err)
	}
	totals, counted, err := j.StatisticsAt(t.Context(), 3)
	if err != nil || !slices.Equal(totals, []uint64{1, 2, 0}) || !slices.Equal(counted, []uint64{0, 4}) {
		t.Errorf("statistics %v and %v, %v", totals, counted, err)
	}
	m := rows.NewModel(rows.NewCut(fullFrequencies, 3, 2), 3)
	if err := j.LoadRows(t.Context(), m, 3); err != nil || m.Round != 3 || !slices.Equal(m.Totals, []uint64{3, 7, 0}) {
		t.Errorf("rows of round %d, totals %v, %v", m.Round, m.Totals, err)
	}
	var corpus bytes.Buffer
	if err := j.Receive(t.Context(), &corpus, time.Minute); err != nil || corpus.String() != "the corpus" {
		t.Errorf("corpus %q, %v", &corpus, err)
	}
	// What is missing or of another round is named.
	for name, read := range map[string]func() error{
		"totals":     func() error { _, err := j.TotalsAt(t.Context(), 3); return err },
		"statistics": func() error { _, _, err := j.StatisticsAt(t.Context(), 3); return err },
		"rows":       func() error { return j.LoadRows(t.Context(), m, 3) },
		"changes":    func() error { _, err := j.OpenChanges(t.Context(), 1, 2, []int{1}); return err },
	} {
		key := map[string]string{
			"totals": j.Key.Totals(1, 3), "statistics": j.Key.Statistics(1, 3), "rows": j.Key.Rows(1, 3),
			"changes": j.Key.Changes(1, 2, 1),
		}[name]
		for what, spoil := range map[string]func(){
			"is missing": func() { server.Do("DEL", key) },
			"is damaged": func() { server.Do("SET", key, "no blob") },
		} {
			spoil()
			var d *protocol.Damage
			if err := read(); !errors.As(err, &d) || d.Key != key || !strings.Contains(err.Error(), what[3:]) {
				t.Errorf("%s: %s %s: %v", name, key, what, err)
			}
		}
	}
}
