package protocol_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/history"
)

// prepare has a fault happen at its time.
func (x *simulation) prepare(f fault) {
	x.last = max(x.last, f.at)
	if f.kind == "old" { // it comes back as it was a while before
		ago := time.Duration(f.n) * time.Millisecond / 3
		var was map[string]*value
		x.after(max(0, f.at-ago), func() { was = snapshot(x.m.keys) })
		x.after(f.at, func() {
			x.m.keys = was
			x.lost, x.buried = true, false
			x.m.happened(history.Op{Kind: history.Forgot})
		})
		return
	}
	x.after(f.at, func() { x.happen(f) })
}

// snapshot copies what a store holds.
func snapshot(keys map[string]*value) map[string]*value {
	c := make(map[string]*value, len(keys))
	for key, v := range keys {
		w := *v
		w.hash = maps.Clone(v.hash)
		c[key] = &w
	}
	return c
}

func (x *simulation) happen(f fault) {
	if x.trace != nil {
		x.trace("%v %s %d", x.now, f.kind, f.n)
	}
	x.lost = x.lost || lossy(f.kind)
	place := f.n % len(x.workers)
	switch f.kind {
	case "crash", "leave":
		again := time.Duration(10+f.n) * time.Millisecond
		if f.kind == "leave" {
			again += 4 * time.Second
		}
		if p := x.workers[place]; p != nil && x.ended[place] == nil {
			p.kill()
			x.last = max(x.last, x.now+again)
			x.world.after(again, func() { x.hire(place) })
		}
	case "freeze":
		x.freeze(place, f.n)
	case "frozen":
		for place := range x.workers {
			if x.leadsNow(place) {
				x.freeze(place, f.n)
			}
		}
	case "slow":
		x.slow = 5 + f.n%30
		x.last = max(x.last, x.now+6*time.Second)
		x.world.after(2*time.Second, func() { x.slow = 0 })
	case "empty":
		clear(x.m.keys)
		x.buried = false
		x.m.happened(history.Op{Kind: history.Forgot})
	case "cancel":
		x.cancel()
	case "asleep":
		x.freeze(place, 2000+f.n)
		x.world.after(time.Duration(f.n)*time.Millisecond, x.cancel)
	case "lostfile", "badfile":
		x.harmFile(f)
	default:
		x.harmKey(f)
	}
}

func (x *simulation) freeze(place, n int) {
	if p := x.workers[place]; p != nil {
		p.frozen = x.now + simulatedLease*time.Duration(1000+3*n)/1000
		x.last = max(x.last, p.frozen)
	}
}

// leadsNow reports whether the worker in a place leads: nobody knows its token but the store, and the tasks of its process.
func (x *simulation) leadsNow(place int) bool {
	leader, _, _ := x.m.text(x.layout(0).Key.Leader())
	return leader != "" && number(leader)%len(x.workers) == place // any will do, so long as it is always the same
}

// cancel removes the job as somebody does who waits until no worker has a lease.
func (x *simulation) cancel() {
	j := x.layout(0)
	x.cancelled, x.buried = true, x.buried || x.m.get(j.Key.Spec()) != nil
	x.m.remove(j)
	var again func()
	again = func() {
		leases := 0
		for key := range x.m.keys {
			if strings.HasPrefix(key, j.Key.Control("lease:")) && x.m.get(key) != nil {
				leases++
			}
		}
		if x.m.get(j.Key.Lock()) != nil {
			leases++
		}
		for _, key := range x.m.ofJob(j) {
			delete(x.m.keys, key)
		}
		if leases > 0 {
			x.world.after(50*time.Millisecond, again)
		}
	}
	again()
}

func (x *simulation) harmFile(f fault) {
	names := slices.Sorted(maps.Keys(x.files))
	if len(names) == 0 {
		return
	}
	name := names[f.n%len(names)]
	if f.kind == "lostfile" {
		delete(x.files, name)
		return
	}
	x.files[name] = &value{kind: 's', sum: x.files[name].sum + 1, start: x.files[name].start, bad: true}
}

// harmKey harms one of the job's keys.
func (x *simulation) harmKey(f fault) {
	j := x.layout(0)
	if f.kind == "floor" {
		list := heads(j)
		if v := x.m.get(list[f.n%len(list)]); v != nil && v.kind == 'h' {
			v.hash["floor"] = strconv.Itoa(number(v.hash["floor"]) + 40)
		}
		return
	}
	names := x.m.ofJob(j)
	if len(names) == 0 {
		return
	}
	name := names[f.n%len(names)]
	v := x.m.keys[name]
	if !x.buried && strings.HasPrefix(name, j.Key.Control("")) {
		x.m.happened(history.Op{Kind: history.Lost})
	}
	switch {
	case f.kind == "delete":
		delete(x.m.keys, name)
	case f.kind == "type":
		x.m.keys[name] = &value{kind: 'l'}
	case name == j.Key.Spec():
		v.text += "?"
	case v.state != nil:
		other := *v.state
		other.Until++
		x.m.keys[name] = &value{kind: 'h', hash: map[string]string{"version": other.Version()}, state: &other, bad: true}
	case v.kind == 's' && v.text == "":
		x.m.keys[name] = &value{kind: 's', sum: v.sum + 1, start: v.start, bad: true}
	}
}
