package innerstore

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// kind is the type of a value, as the command TYPE names it.
type kind string

const (
	none     kind = "none"
	isString kind = "string"
	isHash   kind = "hash"
	isList   kind = "list" // tests damage keys by it; nothing reads one
)

// entry is the value of a key.
type entry struct {
	kind  kind
	text  []byte // of a string; it is replaced and never changed, because an answer may hold it
	hash  map[string]string
	items int       // of a list
	until time.Time // when it expires; zero: never
}

// Bytes that keys and fields take beside their texts, about.
const (
	keyBytes   = 160
	fieldBytes = 80
)

// size returns how many bytes an entry takes with its key.
func (e *entry) size(key string) int64 {
	size := keyBytes + len(key) + len(e.text)
	for field, value := range e.hash {
		size += fieldBytes + len(field) + len(value)
	}
	return int64(size)
}

// database holds the keys of a store. It is for one goroutine at a time.
type database struct {
	now   func() time.Time
	keys  map[string]*entry
	most  int64          // bytes; 0: no bound
	used  int64          // bytes of all keys
	under int64          // bytes of values that are being received
	calls map[string]int // of each command

	// note is called for each command and for those of scripts, if somebody watches; nil otherwise.
	note func(script bool, words ...string)
}

func newDatabase(most int64, now func() time.Time) *database {
	return &database{now: now, most: most, keys: map[string]*entry{}, calls: map[string]int{}}
}

// reserve makes room for a value of n bytes that is being received, and reports whether there is any. It ends with a
// call of release.
func (d *database) reserve(n int64) bool {
	if d.most > 0 && d.used+d.under+n > d.most {
		return false
	}
	d.under += n
	return true
}

func (d *database) release(n int64) { d.under -= n }

// find returns what is under a key, nil if there is nothing or it has expired.
func (d *database) find(key string) *entry {
	e := d.keys[key]
	if e != nil && !e.until.IsZero() && !d.now().Before(e.until) {
		d.drop(key)
		return nil
	}
	return e
}

// put replaces what is under a key.
func (d *database) put(key string, e *entry) {
	d.drop(key)
	d.keys[key] = e
	d.used += e.size(key)
}

// drop removes a key and reports whether it was there.
func (d *database) drop(key string) bool {
	e, ok := d.keys[key]
	if ok {
		d.used -= e.size(key)
		delete(d.keys, key)
	}
	return ok
}

// change lets f change the fields of a hash that is under a key. A hash without fields vanishes.
func (d *database) change(key string, e *entry, f func(hash map[string]string)) {
	d.used -= e.size(key)
	f(e.hash)
	d.used += e.size(key)
	if len(e.hash) == 0 {
		d.drop(key)
	}
}

// expire removes the keys whose time is over: nobody may ask for them again.
func (d *database) expire() {
	for key := range d.keys {
		d.find(key)
	}
}

// clear removes all keys.
func (d *database) clear() {
	clear(d.keys)
	d.used = 0
}

// names returns the keys that begin with a prefix, sorted.
func (d *database) names(prefix string) (names []string) {
	d.expire()
	for _, key := range slices.Sorted(maps.Keys(d.keys)) {
		if strings.HasPrefix(key, prefix) {
			names = append(names, key)
		}
	}
	return names
}

// ended reports whether a job was here that has been cancelled or collected, and has left nothing but its tombstone.
func (d *database) ended(job string) bool {
	return len(d.names("topoi:ended:{"+job+"}:")) > 0 && len(d.names("topoi:{"+job+"}:")) == 0 &&
		len(d.names("topoi:{"+job+":")) == 0
}
