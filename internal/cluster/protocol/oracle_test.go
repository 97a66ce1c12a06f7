package protocol_test

import (
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// oracle is the result of a job in one process: the value of every blob, as a number that depends on everything that
// the blob depends on.
type oracle struct {
	job   *protocol.Layout
	steps protocol.Steps
	after func(iteration int) (until int, histograms, brief bool)
	seen  map[string]uint64
}

// mix hashes numbers.
func mix(list ...uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, x := range list {
		h ^= x
		h *= 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h
}

func (o *oracle) once(key string, f func() uint64) uint64 {
	if v, ok := o.seen[key]; ok {
		return v
	}
	v := f()
	o.seen[key] = v
	return v
}

// topics are those of a part after a round.
func (o *oracle) topics(part, round int) uint64 {
	if round <= 0 {
		return mix(1, uint64(part))
	}
	return o.once("z"+strconv.Itoa(round)+":"+strconv.Itoa(part), func() uint64 {
		if !o.steps.Takes(part, round) {
			return o.topics(part, round-1)
		}
		version, rows := max(round-1-o.job.Staleness, 0), uint64(0)
		for slice := range o.job.Slices {
			rows = mix(rows, o.rows(slice, version))
		}
		return sampled(o.topics(part, round-1), rows, o.priors(o.steps.Rounds.Step(round).Iteration))
	})
}

// sampled are the topics of a part after a round, given those before, the rows it sees and the priors.
func sampled(topics, rows, priors uint64) uint64 { return mix(2, topics, rows, priors) }

// change is the change of a slice in a round.
func change(slice int, before, after uint64) uint64 { return mix(3, uint64(slice), before, after) }

func (o *oracle) change(slice, round, part int) uint64 {
	if !o.steps.Takes(part, round) {
		return 0
	}
	return change(slice, o.topics(part, round-1), o.topics(part, round))
}

// first is a part's share of a slice when the job begins after a round: what it had in the beginning, and its changes.
func (o *oracle) first(slice, part, round int) uint64 {
	v := mix(4, uint64(slice), uint64(part))
	for r := 1; r <= round; r++ {
		v += o.change(slice, r, part)
	}
	return v
}

func (o *oracle) rows(slice, round int) uint64 {
	return o.once("v"+strconv.Itoa(round)+":"+strconv.Itoa(slice), func() (v uint64) {
		if round > 0 {
			v = o.rows(slice, round-1)
		}
		for part := range o.job.Parts {
			if round > 0 {
				v += o.change(slice, round, part)
			} else {
				v += o.first(slice, part, 0)
			}
		}
		return v
	})
}

// priors are those of an iteration: estimated where workers met before it.
func (o *oracle) priors(iteration int) uint64 {
	met := 0
	for until, _, _ := o.after(0); until < iteration && until > met; until, _, _ = o.after(until) {
		met = until // no later than the last iteration, though a state that is damaged may ask for more
	}
	return o.estimated(met)
}

// estimated are the priors after a meeting.
func (o *oracle) estimated(met int) uint64 {
	if met == 0 {
		return 7
	}
	return o.once("a"+strconv.Itoa(met), func() uint64 {
		sum := uint64(0)
		for part := range o.job.Parts {
			sum += histogram(o.topics(part, o.steps.Rounds.End(met)))
		}
		return mix(5, uint64(met), sum)
	})
}

func histogram(topics uint64) uint64 { return mix(6, topics) }

// value is that of a blob, by its key.
func (o *oracle) value(key string) (v uint64, ok bool) {
	tag, name, _ := strings.Cut(strings.TrimPrefix(key, "topoi:{"+o.job.Name+":"), "}:")
	if name, ok := strings.CutPrefix(key, "part-"); ok { // a file
		part, round, topics := strings.Cut(name, ".topics-")
		if !topics {
			return o.topics(number(strings.TrimSuffix(name, ".first")), o.job.Start), true
		}
		return o.topics(number(part), number(round)), true
	}
	fields := strings.Split(name, ":")
	at, n := number(tag[1:]), func(i int) int { return number(fields[i]) }
	switch {
	case fields[0] == "d":
		return o.change(at, n(1), n(2)), true
	case fields[0] == "m":
		sum := uint64(0)
		for part := range o.job.Parts {
			sum += o.change(at, n(1), part)
		}
		return sum, true
	case fields[0] == "v":
		return o.rows(at, n(1)), true
	case fields[0] == "z", fields[0] == "n":
		return o.topics(at, n(1)), true
	case fields[0] == "h" && tag[0] == 'p':
		return histogram(o.topics(at, n(1))), true
	case fields[0] == "h":
		return o.rows(at, n(1)), true
	case fields[0] == "first" && len(fields) == 2:
		return o.first(at, n(1), o.job.Start), true
	case fields[0] == "first":
		return o.topics(at, o.job.Start), true
	}
	return 0, false
}

// setPriors writes priors into a state, and readPriors reads them.
func setPriors(s *protocol.State, p uint64) { s.Alpha = binary.LittleEndian.AppendUint64(nil, p) }

func readPriors(p *protocol.Priors) uint64 { return binary.LittleEndian.Uint64(p.Alpha) }
