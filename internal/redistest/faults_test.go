package redistest

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"testing"
)

// One command fails, or those with a text, and all others are answered by the server. Those that greet do not count.
func TestFaults(t *testing.T) {
	s := Start(t, Config{})
	f := NewFaults(t, s)
	if f.URL() != "redis://"+f.Addr {
		t.Errorf("URL %s", f.URL())
	}
	conn, err := net.Dial("tcp", f.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	answers := bufio.NewReader(conn)
	third, key, value := func() { f.FailAt(2) }, func() { f.FailOn("b") }, func() { f.Spoil("a") }
	get := func() { f.FailGet("a") }
	for _, c := range []struct {
		command, answer string
		failed          bool   // after it
		before          func() // may be nil
	}{
		{"HELLO 3", "%7", false, third},
		{"PING", "+PONG", false, nil},
		{"SET a xyz", "+OK", false, nil},
		{"HSET b one 1 two 2", ":2", false, nil},
		{"SET a other", "-ERR this command fails", true, nil},
		{"SET a other", "-ERR this command fails", true, nil},
		{"GET a", "$3", true, nil},
		{"HGETALL b", "%2", true, nil},
		{"GET none", "_", true, nil},
		{"GET a", "$3", false, key},
		{"HGETALL b", "-ERR this command fails", true, nil},
		{"EXISTS b", "-ERR this command fails", true, nil},
		{"EXISTS a", ":1", false, value},
		{"GET a", "$20\r\nno value of this key", true, nil},
		{"EXISTS a", ":1", false, get},
		{"GET a", "-ERR this command fails", true, nil},
		{"GET a", "$3\r\nxyz", false, f.Pass},
	} {
		words := strings.Fields(c.command)
		var b strings.Builder
		fmt.Fprintf(&b, "*%d\r\n", len(words))
		for _, word := range words {
			fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(word), word)
		}
		if c.before != nil {
			c.before()
		}
		if _, err := conn.Write([]byte(b.String())); err != nil {
			t.Fatal(err)
		}
		first, _ := answers.Peek(len(c.answer))
		if string(first) != c.answer {
			t.Fatalf("%s is answered by %q, want %q", c.command, first, c.answer)
		}
		_, _ = answers.Discard(answers.Buffered())
		if failed := f.Failed(); failed != c.failed {
			t.Errorf("after %s: failed is %v", c.command, failed)
		}
	}
	if got := s.Do("GET", "a"); got != "xyz" {
		t.Errorf("a command that fails was passed on: a is %q", got)
	}
}
