package innerstore

import "slices"

// mostOffset is where SETRANGE may begin at most.
const mostOffset = 512 << 20

// getrange returns a piece of a string. Negative places count from its end.
func getrange(s *step, args [][]byte) reply {
	e := s.typed(string(args[0]), isString)
	first, last := s.number(string(args[1])), s.number(string(args[2]))
	if e == nil {
		return text("")
	}
	n := int64(len(e.text))
	if first < 0 && first > last || n == 0 {
		return text("")
	}
	if first < 0 {
		first = max(0, first+n)
	}
	if last < 0 {
		last = max(0, last+n)
	}
	last = min(last, n-1)
	if first > last {
		return text("")
	}
	return bulk(e.text[first : last+1])
}

// setrange replaces a piece of a string, which others may hold as it was.
func setrange(s *step, args [][]byte) reply {
	at := s.number(string(args[1]))
	if at < 0 || at > mostOffset {
		s.fail("ERR offset is out of range")
	}
	return s.edit(string(args[0]), func(b []byte) []byte {
		if end := int(at) + len(args[2]); end > len(b) {
			b = append(b, make([]byte, end-len(b))...)
		}
		copy(b[at:], args[2])
		return b
	})
}

func appendTo(s *step, args [][]byte) reply {
	return s.edit(string(args[0]), func(b []byte) []byte { return append(b, args[1]...) })
}

// edit replaces a string by what f makes of a copy, and returns its new length.
func (s *step) edit(key string, f func(b []byte) []byte) reply {
	e := s.typed(key, isString)
	if s.fault != "" {
		return null
	}
	next := &entry{kind: isString}
	if e != nil {
		next.text, next.until = slices.Clone(e.text), e.until
	}
	next.text = f(next.text)
	s.put(key, next)
	return number(len(next.text))
}

func rename(s *step, args [][]byte) reply {
	s.rename(string(args[0]), string(args[1]))
	return okay
}

// rpush makes a key of a type that nobody reads.
func rpush(s *step, args [][]byte) reply {
	e := s.typed(string(args[0]), isList)
	if e == nil && s.fault == "" {
		e = &entry{kind: isList}
		s.put(string(args[0]), e)
	}
	if s.fault != "" {
		return null
	}
	e.items += len(args) - 1
	return number(e.items)
}
