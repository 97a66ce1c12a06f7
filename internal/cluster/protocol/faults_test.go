package protocol_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/history"
)

// prepare has a fault that was drawn happen at its time.
func (x *simulation) prepare(f fault) {
	x.last = max(x.last, f.at)
	if f.kind == "old" { // it comes back as it was a while before
		x.schedule(event{at: f.at, kind: goesBack, d: min(f.at, time.Duration(f.n)*time.Millisecond/3)})
		return
	}
	x.after(f.at, func() { x.draw(f) })
}

// schedule has an event of a trace happen at its time.
func (x *simulation) schedule(e event) {
	x.last = max(x.last, e.at)
	if e.kind != goesBack {
		x.after(e.at, func() { x.happen(e) })
		return
	}
	var was map[string]*value
	x.after(max(0, e.at-e.d), func() { was = snapshot(x.m.keys) })
	x.after(e.at, func() {
		x.happen(e)
		x.m.keys = was
		x.m.happened(history.Op{Kind: history.Forgot})
	})
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

// draw has something happen that a fault decides by its number and what there is.
func (x *simulation) draw(f fault) {
	place := f.n % len(x.workers)
	milliseconds := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	frozen := func(n int) time.Duration { return simulatedLease * time.Duration(1000+3*n) / 1000 }
	e := event{at: x.now, place: place}
	switch f.kind {
	case "crash":
		e.kind, e.d = crashes, milliseconds(10+f.n)
	case "leave":
		e.kind, e.d = crashes, milliseconds(4010+f.n)
	case "freeze":
		e.kind, e.d = freezes, frozen(f.n)
	case "frozen":
		for place := range x.workers {
			if x.leadsNow(place) {
				x.happen(event{at: x.now, kind: freezes, place: place, d: frozen(f.n)})
			}
		}
		return
	case "slow":
		x.chance.slow = 5 + f.n%30
		x.last = max(x.last, x.now+6*time.Second)
		x.world.after(2*time.Second, func() { x.chance.slow = 0 })
		return
	case "empty":
		e.kind = losesAll
	case "cancel":
		e.kind = cancels
	case "asleep":
		e.kind, e.d = freezes, frozen(2000+f.n)
		x.world.after(milliseconds(f.n), func() { x.happen(event{at: x.now, kind: cancels}) })
	case "floor":
		list := heads(x.layout(0))
		e.kind, e.key = refuses, shortKey(list[f.n%len(list)])
	case "lostfile", "badfile":
		e.kind, e.key = losesFile, oneOf(slices.Sorted(maps.Keys(x.files)), f.n)
		if f.kind == "badfile" {
			e.kind = damagesFile
		}
	default:
		e.kind = map[string]kind{"delete": loses, "damage": damages, "type": mistypes}[f.kind]
		e.key = shortKey(oneOf(x.m.ofJob(x.layout(0)), f.n))
	}
	x.happen(e)
}

// oneOf returns one of some names, "" if there is none.
func oneOf(names []string, n int) string {
	if len(names) == 0 {
		return ""
	}
	return names[n%len(names)]
}

// happen has an event take place, unless what it is about is not there.
func (x *simulation) happen(e event) {
	if !x.can(&e) {
		return
	}
	x.disturbed = true
	x.lost = x.lost || lossy(e.kind)
	x.takes(&e)
	switch e.kind {
	case crashes:
		x.workers[e.place].kill()
		x.last = max(x.last, x.now+e.d)
		x.world.after(e.d, func() { x.hire(e.place) })
	case freezes:
		p := x.workers[e.place]
		p.frozen = x.now + e.d
		x.last = max(x.last, p.frozen)
	case goesBack: // see schedule
		x.buried = false
	case losesAll:
		clear(x.m.keys)
		x.buried = false
		x.m.happened(history.Op{Kind: history.Forgot})
	case cancels:
		x.cancel()
	case losesFile:
		delete(x.files, e.key)
	case damagesFile:
		v := x.files[e.key]
		x.files[e.key] = &value{kind: 's', sum: v.sum + 1, start: v.start, bad: true}
	case refuses:
		hash := x.m.get(longKey(e.key)).hash
		hash["floor"] = strconv.Itoa(number(hash["floor"]) + 40)
	default:
		x.harmKey(&e)
	}
}

// can reports whether what an event is about is there.
func (x *simulation) can(e *event) bool {
	switch e.kind {
	case crashes:
		return x.workers[e.place] != nil && x.ended[e.place] == nil
	case freezes:
		return x.workers[e.place] != nil
	case losesFile, damagesFile:
		return x.files[e.key] != nil
	case refuses:
		v := x.m.get(longKey(e.key))
		return v != nil && v.kind == 'h'
	case loses, damages, mistypes:
		return x.m.get(longKey(e.key)) != nil
	}
	return true
}

// takes notes that an event takes place.
func (x *simulation) takes(e *event) {
	if x.chance != nil && x.chance.record != nil {
		x.chance.record.add(*e)
	}
	if x.told != nil {
		x.told.took(e)
	}
	if x.log != nil {
		x.log(e.String())
	}
}

// leadsNow reports whether the worker in a place leads.
func (x *simulation) leadsNow(place int) bool {
	leader, _, _ := x.m.text(x.layout(0).Key.Leader())
	at, ok := x.places[int64(number(leader))]
	return ok && at == place
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

// harmKey harms one of the job's keys.
func (x *simulation) harmKey(e *event) {
	j, name := x.layout(0), longKey(e.key)
	v := x.m.keys[name]
	if !x.buried && strings.HasPrefix(name, j.Key.Control("")) {
		x.m.happened(history.Op{Kind: history.Lost})
	}
	switch {
	case e.kind == loses:
		delete(x.m.keys, name)
	case e.kind == mistypes:
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
