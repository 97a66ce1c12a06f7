package history

import (
	"strings"
	"testing"
)

// Histories that must not happen are found, each by the operation that is wrong; what may happen is not.
func TestChecker(t *testing.T) {
	begin := []Op{{Kind: Returned}, {Kind: Barrier, Value: "-1/0/false"}, {Kind: Owns, Key: "p0", Who: "7"}, {Kind: Owns, Key: "s0", Who: "7"}}
	for _, test := range []struct {
		name  string
		ops   []Op
		wrong string
	}{
		{"a round", []Op{{Kind: Wrote, Key: "topoi:{j:s0}:d:1:0", Value: "a"}, {Kind: Reached, Key: "r0", Who: "7", Round: 1}}, ""},
		{"another value", []Op{{Kind: Wrote, Key: "topoi:{j:s0}:d:1:0", Value: "a"}, {Kind: Restored}, {Kind: Wrote, Key: "topoi:{j:s0}:d:1:0", Value: "b"}}, "which was a before"},
		{"another beginning", []Op{{Kind: Wrote, Key: "topoi:{j:p0}:first", Value: "a"}, {Kind: Wrote, Key: "topoi:{j:p0}:first", Value: "b"}}, ""},
		{"no owner", []Op{{Kind: Reached, Key: "p0", Who: "8", Round: 1}}, `"7" has p0`},
		{"a former owner", []Op{{Kind: Owns, Key: "p0", Who: "8"}, {Kind: Reached, Key: "r0", Who: "7", Round: 1}}, `"8" has p0`},
		{"rounds fall", []Op{{Kind: Reached, Key: "r0", Who: "7", Round: 2}, {Kind: Reached, Key: "r0", Who: "7", Round: 1}}, "after round 2"},
		{"an early barrier", []Op{{Kind: Reached, Key: "p0", Who: "7", Round: 2}, {Kind: Barrier, Value: "2/4/false"}}, "before s0 has reached"},
		{"states fall", []Op{{Kind: Barrier, Value: "-1/3/false"}, {Kind: Barrier, Value: "-1/2/false"}}, "states come in order"},
		{"after a restoration", []Op{{Kind: Barrier, Value: "-1/3/false"}, {Kind: Restored}, {Kind: Barrier, Value: "-1/2/false"}}, ""},
		{"back from the dead", []Op{{Kind: Ended}, {Kind: Returned}}, "after the job has ended"},
		{"a late blob", []Op{{Kind: Ended}, {Kind: Wrote, Key: "topoi:{j:s0}:d:1:0", Value: "a"}}, "after the job has ended"},
		{"a late barrier", []Op{{Kind: Ended}, {Kind: Barrier, Value: "2/4/false"}}, "after the job has ended"},
		{"a store that has forgotten", []Op{{Kind: Ended}, {Kind: Forgot}, {Kind: Returned}}, ""},
	} {
		var c Checker
		var err error
		for _, op := range append(begin[:len(begin):len(begin)], test.ops...) {
			if err = c.Add(op); err != nil {
				break
			}
		}
		if (err == nil) != (test.wrong == "") || err != nil && !strings.Contains(err.Error(), test.wrong) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// Lines of MONITOR are read as the operations that they are.
func TestMonitor(t *testing.T) {
	m := Monitor{Job: "j"}
	for _, line := range []string{
		`OK`,
		`1.1 [0 unix:/s] "EVALSHA" "f00" "3" "topoi:{j}:spec" "topoi:ended:{j}:7" "topoi:ended:{j}:any" "{}"`,
		`1.1 [0 lua] "SET" "topoi:{j}:spec" "{}"`,
		`1.1 [0 lua] "HSET" "topoi:{j}:state" "version" "-1/0/false" "json" "{}"`,
		`1.2 [0 lua] "HSET" "topoi:{j}:owners" "p0" "7" "s0" "8"`,
		`1.2 [0 unix:/s] "SET" "topoi:{j:s0}:d:1:0:new" "\x00\"blob\"" "PX" "60000"`,
		`1.2 [0 lua] "RENAME" "topoi:{j:s0}:d:1:0:new" "topoi:{j:s0}:d:1:0"`,
		`1.3 [0 unix:/s] "EVALSHA" "f00" "2" "topoi:{j}:owners" "topoi:{j}:reached" "7" "r0" "p0" "1"`,
		`1.3 [0 lua] "HGET" "topoi:{j}:owners" "p0"`,
		`1.3 [0 lua] "HSET" "topoi:{j}:reached" "r0" "1"`,
	} {
		if err := m.Line(line); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{
		`1.3 [0 unix:/s] "EVALSHA" "f00" "2" "topoi:{j}:owners" "topoi:{j}:reached" "7" "s0" "s0" "1"`,
		`1.2 [0 unix:/s] "SET" "topoi:{j:s0}:d:1:0:new" "another" "PX" "60000"`,
	} {
		if err := m.Line(line); err != nil {
			t.Fatal(err)
		}
	}
	for line, wrong := range map[string]string{
		`1.3 [0 lua] "HSET" "topoi:{j}:reached" "s0" "1"`:                        `"8" has s0`,
		`1.2 [0 lua] "RENAME" "topoi:{j:s0}:d:1:0:new" "topoi:{j:s0}:d:1:0"`:     "before",
		`1.1 [0 lua] "HSET" "topoi:{j}:state" "version" "3/4/false" "json" "{}"`: "has reached the barrier",
	} {
		if err := m.Line(line); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// A blob that was sent before anybody watched is not compared with a later copy of it; later copies are.
func TestMonitorBeginsLate(t *testing.T) {
	const name = `1.2 [0 lua] "RENAME" "topoi:{j:s0}:d:1:0:new" "topoi:{j:s0}:d:1:0"`
	send := func(blob string) string { return `1.2 [0 unix:/s] "SET" "topoi:{j:s0}:d:1:0:new" "` + blob + `"` }
	m := Monitor{Job: "j"}
	for _, line := range []string{name, send("blob"), name, name, send("blob"), name, send("another")} {
		if err := m.Line(line); err != nil {
			t.Fatal(line, err)
		}
	}
	if err := m.Line(name); err == nil || !strings.Contains(err.Error(), "before") {
		t.Error(err)
	}
}

// Somebody who deletes the state does not restore the job: its workers go on until they notice.
func TestMonitorOfDeletedState(t *testing.T) {
	m := Monitor{Job: "j"}
	for _, line := range []string{
		`1.1 [0 lua] "SET" "topoi:{j}:spec" "{}"`,
		`1.2 [0 lua] "HSET" "topoi:{j}:owners" "p0" "7"`,
		`1.3 [0 unix:/s] "DEL" "topoi:{j}:state"`,
		`1.4 [0 unix:/s] "EVALSHA" "f00" "2" "topoi:{j}:owners" "topoi:{j}:reached" "7" "r0" "p0" "1"`,
		`1.4 [0 lua] "HSET" "topoi:{j}:reached" "r0" "1"`,
		`1.5 [0 lua] "DEL" "topoi:{j}:state" "topoi:{j}:reached"`,
	} {
		if err := m.Line(line); err != nil {
			t.Fatal(line, err)
		}
	}
	if err := m.Line(`1.6 [0 lua] "HSET" "topoi:{j}:reached" "r0" "2"`); err == nil {
		t.Error("a part without an owner reaches a round after the job was restored, and nobody says so")
	}
}

// The tombstone is in another slot than blobs. A blob may follow it until the head of its slot is deleted.
func TestMonitorOfLateBlobs(t *testing.T) {
	m := Monitor{Job: "j"}
	blob := func(slot, round string) error {
		key := "topoi:{j:" + slot + "}:d:" + round + ":0"
		if err := m.Line(`1.2 [0 unix:/s] "SET" "` + key + `:new" "blob" "PX" "60000"`); err != nil {
			return err
		}
		return m.Line(`1.2 [0 lua] "RENAME" "` + key + `:new" "` + key + `"`)
	}
	lines := func(list ...string) {
		t.Helper()
		for _, line := range list {
			if err := m.Line(line); err != nil {
				t.Fatal(line, err)
			}
		}
	}
	lines(`1.1 [0 lua] "SET" "topoi:{j}:spec" "{}"`, `1.2 [0 lua] "SET" "topoi:ended:{j}:7" "" "EX" "100"`)
	if err := blob("s0", "1"); err != nil {
		t.Error(err)
	}
	lines(`1.3 [0 unix:/s] "UNLINK" "topoi:{j:s0}:head"`)
	if err := blob("s1", "1"); err != nil {
		t.Error(err)
	}
	if err := blob("s0", "2"); err == nil || !strings.Contains(err.Error(), "after the job has ended") {
		t.Error(err)
	}
}
