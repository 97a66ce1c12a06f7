package innerstore

import "time"

// create: KEYS spec tombstone any-tombstone; ARGV json.
func create(s *step, keys, args []string) reply {
	if s.exists(keys[1]) == 1 {
		return word("ended")
	}
	s.del(keys[2])
	if was, ok := s.get(keys[0]); ok && was != args[0] {
		return list(text("lost"), text(was))
	}
	s.set(keys[0], []byte(args[0]), 0)
	return done
}

// begin: KEYS spec state; ARGV version json.
func begin(s *step, keys, args []string) reply {
	if s.exists(keys[0]) == 0 {
		return word("gone")
	}
	if s.exists(keys[1]) == 0 {
		s.hset(keys[1], "version", args[0], "json", args[1])
	}
	return done
}

// state: KEYS spec state.
func state(s *step, keys, _ []string) reply {
	if s.exists(keys[0]) == 0 {
		return word("gone")
	}
	return list(text("done"), text(s.field(keys[1], "json")), text(s.field(keys[1], "mended")))
}

// jobStatus: KEYS spec state leader members owners reached; ARGV lease-prefix.
func jobStatus(s *step, keys, args []string) reply {
	if s.exists(keys[0]) == 0 {
		return word("gone")
	}
	var alive []string
	members := s.hgetall(keys[3])
	for i := 0; i < len(members); i += 2 {
		if lease, _ := s.get(args[0] + members[i]); lease == "1" {
			alive = append(alive, members[i], members[i+1])
		}
	}
	leader, ok := s.get(keys[2])
	if !ok {
		leader = "0"
	}
	return list(text("done"), text(s.field(keys[1], "json")), text(leader), texts(alive),
		texts(s.hgetall(keys[4])), texts(s.hgetall(keys[5])))
}

// remove: KEYS spec leader owners state tombstone; ARGV time(s).
func remove(s *step, keys, args []string) reply {
	if s.exists(keys[0]) == 1 {
		s.set(keys[4], nil, s.duration(args[0], time.Second))
	}
	s.del(keys[:4]...)
	return done
}

// halt: KEYS spec leader members owners reached tombstone tombstone; ARGV spec time(ms) lease-prefix nobody.
func halt(s *step, keys, args []string) reply {
	if s.exists(keys[5], keys[6]) > 0 {
		return word("ended")
	}
	had := s.exists(keys[0])
	s.set(keys[0], []byte(args[0]), 0)
	s.set(keys[1], []byte(args[3]), s.milliseconds(args[1]))
	if s.kindOf(keys[2]) == isHash {
		for _, token := range s.hkeys(keys[2]) {
			if s.exists(args[2]+token) == 1 {
				s.setKeeping(args[2]+token, "0")
			}
		}
	}
	s.del(keys[2:5]...)
	return list(text("done"), number(had))
}

// mark: KEYS spec state reached leader; ARGV version state mark nobody.
func mark(s *step, keys, args []string) reply {
	if s.exists(keys[0]) == 0 {
		return word("gone")
	}
	if !leads(s, keys[3], args[3]) {
		return word("lost")
	}
	s.del(keys[1], keys[2])
	s.hset(keys[1], "version", args[0], "json", args[1], "mended", args[2])
	return done
}

// lock: KEYS lock; ARGV owner time(ms).
func lock(s *step, keys, args []string) reply {
	if s.kindOf(keys[0]) != isString {
		s.del(keys[0])
	}
	s.setNew(keys[0], args[0], s.milliseconds(args[1]))
	return renew(s, keys, args)
}

// renew: KEYS lock; ARGV owner time(ms).
func renew(s *step, keys, args []string) reply {
	if !leads(s, keys[0], args[0]) {
		return word("lost")
	}
	s.expireIn(keys[0], s.milliseconds(args[1]))
	return done
}

// unlock: KEYS lock; ARGV owner.
func unlock(s *step, keys, args []string) reply {
	if leads(s, keys[0], args[0]) {
		s.del(keys[0])
	}
	return done
}
