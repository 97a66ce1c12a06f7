package innerstore

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/scripts"
)

// clock is a time that tests move.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func newTestDatabase(most int64) (*database, *clock) {
	c := &clock{time.Unix(1_000_000, 0)}
	return newDatabase(most, c.now), c
}

// ask runs a command that is written in words, and returns its answer as text.
func (d *database) ask(words ...string) string {
	args := make([][]byte, len(words)-1)
	for i, word := range words[1:] {
		args[i] = []byte(word)
	}
	return plain(d.run(words[0], args))
}

func plain(r reply) string {
	switch r.form {
	case formNumber:
		return fmt.Sprint(r.number)
	case formNull:
		return "nil"
	case formList:
		var all []string
		for _, inner := range r.list {
			all = append(all, plain(inner))
		}
		return "[" + strings.Join(all, " ") + "]"
	}
	return string(r.text)
}

// Every script of package scripts has its function, and no other has one.
func TestScriptsAreAllThere(t *testing.T) {
	names := scripts.Names()
	if len(names) != len(byName) || len(digests) != len(byName) {
		t.Errorf("there are %d scripts, %d functions and %d digests", len(names), len(byName), len(digests))
	}
	for _, name := range names {
		if byName[name].run == nil {
			t.Errorf("script %s has no function", name)
		}
	}
}

// A client of another version of the program is refused in a sentence, first its digest, then its text.
func TestUnknownScripts(t *testing.T) {
	d, _ := newTestDatabase(0)
	if got := d.ask("EVALSHA", strings.Repeat("0", 40), "0"); !strings.HasPrefix(got, "NOSCRIPT") {
		t.Errorf("an unknown digest: %s", got)
	}
	if got := d.ask("EVAL", "return 1", "0"); !strings.Contains(got, "run the same version for the store and for the workers") {
		t.Errorf("an unknown text: %s", got)
	}
	beat := digest(scripts.Text("beat"))
	if got := d.ask("EVALSHA", beat, "1", "k"); !strings.Contains(got, "beat has another number of keys or arguments") {
		t.Errorf("too few keys: %s", got)
	}
	if got := d.ask("EVALSHA", beat, "7", "k"); !strings.Contains(got, "Number of keys") {
		t.Errorf("more keys than words: %s", got)
	}
	if got := d.ask("EVAL", scripts.Text("unlock"), "1", "k", "me"); got != "[done]" {
		t.Errorf("a text of this version: %s", got)
	}
}

// Keys vanish when their time is over, whether or not anybody asks, and the room they took is free again.
func TestExpiry(t *testing.T) {
	d, c := newTestDatabase(0)
	d.ask("SET", "stays", "1")
	d.ask("SET", "goes", "12345", "PX", "500")
	d.ask("SET", "later", "1", "EX", "2")
	used := d.used
	if got := d.ask("PTTL", "goes"); got != "500" {
		t.Errorf("time left: %s", got)
	}
	c.at = c.at.Add(500 * time.Millisecond)
	if got := d.ask("EXISTS", "goes", "stays"); got != "1" {
		t.Errorf("%s of two keys exist", got)
	}
	c.at = c.at.Add(2 * time.Second)
	d.expire()
	if len(d.keys) != 1 || d.used >= used {
		t.Errorf("%d keys with %d bytes are left, of %d", len(d.keys), d.used, used)
	}
	if got := d.ask("TTL", "later") + d.ask("TTL", "stays"); got != "-2-1" {
		t.Errorf("times left: %s", got)
	}
}

// The bytes that a database counts are those of its keys, whatever was done to them.
func TestBytesAreCounted(t *testing.T) {
	d, _ := newTestDatabase(0)
	for _, command := range []string{
		"SET a 123", "SET a 1", "APPEND a 234", "SETRANGE a 100 x", "HSET h f 1 g 2", "HSET h f 333", "HDEL h g",
		"HSET gone f 1", "HDEL gone f", "RENAME a h", "RPUSH l x", "RENAME l b", "SET c 1 NX", "SET c 22 NX", "DEL nothing",
	} {
		d.ask(strings.Fields(command)...)
		want := int64(0)
		for key, e := range d.keys {
			want += e.size(key)
		}
		if d.used != want {
			t.Fatalf("after %s: counted %d, there are %d", command, d.used, want)
		}
	}
	d.ask("FLUSHALL")
	if d.used != 0 {
		t.Errorf("an empty database counts %d bytes", d.used)
	}
}

// A full database takes no values, but scripts run: workers can delete what is no longer needed.
func TestMemoryIsBounded(t *testing.T) {
	d, _ := newTestDatabase(10_000)
	if got := d.ask("SET", "a", strings.Repeat("x", 8000)); got != "OK" {
		t.Fatal(got)
	}
	if got := d.ask("SET", "b", strings.Repeat("x", 8000)); got != faultFull {
		t.Errorf("a value beyond the bound: %s", got)
	}
	if got := d.ask("SET", "a", strings.Repeat("x", 9000)); got != "OK" {
		t.Errorf("a value in the place of another: %s", got)
	}
	if d.reserve(2000) || !d.reserve(500) {
		t.Error("room is reserved beyond the bound, or not within")
	}
	if d.reserve(500) {
		t.Error("room is reserved twice")
	}
	d.release(500)
	found := digest(scripts.Text("found"))
	if got := d.ask("EVALSHA", found, "1", "topoi:{j:s0}:head", "id", "1", strings.Repeat("m", 2000)); got != "[done]" {
		t.Errorf("a script in a full database: %s", got)
	}
	if got := d.ask("INFO", "memory"); !strings.Contains(got, "maxmemory:10000\r\n") ||
		!strings.Contains(got, "maxmemory_policy:noeviction") {
		t.Errorf("info: %s", got)
	}
}

// No request of a worker keeps the others waiting: a barrier deletes a bounded number of rounds.
func TestRaiseIsBounded(t *testing.T) {
	d, _ := newTestDatabase(0)
	d.ask("HSET", "topoi:{j:s0}:head", "id", "7", "floor", "3")
	sum := digest(scripts.Text("raise"))
	if got := d.ask("EVALSHA", sum, "1", "topoi:{j:s0}:head", "7", "9000000000000", "0", "2", "0"); !strings.HasPrefix(got, "ERR") {
		t.Errorf("a barrier far away: %s", got)
	}
	if got := d.ask("EVALSHA", sum, "1", "topoi:{j:s0}:head", "7", "19", "0", "2", "0"); got != "[done 19]" {
		t.Errorf("a barrier: %s", got)
	}
}

// A job has ended when nothing is left of it but its tombstone.
func TestEnded(t *testing.T) {
	d, _ := newTestDatabase(0)
	d.ask("SET", "topoi:{other}:spec", "1")
	for i, step := range []struct {
		command string
		ended   bool
	}{
		{"SET topoi:{j}:spec 1", false},
		{"SET topoi:ended:{j}:7 x", false},
		{"SET topoi:{j:s1}:v:1 x", false},
		{"DEL topoi:{j}:spec", false},
		{"DEL topoi:{j:s1}:v:1", true},
		{"DEL topoi:ended:{j}:7", false},
	} {
		d.ask(strings.Fields(step.command)...)
		if d.ended("j") != step.ended {
			t.Errorf("step %d: the job has ended: %v", i, !step.ended)
		}
	}
}

// Names come back by prefix; other patterns are refused in a sentence.
func TestNames(t *testing.T) {
	d, _ := newTestDatabase(0)
	for _, key := range []string{"b:1", "a:2", "a:1"} {
		d.ask("SET", key, "1")
	}
	if got := d.names("a:"); !slices.Equal(got, []string{"a:1", "a:2"}) {
		t.Errorf("names %q", got)
	}
	if got := d.ask("SCAN", "0", "MATCH", "a:*", "COUNT", "1000"); got != "[0 [a:1 a:2]]" {
		t.Errorf("scan: %s", got)
	}
	if got := d.ask("SCAN", "5", "MATCH", "a:*"); got != "[0 []]" {
		t.Errorf("scan from a cursor that it never gave: %s", got)
	}
	for _, pattern := range []string{"a", "*a*", "a?*", `a\*`} {
		if got := d.ask("KEYS", pattern); got != onlyPrefixes {
			t.Errorf("pattern %s: %s", pattern, got)
		}
	}
}
