package disks

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/store"
)

// newJob puts a job of two parts into a store of its own.
func newJob(t testing.TB, lease time.Duration) *protocol.Job {
	t.Helper()
	server := redistest.Start(t, redistest.Config{})
	st, err := store.Open(t.Context(), store.Options{URL: server.SocketURL()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(st.Close)
	spec := protocol.Spec{ID: 7, Protocol: protocol.Protocol, Topics: 100, Words: 1, Parts: 2, Slices: 1, Lease: lease, Disks: true}
	j, err := protocol.Create(t.Context(), st, "job", spec, protocol.State{Round: -1}, nil, []uint64{1})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// newDisk opens a worker's disk below dir and serves it until the test ends.
func newDisk(t testing.TB, j *protocol.Job, dir string, said *bytes.Buffer) (*protocol.Job, *Disk) {
	t.Helper()
	own := *j
	d, err := Open(dir, &own, func(text string) { said.WriteString(text + "\n") })
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	group.Go(func() { d.Serve(ctx) })
	t.Cleanup(func() { stop(); group.Wait() })
	return &own, d
}

// write writes the topics of n tokens of a part to a disk.
func write(t testing.TB, j *protocol.Job, part, round, n int) []byte {
	t.Helper()
	z := make([]uint32, n)
	for i := range z {
		z[i] = uint32(i*i) % 100
	}
	key := j.TopicsKey(part, round)
	if err := j.PutTopics(t.Context(), part, round, key, z); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A file comes from whoever has it, whole, in pieces that are gone afterwards; from one who has it damaged it does not.
func TestErrand(t *testing.T) {
	defer func(n int64) { Piece = n }(Piece)
	Piece = 1000
	j := newJob(t, 300*time.Millisecond)
	var said, quiet bytes.Buffer
	first, d := newDisk(t, j, t.TempDir(), &said)
	second, _ := newDisk(t, j, t.TempDir(), &quiet)
	want := write(t, first, 1, 5, 2600)
	d.Wrote()
	ctx := t.Context()

	for _, reader := range []*protocol.Job{j, second, first} { // who has no disk, another's, one's own
		e := &Errand{Job: reader, Part: 1, Round: 5, Patience: Patience(j)}
		if got, err := e.Read(ctx); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
		if err := e.Somewhere(ctx); err != nil {
			t.Fatal(err)
		}
	}
	e := &Errand{Job: second, Part: 1, Round: 5, Slots: make(chan struct{}, 1)}
	if err := e.Bring(ctx); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(second.TopicsKey(1, 5)); err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%d bytes, %v", len(got), err)
	}

	// The first one's is damaged, and found out when it is wanted: then the second answers.
	damaged := bytes.Clone(want)
	damaged[100] ^= 1
	if err := os.WriteFile(first.TopicsKey(1, 5), damaged, 0o666); err != nil {
		t.Fatal(err)
	}
	for range 20 { // until the first was asked, before the second
		if got, err := (&Errand{Job: j, Part: 1, Round: 5, Patience: Patience(j)}).Read(ctx); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
		if _, err := os.Stat(first.TopicsKey(1, 5)); err != nil {
			break
		}
	}
	if _, err := os.Stat(first.TopicsKey(1, 5)); err == nil || !strings.Contains(said.String(), "is damaged (") {
		t.Errorf("a damaged file stays; it says %q", said.String())
	}

	keys, err := j.Keys(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		if strings.Contains(key, "}:t:") || key == j.Key.Wants() {
			t.Errorf("%s is left", key)
		}
	}
}

// What nobody has is waited for as long as patience lasts, or it is wanted.
func TestErrandInVain(t *testing.T) {
	j := newJob(t, 100*time.Millisecond)
	own, d := newDisk(t, j, t.TempDir(), new(bytes.Buffer))
	ctx := t.Context()
	err := (&Errand{Job: own, Part: 0, Round: 3, Patience: 200 * time.Millisecond}).Bring(ctx)
	if !errors.Is(err, protocol.ErrNowhere) || !errors.Is(err, protocol.ErrGone) || err.Error() != "the topics of part 0 after round 3 are on the disk of no worker that is there" {
		t.Errorf("%v", err)
	}
	asked := 0
	if err := (&Errand{Job: j, Part: 0, Round: 3, Wanted: func() bool { asked++; return asked < 3 }}).Somewhere(ctx); !errors.Is(err, ErrUnwanted) {
		t.Errorf("%v", err)
	}
	time.AfterFunc(50*time.Millisecond, func() { write(t, own, 0, 3, 10); d.Wrote() })
	if err := (&Errand{Job: j, Part: 0, Round: 3}).Somewhere(ctx); err != nil {
		t.Errorf("what comes late: %v", err)
	}
	if wants, err := j.Wants(ctx); err != nil || len(wants) > 0 {
		t.Errorf("%v is still wanted, %v", wants, err)
	}
	if err := j.Want(ctx, protocol.Want{Part: 1, Round: 2, ID: 1}, protocol.Want{Part: 1, Round: 3, ID: 1}); err != nil {
		t.Fatal(err)
	}
	if err := j.TakeOlder(ctx, 3); err != nil {
		t.Fatal(err)
	}
	if wants, err := j.Wants(ctx); err != nil || len(wants) != 1 || wants[0].Round != 3 {
		t.Errorf("%v is wanted, %v", wants, err)
	}
}

// Workers that share a directory have one disk, and what is left of earlier jobs of the name in the same store goes.
func TestOpen(t *testing.T) {
	j := newJob(t, time.Second)
	dir := t.TempDir()
	var ids []string
	for _, id := range []uint64{7, 7, 8} {
		own := *j
		own.ID = id
		d, err := Open(dir, &own, nil)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, d.ID)
	}
	if ids[0] == "" || ids[0] != ids[1] || ids[1] == ids[2] {
		t.Errorf("disks %q", ids)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(left) != 1 || filepath.Base(left[0]) != "job-8" {
		t.Errorf("left: %q", left)
	}
}

// BenchmarkErrand moves 64 MB of topics from one worker to another.
func BenchmarkErrand(b *testing.B) {
	j := newJob(b, 10*time.Second)
	from, d := newDisk(b, j, b.TempDir(), new(bytes.Buffer))
	n := len(write(b, from, 0, 1, 32<<20))
	d.Wrote()
	to, _ := newDisk(b, j, b.TempDir(), new(bytes.Buffer))
	b.SetBytes(int64(n))
	for b.Loop() {
		if err := (&Errand{Job: to, Part: 0, Round: 1}).Bring(b.Context()); err != nil {
			b.Fatal(err)
		}
		if err := os.Remove(to.TopicsKey(0, 1)); err != nil {
			b.Fatal(err)
		}
	}
}
