package protocol_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/store"
)

// outcome is the meaning of an answer to the caller.
func outcome(err error) string {
	for name, kind := range map[string]error{"lost": protocol.ErrLost, "gone": protocol.ErrGone, "cancelled": protocol.ErrCancelled} {
		if errors.Is(err, kind) {
			return name
		}
	}
	return fmt.Sprint(err)
}

// The scripts of a real store and their counterparts in the simulated one give the same answers and leave the same
// keys, whatever is asked in whatever order, and whatever happens to the keys.
func TestScriptsAreThoseOfTheSimulation(t *testing.T) {
	redistest.Each(t, redistest.Config{}, compareScripts)
}

func compareScripts(t *testing.T, server *redistest.Server) {
	st, err := store.Open(t.Context(), store.Options{URL: server.SocketURL(), Once: true})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for seed := range uint64(40) {
		server.Do("FLUSHALL")
		p := &pair{T: t, server: server, random: rand.New(rand.NewPCG(seed, 5)), m: newMemory(func() time.Duration { return 0 })}
		spec := protocol.Spec{ID: 7, Protocol: protocol.Protocol, Parts: 2, Slices: 2, Topics: 1, Words: 2, Staleness: int(seed % 3), Apart: seed%2 == 0, Lease: time.Hour}
		state := protocol.State{Round: -1}
		job, err := records.Create(t.Context(), st, "job", spec, state, nil, []uint64{1, 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		p.real, p.repair = records.Control{Job: job}, records.Repair{Job: job}
		p.m.create(&job.Layout, &state)
		if err := p.repair.MakeHeads(t.Context(), job.Floor(&state), "first"); err != nil {
			t.Fatal(err)
		}
		for step := 0; step < 200 && !t.Failed(); step++ {
			p.step(step)
		}
	}
}

// pair is a real store and a simulated one.
type pair struct {
	*testing.T
	server *redistest.Server
	real   records.Control
	repair records.Repair
	m      *memory
	random *rand.Rand
}

// step asks both stores the same.
func (p *pair) step(n int) {
	j, ctx := &p.real.Layout, p.Context()
	token, nobody, round := 1+p.random.Int64N(3), -1-p.random.Int64N(2), p.random.IntN(9)
	office := fmt.Sprint(string("ps"[p.random.IntN(2)]), p.random.IntN(2))
	s := &protocol.State{Round: round, Until: round + 2}
	owner := fmt.Sprint("owner", p.random.IntN(2))
	changes := []string{office, fmt.Sprint(token)}
	head := heads(j)[p.random.IntN(4)]
	var got, want any
	var err1, err2 error
	asks := []func() string{
		func() string {
			got, err1 = p.real.Join(ctx, token, "{}")
			want, err2 = p.m.join(j, token, "{}")
			return "join"
		},
		func() string {
			got, err1 = p.real.Beat(ctx, token, "{}", "?")
			want, err2 = p.m.beat(j, token, "{}", "?")
			return "beat"
		},
		func() string { err1, err2 = p.real.Leave(ctx, token), p.m.leave(j, token); return "leave" },
		func() string {
			err1, err2 = p.real.Reach(ctx, token, office, office, round), p.m.reach(j, token, office, office, round)
			return "reach"
		},
		func() string {
			got, err1 = p.real.Survey(ctx, token)
			want, err2 = p.m.survey(j, token)
			return "survey"
		},
		func() string {
			err1, err2 = p.real.Assign(ctx, token, changes), p.m.assign(j, token, changes)
			return "assign"
		},
		func() string {
			err1, err2 = p.real.Publish(ctx, token, s, changes), p.m.publish(j, token, s, changes)
			return "publish"
		},
		func() string { err1, err2 = p.real.Raise(ctx, s), p.raise(s.Round); return "raise" },
		func() string { return p.put(j, head, round, &err1, &err2) },
		func() string {
			err1, err2 = p.repair.Lock(ctx, owner), p.m.lock(j.Key.Lock(), owner, time.Hour)
			return "lock"
		},
		func() string {
			err1, err2 = p.repair.Unlock(ctx, owner), p.m.unlock(j.Key.Lock(), owner)
			return "unlock"
		},
		func() string { got, err1 = p.repair.Halt(ctx, nobody); want, err2 = p.m.halt(j, nobody); return "halt" },
		func() string { err1, err2 = p.repair.Rule(ctx, nobody), p.m.rule(j, nobody); return "rule" },
		func() string {
			err1, err2 = p.repair.Mark(ctx, s, "mark", nobody), p.m.mark(j, s, "mark", nobody)
			return "mark"
		},
		func() string {
			err1 = p.repair.MakeHeads(ctx, round, owner)
			p.m.makeHeads(j, round, owner)
			return "found"
		},
		func() string { return p.sweep(&got, &want, &err1) },
		func() string { return p.harm() },
	}
	name := asks[p.random.IntN(len(asks))]()
	if outcome(err1) != outcome(err2) {
		p.Errorf("step %d, %s: the store says %v, the simulation %v", n, name, err1, err2)
	} else if err1 == nil && !reflect.DeepEqual(plain(got), plain(want)) {
		p.Errorf("step %d, %s: the store answers %+v, the simulation %+v", n, name, plain(got), plain(want))
	}
	held := slices.DeleteFunc(slices.Sorted(maps.Keys(p.m.keys)), func(key string) bool { v := p.m.keys[key]; return v.kind == 'h' && len(v.hash) == 0 })
	if keys := p.server.Keys(); !slices.Equal(keys, held) {
		p.Errorf("step %d, %s: the store has %v\nthe simulation %v", n, name, keys, held)
	}
}

// plain returns an answer as text, with what is in it in order.
func plain(answer any) string {
	if b, ok := answer.(*protocol.Beat); ok && b != nil {
		slices.Sort(b.Offices)
		version := ""
		if b.State != nil {
			version = b.State.Version()
		}
		return fmt.Sprint(b.Leader, b.Version, version, b.Offices)
	}
	if s, ok := answer.(*protocol.Survey); ok && s != nil {
		return fmt.Sprint(s.Alive, s.Owners, s.Reached)
	}
	return fmt.Sprint(answer)
}

// raise raises all heads; the first fault counts.
func (p *pair) raise(round int) (first error) {
	for _, head := range heads(&p.real.Layout) {
		if err := p.m.raise(&p.real.Layout, head, round); first == nil {
			first = err
		}
	}
	return first
}

// put writes a blob of a round.
func (p *pair) put(j *protocol.Layout, head string, round int, err1, err2 *error) string {
	kinds := []string{"d:%d:0", "v:%d", "z:%d", "h:%d", "n:%d"}
	key := strings.TrimSuffix(head, "head") + fmt.Sprintf(kinds[p.random.IntN(len(kinds))], round)
	*err1 = p.real.Put(p.Context(), []records.Write{{Key: key, Round: round, Blob: []byte("blob")}})
	*err2 = p.m.accept(j, head, key, round, 1)
	var late lateError
	if errors.As(*err2, &late) {
		s, _, err := p.m.read(j)
		if *err2 = err; err == nil && s != nil && int(late) > j.Floor(s) {
			*err2 = protocol.Missing(head)
		}
	}
	return "accept"
}

// sweep lists the blobs and the marks of their heads, and deletes those of them whose heads have the mark of one owner.
func (p *pair) sweep(got, want *any, err *error) string {
	names, marks, fault := p.repair.Blobs(p.Context())
	has, all := map[string]string{}, map[string]string{}
	for _, name := range names {
		head := protocol.HeadOf(name)
		has[head], all[head] = p.m.headMark(head), "owner0"
	}
	*got, *want, *err = fmt.Sprint(marks), fmt.Sprint(has), errors.Join(fault, p.repair.Sweep(p.Context(), names, all))
	p.m.sweep(names, all)
	return "sweep"
}

// harm deletes a key, makes it one of another type, or damages a head.
func (p *pair) harm() string {
	names := slices.Sorted(maps.Keys(p.m.keys))
	name := names[p.random.IntN(len(names))]
	switch p.random.IntN(4) {
	case 0:
		p.server.Do("DEL", name)
		delete(p.m.keys, name)
	case 1:
		p.server.Do("DEL", name)
		p.server.Do("RPUSH", name, "x")
		p.m.keys[name] = &value{kind: 'l'}
	case 2:
		if v := p.m.keys[name]; strings.HasSuffix(name, "head") && v.kind == 'h' {
			p.server.Do("HDEL", name, "floor")
			delete(v.hash, "floor")
		}
	}
	return "harm"
}
