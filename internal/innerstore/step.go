package innerstore

import (
	"maps"
	"slices"
	"strconv"
	"time"
)

// Faults of commands, in the words of Redis: clients know them by the first.
const (
	faultType    = "WRONGTYPE Operation against a key holding the wrong kind of value"
	faultFull    = "OOM this store of topoi holds as much as it may"
	faultNumber  = "ERR value is not an integer or out of range"
	faultMissing = "ERR no such key"
)

// step is a command or a script at work. After the first of its operations that fails the others do nothing, as in a
// Lua script: what was done before stays.
type step struct {
	*database
	script bool   // it is one
	fault  string // of the operation that failed, or ""
}

// fail notes a fault, unless there is one.
func (s *step) fail(fault string) {
	if s.fault == "" {
		s.fault = fault
	}
}

// tell passes an operation of a script on to who watches.
func (s *step) tell(words ...string) {
	if s.script && s.note != nil {
		s.note(true, words...)
	}
}

// typed returns what is under a key, nil if there is nothing. It fails if that is of another kind.
func (s *step) typed(key string, k kind) *entry {
	if s.fault != "" {
		return nil
	}
	e := s.find(key)
	if e != nil && e.kind != k {
		s.fail(faultType)
		return nil
	}
	return e
}

// kindOf returns the type of a value.
func (s *step) kindOf(key string) kind {
	if e := s.find(key); e != nil {
		return e.kind
	}
	return none
}

// exists counts keys that exist.
func (s *step) exists(keys ...string) (n int) {
	for _, key := range keys {
		if s.find(key) != nil {
			n++
		}
	}
	return n
}

// get returns a string; ok is false if there is none.
func (s *step) get(key string) (text string, ok bool) {
	e := s.typed(key, isString)
	if e == nil {
		return "", false
	}
	return string(e.text), true
}

// set writes a string, which expires after some time; 0 is never.
func (s *step) set(key string, text []byte, expiry time.Duration) {
	if s.fault != "" {
		return
	}
	if s.script { // a copy that nobody needs otherwise
		s.tell("SET", key, string(text))
	}
	e := &entry{kind: isString, text: text}
	if expiry > 0 {
		e.until = s.now().Add(expiry)
	}
	s.put(key, e)
}

// setKeeping writes a string that expires when what was there would have.
func (s *step) setKeeping(key, text string) {
	until := time.Time{}
	if e := s.find(key); e != nil {
		until = e.until
	}
	s.set(key, []byte(text), 0)
	if s.fault == "" {
		s.keys[key].until = until
	}
}

// setNew writes a string if there is nothing.
func (s *step) setNew(key, text string, expiry time.Duration) {
	if s.find(key) == nil {
		s.set(key, []byte(text), expiry)
	}
}

// expireIn says when a key expires, if it exists.
func (s *step) expireIn(key string, expiry time.Duration) bool {
	e := s.find(key)
	if e == nil || s.fault != "" {
		return false
	}
	if expiry <= 0 {
		return s.drop(key)
	}
	e.until = s.now().Add(expiry)
	return true
}

// persist lets a key stay.
func (s *step) persist(key string) {
	if e := s.find(key); e != nil && s.fault == "" {
		e.until = time.Time{}
	}
}

// del removes keys and returns how many there were.
func (s *step) del(keys ...string) (n int) {
	if s.fault != "" {
		return 0
	}
	s.tell(append([]string{"DEL"}, keys...)...)
	return s.remove(keys...)
}

// unlink removes blobs.
func (s *step) unlink(keys ...string) int {
	if s.fault != "" {
		return 0
	}
	s.tell(append([]string{"UNLINK"}, keys...)...)
	return s.remove(keys...)
}

func (s *step) remove(keys ...string) (n int) {
	for _, key := range keys {
		if s.find(key) != nil && s.drop(key) {
			n++
		}
	}
	return n
}

// rename gives a value another key, in the place of what is there.
func (s *step) rename(from, to string) {
	e := s.find(from)
	if e == nil {
		s.fail(faultMissing)
	}
	if s.fault != "" {
		return
	}
	s.tell("RENAME", from, to)
	s.drop(from)
	s.put(to, e)
}

// hget returns a field of a hash; ok is false if there is none.
func (s *step) hget(key, field string) (text string, ok bool) {
	if e := s.typed(key, isHash); e != nil {
		text, ok = e.hash[field]
	}
	return text, ok
}

// field is hget with "" for what is not there.
func (s *step) field(key, field string) string {
	text, _ := s.hget(key, field)
	return text
}

// hset sets fields of a hash: a field, its value, and so on. It returns how many are new.
func (s *step) hset(key string, pairs ...string) (added int) {
	e := s.typed(key, isHash)
	if s.fault != "" || len(pairs) == 0 {
		return 0
	}
	s.tell(append([]string{"HSET", key}, pairs...)...)
	if e == nil {
		e = &entry{kind: isHash, hash: map[string]string{}}
		s.put(key, e)
	}
	had := len(e.hash)
	s.change(key, e, func(hash map[string]string) {
		for i := 0; i+1 < len(pairs); i += 2 {
			hash[pairs[i]] = pairs[i+1]
		}
	})
	return len(e.hash) - had
}

// hdel removes fields of a hash, and returns how many there were.
func (s *step) hdel(key string, fields ...string) int {
	e := s.typed(key, isHash)
	if e == nil {
		return 0
	}
	s.tell(append([]string{"HDEL", key}, fields...)...)
	had := len(e.hash)
	s.change(key, e, func(hash map[string]string) {
		for _, field := range fields {
			delete(hash, field)
		}
	})
	return had - len(e.hash)
}

// hkeys returns the names of a hash's fields, sorted.
func (s *step) hkeys(key string) []string {
	e := s.typed(key, isHash)
	if e == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(e.hash))
}

// hgetall returns fields and their values in turn, sorted by field.
func (s *step) hgetall(key string) (pairs []string) {
	for _, field := range s.hkeys(key) {
		pairs = append(pairs, field, s.keys[key].hash[field])
	}
	return pairs
}

// number reads an argument. It fails if that is no number.
func (s *step) number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		s.fail(faultNumber)
	}
	return n
}

// duration reads an argument that is a number of units, at least one.
func (s *step) duration(text string, unit time.Duration) time.Duration {
	n := s.number(text)
	if n <= 0 || n > int64(1<<62/unit) {
		s.fail("ERR invalid expire time")
		return 0
	}
	return time.Duration(n) * unit
}

// milliseconds reads an argument of a script.
func (s *step) milliseconds(text string) time.Duration { return s.duration(text, time.Millisecond) }
