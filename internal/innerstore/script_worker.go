package innerstore

import (
	"strconv"
	"strings"
)

// join: KEYS spec lease members state; ARGV token report lease(ms).
func join(s *step, keys, args []string) reply {
	if s.exists(keys[0]) == 0 {
		return word("gone")
	}
	s.hset(keys[2], args[0], args[1])
	s.set(keys[1], []byte("1"), s.milliseconds(args[2]))
	return list(text("done"), text(s.field(keys[3], "mended")))
}

// beat: KEYS spec lease members leader owners state; ARGV token report lease(ms) round spec(SHA-1).
func beat(s *step, keys, args []string) reply {
	spec, ok := s.get(keys[0])
	if !ok {
		return word("gone")
	}
	if lease, _ := s.get(keys[1]); lease != "1" {
		return word("lost")
	}
	if digest(spec) != args[4] {
		return word("changed")
	}
	lease := s.milliseconds(args[2])
	s.expireIn(keys[1], lease)
	s.hset(keys[2], args[0], args[1])
	s.setNew(keys[3], args[0], lease)
	leader, _ := s.get(keys[3])
	if leader == args[0] {
		s.expireIn(keys[3], lease)
	}
	var own []string
	owners := s.hgetall(keys[4])
	for i := 0; i < len(owners); i += 2 {
		if owners[i+1] == args[0] {
			own = append(own, owners[i])
		}
	}
	round, known := s.hget(keys[5], "version")
	state := ""
	if !known || round != args[3] {
		state = s.field(keys[5], "json")
	}
	return list(text("done"), text(leader), text(round), text(state), texts(own))
}

// leave: KEYS lease members leader; ARGV token.
func leave(s *step, keys, args []string) reply {
	s.del(keys[0])
	s.hdel(keys[1], args[0])
	if leader, _ := s.get(keys[2]); leader == args[0] {
		s.del(keys[2])
	}
	return done
}

// reach: KEYS owners reached; ARGV token field office round.
func reach(s *step, keys, args []string) reply {
	if owner, ok := s.hget(keys[0], args[2]); !ok || owner != args[0] {
		return word("lost")
	}
	was, ok := s.hget(keys[1], args[1])
	if !ok {
		was = "-1"
	}
	if s.number(was) < s.number(args[3]) {
		s.hset(keys[1], args[1], args[3])
	}
	return done
}

// leads reports whether a token is the leader's.
func leads(s *step, key, token string) bool {
	leader, ok := s.get(key)
	return ok && leader == token
}

// survey: KEYS leader members owners reached; ARGV token lease-prefix.
func survey(s *step, keys, args []string) reply {
	if !leads(s, keys[0], args[0]) {
		return word("lost")
	}
	var alive []string
	for _, token := range s.hkeys(keys[1]) {
		if lease, _ := s.get(args[1] + token); lease == "1" {
			alive = append(alive, token)
		} else {
			s.hdel(keys[1], token)
		}
	}
	return list(text("done"), texts(alive), texts(s.hgetall(keys[2])), texts(s.hgetall(keys[3])))
}

// assign: KEYS leader owners; ARGV token field owner field owner …
func assign(s *step, keys, args []string) reply {
	if !leads(s, keys[0], args[0]) {
		return word("lost")
	}
	give(s, keys[1], args[1:])
	return done
}

// give notes owners: an office, its owner, and so on.
func give(s *step, key string, changes []string) {
	for i := 0; i+1 < len(changes); i += 2 {
		s.hset(key, changes[i], changes[i+1])
	}
}

// publish: KEYS leader owners state spec; ARGV token version json field owner …
func publish(s *step, keys, args []string) reply {
	if s.exists(keys[3]) == 0 {
		return word("gone")
	}
	if !leads(s, keys[0], args[0]) {
		return word("lost")
	}
	was, ok := readVersion(s.field(keys[2], "version"))
	next, _ := readVersion(args[1])
	if ok && was.laterThan(next) {
		return word("lost")
	}
	s.hset(keys[2], "version", args[1], "json", args[2])
	give(s, keys[1], args[3:])
	return done
}

// version is that of a state: ROUND/UNTIL/FINISHED.
type version struct {
	round, until int64
	finished     bool
}

// laterThan reports whether v must not be replaced by w (see protocol.State.LaterThan).
func (v version) laterThan(w version) bool {
	if v.round != w.round {
		return v.round > w.round
	}
	return v.finished && !w.finished || v.finished == w.finished && v.until > w.until
}

// readVersion reads a version. ok is false if the text is none.
func readVersion(text string) (v version, ok bool) {
	fields := strings.Split(text, "/")
	if len(fields) != 3 {
		return v, false
	}
	var err1, err2 error
	v.round, err1 = strconv.ParseInt(fields[0], 10, 64)
	v.until, err2 = strconv.ParseInt(fields[1], 10, 64)
	v.finished = fields[2] == "true"
	return v, err1 == nil && err2 == nil && (v.finished || fields[2] == "false")
}
