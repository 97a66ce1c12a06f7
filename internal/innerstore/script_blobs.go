package innerstore

import (
	"strconv"
	"strings"
)

// floorOf reads the head of a slice or part. fault is what to answer if it is not that of the job with an id.
func floorOf(s *step, head, id string) (floor int64, fault string) {
	k := s.kindOf(head)
	if k == none {
		return 0, "gone"
	}
	if k != isHash {
		return 0, "broken"
	}
	floor, err := strconv.ParseInt(s.field(head, "floor"), 10, 64)
	if err != nil {
		return 0, "broken"
	}
	if s.field(head, "id") != id {
		return 0, "gone"
	}
	return floor, ""
}

// accept: KEYS protocol.Waiting head key; ARGV id round.
func accept(s *step, keys, args []string) reply {
	floor, fault := floorOf(s, keys[1], args[0])
	answer := list(text("done"), number(floor))
	switch {
	case fault != "":
		answer = word(fault)
	case floor >= s.number(args[1]):
		answer = list(text("late"), number(floor))
	case s.exists(keys[0]) == 1:
		s.rename(keys[0], keys[2])
		s.persist(keys[2])
		return answer
	case s.exists(keys[2]) == 0:
		return refusal("TRYAGAIN the blob has expired")
	default:
		return answer
	}
	s.unlink(keys[0])
	return answer
}

// Limits of raise, so that no request keeps all others waiting: sixteen rounds or so pass from one barrier to the next.
const (
	mostRounds = 1 << 14
	mostParts  = 1 << 16
)

// raise: KEYS head; ARGV id barrier staleness parts kept.
func raise(s *step, keys, args []string) reply {
	floor, fault := floorOf(s, keys[0], args[0])
	if fault != "" {
		return word(fault)
	}
	barrier, staleness, parts, kept := s.number(args[1]), s.number(args[2]), s.number(args[3]), s.number(args[4])
	if s.fault != "" || floor >= barrier {
		return list(text("done"), number(floor))
	}
	if parts < 0 || parts > mostParts || barrier-max(0, floor) > mostRounds || staleness < 0 || kept < 0 {
		return refusal("ERR a barrier deletes more than " + strconv.Itoa(mostRounds) + " rounds at once")
	}
	tag := strings.TrimSuffix(keys[0], "head")
	drop := func(name string, n int64) { s.unlink(tag + name + strconv.FormatInt(n, 10)) }
	for round := max(0, floor-staleness); round <= barrier-staleness; round++ {
		for part := range parts {
			drop("d:"+strconv.FormatInt(round, 10)+":", part)
		}
	}
	for part := range parts {
		drop("first:", part)
	}
	for round := max(0, floor); round < barrier; round++ {
		drop("z:", round)
		drop("h:", round)
	}
	for round := max(0, floor-kept); round < barrier-kept; round++ {
		drop("v:", round)
		drop("n:", round)
	}
	s.unlink(tag + "first")
	s.hset(keys[0], "floor", strconv.FormatInt(barrier, 10))
	return list(text("done"), number(barrier))
}

// found: KEYS head; ARGV id floor mark.
func found(s *step, keys, args []string) reply {
	s.del(keys[0])
	s.hset(keys[0], "id", args[0], "floor", args[1], "mark", args[2])
	return done
}

// sweep: KEYS head blob …; ARGV mark.
func sweep(s *step, keys, args []string) reply {
	mark := ""
	if s.kindOf(keys[0]) == isHash {
		mark = s.field(keys[0], "mark")
	}
	if mark == args[0] {
		s.unlink(keys[1:]...)
	}
	return list(text("done"), text(mark))
}
