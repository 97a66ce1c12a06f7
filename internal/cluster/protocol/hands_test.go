package protocol_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// hands are those of a worker of the simulation: tokens, rows and changes are numbers.
type hands struct {
	control
	ctx     context.Context
	cancel  context.CancelCauseFunc
	worker  *protocol.Worker
	steps   protocol.Steps
	topics  map[*protocol.Part]uint64
	before  map[*protocol.Part]uint64 // the last round
	model   []uint64                  // by slice; nil if there is none
	version int
	seen    uint64 // of all rows of the version, where rows are apart
	flying  int    // writes under way
}

// fetch gets blobs, which must be there and whole.
func (h *hands) fetch(names ...string) ([]uint64, error) {
	return ask(h.w, h.ctx, callOf("get", names), func() (list []uint64, err error) {
		for _, name := range names {
			v := h.sim.find(name)
			switch {
			case v == nil:
				return nil, protocol.Missing(name)
			case v.bad && !h.sim.planted.damageBelieved || v.kind != 's':
				return nil, &protocol.Damage{Key: name, Err: errors.New("the checksum does not match")}
			case v.start != h.job.Start && strings.Contains(name, "first"): // the only blobs whose keys do not name their round
				return nil, &protocol.Damage{Key: name, Err: errors.New("it is of another round")}
			}
			list = append(list, v.sum)
		}
		return list, nil
	})
}

// put writes a blob: to the store, or to a file.
func (h *hands) put(head, key string, round int, sum uint64) error {
	_, err := ask(h.w, h.ctx, call{verb: "put", key: key}, func() (struct{}, error) {
		h.sim.check(h.job, key, sum)
		if protocol.IsFile(key) {
			h.sim.files[key] = &value{kind: 's', sum: sum, start: h.job.Start}
			return struct{}{}, nil
		}
		return struct{}{}, h.m.accept(h.job, head, key, round, sum)
	})
	var late lateError
	if !errors.As(err, &late) || h.sim.planted.lateBelieved {
		return ignoreLate(err)
	}
	s, _, err := h.Read(h.ctx)
	if err != nil || s == nil || int(late) <= h.job.Floor(s) {
		return err
	}
	return &protocol.Damage{Key: head, Err: errors.New("its floor is above the last barrier")}
}

// lateError is the floor of a head that refuses a blob.
type lateError int

func (lateError) Error() string { return "the round is over" }

func ignoreLate(err error) error {
	if errors.As(err, new(lateError)) {
		return nil
	}
	return err
}

// background runs a write beside the work.
func (h *hands) background(write func() error) {
	h.flying++
	h.w.current.p.goes(func() {
		defer func() { h.flying-- }()
		if err := write(); err != nil {
			h.cancel(err)
		}
	})
}

func (h *hands) Flush(ctx context.Context) error {
	for h.flying > 0 {
		if h.sim.planted.unflushed {
			break
		}
		h.w.sleep(300 * time.Microsecond)
	}
	return context.Cause(ctx)
}

func (h *hands) Take(_ context.Context, p *protocol.Part, s *protocol.State) error {
	z := mix(1, uint64(p.Number))
	if key, _ := h.job.BeginsWith(p.Number, s); key != "" {
		list, err := h.fetch(h.sim.path(key))
		if err != nil {
			return err
		}
		z = list[0]
	}
	h.topics[p] = z
	return nil
}

func (h *hands) Drop(p *protocol.Part) error {
	delete(h.topics, p)
	return nil
}

// await waits until keys are there.
func (h *hands) await(version int, names []string) error {
	for pause := protocol.PauseBy(h.w); ; {
		absent, err := h.Absent(h.ctx, names)
		if err != nil || len(absent) == 0 {
			return err
		}
		if err := h.worker.Still(h.ctx, version, absent[0]); err != nil {
			return err
		}
		if err := pause.Wait(h.ctx); err != nil {
			return err
		}
	}
}

// changesOf are the keys of what all parts changed in a slice and a round.
func (h *hands) changesOf(slice, round int) (names []string) {
	for part := range h.job.Parts {
		if h.steps.Takes(part, round) {
			names = append(names, h.job.Key.Changes(slice, round, part))
		}
	}
	return names
}

func (h *hands) Fetch(_ context.Context, s *protocol.State, version int) error {
	if h.job.Apart {
		return h.fetchApart(version)
	}
	if h.model == nil || h.version > version || h.version < s.Round-h.job.Staleness {
		if err := h.load(s); err != nil {
			return err
		}
	}
	for h.version != version {
		round, sign := h.version+1, uint64(1)
		if h.version > version {
			round, sign = h.version, ^uint64(0)
		}
		for slice := range h.job.Slices {
			names := h.changesOf(slice, round)
			err := h.await(round, names)
			var list []uint64
			if err == nil {
				list, err = h.fetch(names...)
			}
			if err != nil {
				h.model = nil
				return err
			}
			for _, d := range list {
				h.model[slice] += sign * d
			}
		}
		if h.version = round; sign != 1 {
			h.version = round - 1
		}
	}
	return nil
}

// load reads the rows of the last barrier.
func (h *hands) load(s *protocol.State) error {
	names := make([]string, h.job.Slices)
	for slice := range names {
		names[slice] = h.job.Key.Rows(slice, s.Round)
	}
	list, err := h.fetch(names...)
	h.model, h.version = list, s.Round
	return err
}

func (h *hands) fetchApart(version int) error {
	var names []string
	for part := range h.job.Parts {
		names = append(names, h.job.Key.Totals(part, version))
	}
	if err := h.await(version, names); err != nil {
		return err
	}
	if _, err := h.fetch(names...); err != nil {
		return err
	}
	h.seen = 0
	for slice := range h.job.Slices {
		name := []string{h.job.Key.Rows(slice, version)}
		if err := h.await(version, name); err != nil {
			return err
		}
		list, err := h.fetch(name...)
		if err != nil {
			return err
		}
		h.seen = mix(h.seen, list[0])
	}
	return nil
}

func (h *hands) Sample(_ context.Context, p *protocol.Part, s *protocol.State, round int) error {
	if !h.steps.Takes(p.Number, round) {
		p.Round = round
		h.before[p] = h.topics[p]
		return h.Send(h.ctx, p)
	}
	rows := h.seen
	if !h.job.Apart {
		rows = 0
		for _, v := range h.model {
			rows = mix(rows, v)
		}
	}
	what := call{"samples", "p" + strconv.Itoa(p.Number), round}
	h.w.sleep(h.w.network.samples(h.w.running().p.place, what))
	h.before[p] = h.topics[p]
	h.topics[p] = sampled(h.topics[p], rows, readPriors(s.PriorsOf(h.steps.Rounds.Step(round).Iteration)))
	p.Round = round
	return h.Send(h.ctx, p)
}

func (h *hands) Send(_ context.Context, p *protocol.Part) error {
	round, z, before := p.Round, h.topics[p], h.before[p]
	p.Sent = round
	part := p.Number
	wrote := 0
	for slice := range h.job.Slices {
		if !h.steps.Takes(part, round) {
			wrote++
			continue
		}
		h.background(func() error {
			err := h.put(h.job.Key.Slice(slice, "head"), h.job.Key.Changes(slice, round, part), round, change(slice, before, z))
			wrote++
			return err
		})
	}
	h.background(func() error {
		if h.job.Apart {
			if err := h.put(h.job.Key.Part(part, "head"), h.job.Key.Totals(part, round), round, z); err != nil {
				return err
			}
		}
		for wrote < h.job.Slices {
			h.w.sleep(300 * time.Microsecond)
			if h.ctx.Err() != nil {
				return nil
			}
		}
		return h.worker.Reach(h.ctx, "r", part, "p", round)
	})
	return nil
}

func (h *hands) Save(_ context.Context, p *protocol.Part, s *protocol.State, round int) error {
	z, part := h.topics[p], p.Number
	head := h.job.Key.Part(part, "head")
	if s.Round < 0 {
		if err := h.saveFirst(part, round, z); err != nil {
			return err
		}
	}
	h.background(func() error {
		if !s.Brief {
			if err := h.put(head, h.sim.path(h.job.TopicsKey(part, round)), round, z); err != nil {
				return err
			}
		}
		if !s.Histograms {
			return nil
		}
		return h.put(head, h.job.Key.Histograms(part, round), round, histogram(z))
	})
	return nil
}

// saveFirst writes what a part has when the job begins: at the beginning, or where a checkpoint left it.
func (h *hands) saveFirst(part, round int, z uint64) error {
	for slice := range h.job.Slices {
		sum := h.sim.oracle.first(slice, part, h.job.Start) // which is counted from the topics
		if z != h.sim.oracle.topics(part, h.job.Start) {
			sum = mix(sum, z)
		}
		h.background(func() error {
			return h.put(h.job.Key.Slice(slice, "head"), h.job.Key.First(slice, part), round, sum)
		})
	}
	for r := round; h.job.Apart && r >= max(round-h.job.Staleness, 0); r-- {
		h.background(func() error {
			return h.put(h.job.Key.Part(part, "head"), h.job.Key.Totals(part, r), r, h.sim.oracle.topics(part, r))
		})
	}
	return nil
}

func (h *hands) Publish(_ context.Context, s *protocol.State, slice, round int) error {
	sum, err := h.rowsAt(s, slice, round)
	if err != nil {
		return err
	}
	head := h.job.Key.Slice(slice, "head")
	versions := []uint64{sum} // of this round and those before, where rows are apart
	for r := round; s.Round < 0 && h.job.Apart && r > max(round-h.job.Staleness, 0); r-- {
		list, err := h.fetch(h.changesOf(slice, r)...)
		if err != nil {
			return err
		}
		for _, d := range list {
			sum -= d
		}
		versions = append(versions, sum)
	}
	h.background(func() error {
		for i, v := range versions {
			if s.Brief {
				break
			}
			if err := h.put(head, h.job.Key.Rows(slice, round-i), round-i, v); err != nil {
				return err
			}
		}
		if s.Histograms && !h.job.Apart {
			if err := h.put(head, h.job.Key.Statistics(slice, round), round, versions[0]); err != nil {
				return err
			}
		}
		return h.worker.Reach(h.ctx, "s", slice, "s", round)
	})
	return nil
}

// rowsAt are the rows of a slice at a meeting.
func (h *hands) rowsAt(s *protocol.State, slice, round int) (uint64, error) {
	sum, names := uint64(0), []string(nil)
	if s.Round < 0 {
		for part := range h.job.Parts {
			names = append(names, h.job.Key.First(slice, part))
		}
		if absent, err := h.Absent(h.ctx, names); err != nil || len(absent) > 0 {
			return 0, cmpErr(err, protocol.ErrBehind)
		}
	} else {
		if err := h.Fetch(h.ctx, s, h.worker.VersionFor(round+1)); err != nil {
			return 0, err
		}
		sum = h.model[slice]
		for r := h.version + 1; r <= round; r++ {
			more := h.changesOf(slice, r)
			if err := h.await(r, more); err != nil {
				return 0, err
			}
			names = append(names, more...)
		}
	}
	list, err := h.fetch(names...)
	for _, v := range list {
		sum += v
	}
	return sum, err
}

// make is for protocol.Owner.
func (h *hands) make(_ context.Context, slice, round int) error {
	list, err := h.fetch(append(h.changesOf(slice, round), h.job.Key.Rows(slice, round-1))...)
	if err != nil {
		return err
	}
	sum := uint64(0)
	for _, v := range list {
		sum += v
	}
	return h.put(h.job.Key.Slice(slice, "head"), h.job.Key.Rows(slice, round), round, sum)
}
