package records

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/store"
)

// damaged checks that an error is about damage of a key.
func damaged(t *testing.T, what string, err error, key string) {
	t.Helper()
	var d *protocol.Damage
	if !errors.As(err, &d) || d.Key != key {
		t.Errorf("%s: %v, want damage of %s", what, err, key)
	}
}

// What a key holds that no script wrote there is told with the key.
func TestDamagedKeys(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	st, err := store.Open(t.Context(), store.Options{URL: server.SocketURL()})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	ctx := t.Context()
	k := protocol.NewLayout("full", fullSpec).Key
	head0, head1 := k.Slice(0, "head"), k.Slice(1, "head")
	for _, c := range []struct {
		name, spoil, do string // of operations
		key             string // "" where the error is about no key
	}{
		{"a round that is no number", "HSET " + k.Reached() + " r0 x", "survey", k.Reached()},
		{"a round that is no number", "HSET " + k.Reached() + " r0 x", "status", k.Reached()},
		{"a state that is none", "HSET " + k.State() + " json {}", "state", k.State()},
		{"a state that is none", "HSET " + k.State() + " json {}", "beat", k.State()},
		{"a state that is none", "HSET " + k.State() + " json {}", "heads", k.State()},
		{"a spec that changed", "APPEND " + k.Spec() + " x", "beat", k.Spec()},
		{"a spec that changed", "APPEND " + k.Spec() + " x", "open", k.Spec()},
		{"no spec", "DEL " + k.Spec(), "state", k.Spec()},
		{"no spec", "DEL " + k.Spec(), "again", k.Spec()},
		{"no spec", "DEL " + k.Spec(), "join", k.Spec()},
		{"owners that are a text", "SET " + k.Owners() + " x", "assign", k.Control("*")},
		{"a leader that is no number", "SET " + k.Leader() + " x", "beat", ""},
		{"a leader that is no number", "SET " + k.Leader() + " x", "status", ""},
		{"a report that is none", "HSET " + k.Members() + " 11 {", "status", ""},
		{"a head without a floor", "HSET " + head1 + " floor x", "heads", head1},
		{"a head that is a text", "SET " + head0 + " x", "put late", head0},
		{"a head that is missing", "DEL " + head0, "put late", head0},
		{"a head that is ahead", "HSET " + head0 + " floor 3", "put late", head0},
		{"pseudo-counts that are damaged", "SET " + k.Pseudo(1) + " x", "pseudo", k.Pseudo(1)},
	} {
		server.Do("FLUSHALL")
		j, err := createFull(t, st)
		if err != nil {
			t.Fatal(err)
		}
		fill(t, j)
		server.Do(strings.Fields(c.spoil)...)
		err = operations[c.do](ctx, j)
		switch {
		case err == nil:
			t.Errorf("%s: %s notices nothing", c.name, c.do)
		case c.key != "":
			damaged(t, c.name+", "+c.do, err, c.key)
		}
	}
}

// A blob of a round that is over is no damage while the state is not there, or has passed the round.
func TestLateBlobs(t *testing.T) {
	server, j := created(t)
	ctx := t.Context()
	late := []Write{{j.Key.Rows(0, 2), 2, []byte("x")}}
	server.Do("HSET", j.Key.Slice(0, "head"), "floor", "2")
	damaged(t, "the job has not begun", j.Put(ctx, late), j.Key.Slice(0, "head"))
	damaged(t, "the job has not begun", j.CheckHeads(ctx), j.Key.Slice(0, "head"))
	server.Do("DEL", j.Key.State())
	if err := errors.Join(j.Put(ctx, late), j.CheckHeads(ctx)); err != nil {
		t.Errorf("there is no state: %v", err)
	}
	c := Control{j}
	_, joined := c.Join(ctx, 11, "{}")
	_, beaten := c.Beat(ctx, 11, "{}", "")
	if err := errors.Join(joined, beaten, c.Publish(ctx, 11, &protocol.State{Round: 2, Until: 9}, nil)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(j.Put(ctx, late), j.CheckHeads(ctx)); err != nil {
		t.Errorf("the barrier has passed the round: %v", err)
	}
}

// A name that is in use, or has keys of another job, is refused. Leases that run out and blobs that nobody takes are
// not in the way.
func TestCreateTaken(t *testing.T) {
	server, j := created(t)
	again := func(name string, id uint64) error {
		spec := j.Spec
		spec.ID = id
		_, err := Create(t.Context(), j.Store, name, spec, protocol.State{Round: -1}, nil, []uint64{1, 1, 1}, nil)
		return err
	}
	var taken protocol.Taken
	err := again("job", 8)
	if !errors.As(err, &taken) || !strings.Contains(err.Error(), "already holds a job called job") {
		t.Errorf("a job of this name: %v", err)
	}
	if err := again("a job", 8); err == nil || errors.As(err, &taken) {
		t.Errorf("no name of a job: %v", err)
	}
	server.Do("DEL", j.Key.Spec())
	if err := again("job", 8); !errors.As(err, &taken) || !strings.Contains(err.Error(), "holds 6 keys of another job") {
		t.Errorf("keys of another job: %v", err)
	}
	server.Do("FLUSHALL")
	server.Do("SET", j.Key.Lease(5), "1")
	server.Do("SET", j.Key.Rows(0, 3)+protocol.Waiting, "x")
	if err := again("job", 8); err != nil {
		t.Errorf("a lease and a blob that waits: %v", err)
	}
	server.Do("FLUSHALL")
	server.Do("SET", j.Key.Tombstone("9"), "")
	if err := again("job", 9); !errors.Is(err, protocol.ErrCancelled) {
		t.Errorf("a job that has ended: %v", err)
	}
	if err := again("job", 10); err != nil {
		t.Errorf("another job of its name: %v", err)
	}
}

// Jobs are opened by name, with what the store says of them. One that is not there, or is another one, is told apart.
func TestOpen(t *testing.T) {
	server, j := created(t)
	ctx := t.Context()
	same, err := Open(ctx, j.Store, "job", Build{})
	if err != nil || same.ID != 7 || same.Text != j.Text || same.Slices != 2 || same.Key != j.Key {
		t.Fatalf("%+v, %v", same, err)
	}
	failed := errors.New("no results")
	_, err = Open(ctx, j.Store, "job", Build{Results: func(string) (string, error) { return "", failed }})
	if !errors.Is(err, failed) {
		t.Errorf("results that cannot be had: %v", err)
	}
	_, err = Open(ctx, j.Store, "job", Build{Results: func(string) (string, error) { return "", nil }})
	if err != nil {
		t.Errorf("equal results: %v", err)
	}
	j.Pseudo = fullPseudo()
	if now, err := j.Again(ctx); err != nil || now.Pseudo != j.Pseudo || now.Text != j.Text {
		t.Errorf("read again: %v", err)
	}
	if _, err := Open(ctx, j.Store, "a job", Build{}); err == nil || errors.Is(err, ErrNoJob) {
		t.Errorf("no name of a job: %v", err)
	}
	other := *j
	other.ID = 8
	if _, err := other.Again(ctx); !errors.Is(err, protocol.ErrCancelled) {
		t.Errorf("another job has the name: %v", err)
	}
	server.Do("DEL", j.Key.Spec())
	if _, err := Open(ctx, j.Store, "job", Build{}); !errors.Is(err, ErrNoJob) {
		t.Errorf("no job: %v", err)
	}
	_, err = j.State(ctx)
	if err := j.Explain(err); !errors.Is(err, ErrNoJob) {
		t.Errorf("a job that disappeared: %v", err)
	}
	for _, err := range []error{nil, io.EOF, protocol.Missing(j.Key.State()), protocol.Damaged(j.Key.Spec(), io.EOF)} {
		if got := j.Explain(err); got != err {
			t.Errorf("%v is explained by %v", err, got)
		}
	}
	for text, want := range map[string]string{
		"no job":                         "is not a job of topoi",
		j.Text + " ":                     "remove the job with Job.Cancel",
		"{}":                             "remove the job with Job.Cancel",
		"{":                              "remove the job with Job.Cancel",
		`{"protocol":3,"program":"0.9"}`: "topoi 0.9 (protocol 3)",
	} {
		server.Do("SET", j.Key.Spec(), text)
		if _, err := Open(ctx, j.Store, "job", Build{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("spec %q: %v", text, err)
		}
	}
}

// Of a job that is not there, the store may tell that it is mended, or has ended.
func TestAbsent(t *testing.T) {
	server, j := created(t)
	for _, c := range []struct {
		key           string
		id            uint64
		mended, ended bool
	}{
		{"none", 7, false, false},
		{j.Key.Lock(), 7, true, false},
		{j.Key.Tombstone("7"), 7, false, true},
		{j.Key.Tombstone("7"), 8, false, false},
		{j.Key.Tombstone(protocol.AnyJob), 8, false, true},
		{j.Key.Tombstone(protocol.AnyJob), 0, false, false},
	} {
		server.Do("FLUSHALL")
		server.Do("SET", c.key, "1")
		mended, ended, err := Absent(t.Context(), j.Store, "job", c.id)
		if err != nil || mended != c.mended || ended != c.ended {
			t.Errorf("%s, job %d: mended %v, ended %v, %v", c.key, c.id, mended, ended, err)
		}
	}
}

// Who removes a job is told how many keys that were, and waits while it is mended.
func TestRemove(t *testing.T) {
	server, j := created(t)
	ctx := t.Context()
	if n, err := Remove(ctx, j.Store, "job"); err != nil || n != 6 {
		t.Errorf("%d keys, %v", n, err) // spec and five heads; the state goes with the spec
	}
	left, err := strconv.Atoi(strings.TrimSpace(server.Do("TTL", j.Key.Tombstone("7"))))
	if err != nil || left < 30*24*3600-60 || left > 30*24*3600 {
		t.Errorf("the tombstone stays for %d seconds, %v", left, err)
	}
	if n, err := Remove(ctx, j.Store, "job"); err != nil || n != 0 {
		t.Errorf("nothing there: %d keys, %v", n, err)
	}
	if n, err := Remove(ctx, j.Store, "a job"); err == nil || n != 0 {
		t.Errorf("no name of a job: %d keys, %v", n, err)
	}
	server.Do("SET", j.Key.Lock(), "mender")
	soon, stop := context.WithTimeout(ctx, 20*time.Millisecond)
	defer stop()
	if n, err := Remove(soon, j.Store, "job"); !errors.Is(err, context.DeadlineExceeded) || n != 0 {
		t.Errorf("a job that is mended: %d keys, %v", n, err)
	}
	server.Do("SET", j.Key.Rows(0, 3), "x")
	timer := time.AfterFunc(20*time.Millisecond, func() { server.Do("DEL", j.Key.Lock()) })
	defer timer.Stop()
	if n, err := Remove(ctx, j.Store, "job"); err != nil || n != 1 {
		t.Errorf("a job that was mended: %d keys, %v", n, err)
	}
}

// failing is a reader or writer that fails.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error)  { return 0, f.err }
func (f failing) Write([]byte) (int, error) { return 0, f.err }

// A corpus that cannot be read or written, or is shorter than its chunks, is no corpus that was shipped.
func TestShipFaults(t *testing.T) {
	_, j := created(t)
	j.Shipped = 1
	ctx, broken := t.Context(), errors.New("broken")
	if err := j.Ship(ctx, failing{broken}); !errors.Is(err, broken) {
		t.Errorf("a file that cannot be read: %v", err)
	}
	if err := j.Ship(ctx, failing{io.EOF}); err == nil {
		t.Error("an empty file is shipped")
	}
	ended, stop := context.WithTimeout(ctx, 20*time.Millisecond)
	defer stop()
	if err := j.Receive(ended, io.Discard, time.Minute); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a run that was stopped: %v", err)
	}
	if err := j.Ship(ctx, strings.NewReader("corpus")); err != nil {
		t.Fatal(err)
	}
	if err := j.Receive(ctx, failing{broken}, time.Minute); !errors.Is(err, broken) {
		t.Errorf("a disk that is full: %v", err)
	}
	j.Shipped = 2
	if err := j.Ship(ctx, bytes.NewReader(make([]byte, chunkBytes-1))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the first of two chunks is short: %v", err)
	}
	for bytes, want := range map[int64]int{0: 0, 1: 1, chunkBytes: 1, chunkBytes + 1: 2} {
		if got := Chunks(bytes); got != want {
			t.Errorf("%d bytes are %d chunks, want %d", bytes, got, want)
		}
	}
	j.Parts = 3
	if a, b := j.chunkKey(2), j.chunkKey(4); a != j.Key.Part(2, "corpus:2") || b != j.Key.Part(1, "corpus:4") {
		t.Errorf("chunks are at %s and %s", a, b)
	}
}

// Files of topics that cannot be written, looked for or removed are told.
func TestFilesThatCannotBeUsed(t *testing.T) {
	j := inFiles(t)
	broken := errors.New("broken")
	_, err := j.SaveTopics(0, 1, j.Key.Topics(0, 1), 1, func(func([]uint32) error) error { return broken })
	if !errors.Is(err, broken) {
		t.Errorf("topics that cannot be had: %v", err)
	}
	two := func(f func([]uint32) error) error { return f([]uint32{1, 0}) }
	writes, err := j.SaveTopics(0, 5, j.Key.Topics(0, 5), 2, two)
	if err != nil || len(writes) != 1 || writes[0].Key != j.Key.Topics(0, 5) || writes[0].Round != 5 ||
		!bytes.Equal(writes[0].Blob, blob.EncodeTopics(j.PartID(0, 5), []uint32{1, 0}, 2)) {
		t.Errorf("%+v, %v", writes, err)
	}
	if err := os.WriteFile(j.StateDir(), nil, 0o666); err != nil { // a file where the directory should be
		t.Fatal(err)
	}
	nothing := func(func([]uint32) error) error { return nil }
	_, err = j.SaveTopics(0, 1, j.TopicsKey(0, 1), 0, nothing)
	if err == nil || !strings.Contains(err.Error(), "give workers the right") {
		t.Errorf("no directory: %v", err)
	}
	if err := j.cleanState(3); err == nil {
		t.Error("a directory that cannot be read is cleaned")
	}
	if absent, err := j.Absent(t.Context(), []string{j.TopicsKey(0, 1)}); err == nil {
		t.Errorf("a file that cannot be looked for: %q", absent)
	}
	if err := errors.Join(os.Remove(j.StateDir()), os.MkdirAll(j.TopicsKey(0, 1)+"/x", 0o777)); err != nil {
		t.Fatal(err)
	}
	if err := j.cleanState(3); err == nil {
		t.Error("a file that cannot be removed is cleaned")
	}
	if _, err := j.SaveTopics(0, 1, j.TopicsKey(0, 1), 0, nothing); err == nil {
		t.Error("a directory was replaced")
	}
}

// The store's nodes are told with their memory, its limit and what they do when it is full.
func TestNodes(t *testing.T) {
	server := redistest.Start(t, redistest.Config{MaxMemory: 64 << 20})
	st, err := store.Open(t.Context(), store.Options{URL: server.URL()})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	server.Do("SET", "topoi:x", strings.Repeat("x", 100_000))
	nodes, err := Nodes(t.Context(), st)
	if err != nil || len(nodes) != 1 || nodes[0].Used < 100_000 || nodes[0].Most != 64<<20 ||
		nodes[0].Policy != "noeviction" {
		t.Errorf("%+v, %v", nodes, err)
	}
}

// Tokens and reports come in pairs, in the order in which workers joined.
func TestParseWorkers(t *testing.T) {
	list := []string{
		"12", `{"name":"b","joined":"2026-01-02T00:00:00Z"}`,
		"-3", `{"name":"a","joined":"2026-01-01T00:00:00Z"}`,
	}
	workers, err := parseWorkers("k", list, nil)
	if err != nil || len(workers) != 2 || workers[0].Token != -3 || workers[0].Name != "a" || workers[1].Token != 12 {
		t.Errorf("%+v, %v", workers, err)
	}
	for name, list := range map[string][]string{"a token": {"x", "{}"}, "a report": {"1", "["}} {
		if _, err := parseWorkers("k", list, nil); err == nil {
			t.Errorf("%s that is none is read", name)
		}
	}
	if _, err := parseWorkers("k", nil, io.EOF); !errors.Is(err, io.EOF) {
		t.Errorf("no list: %v", err)
	}
	owners := map[string]string{"p0": "5", "p1": "x", "s0": "6", "s1": "5"}
	s := &Status{Workers: []WorkerStatus{
		{Token: 5, Report: protocol.Report{Awaits: []string{"s0", "p1", "p7", "p0"}}},
		{Token: 6, Report: protocol.Report{Awaits: []string{"s1", "p0"}}},
	}}
	s.settleWaits(owners)
	if !slices.Equal(s.Workers[0].WaitsFor, []int64{6}) || !slices.Equal(s.Workers[1].WaitsFor, []int64{5}) {
		t.Errorf("workers wait for %v and %v", s.Workers[0].WaitsFor, s.Workers[1].WaitsFor)
	}
}

// Times are whole milliseconds, at least one.
func TestMilliseconds(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "1", time.Millisecond: "1", 2999 * time.Microsecond: "2", time.Minute: "60000",
	} {
		if got := milliseconds(d); got != want {
			t.Errorf("%v is %s, want %s", d, got, want)
		}
	}
}
