package redistest

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"testing"
)

// One command fails, with those before and after it as the server answers them, and those that greet do not count.
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
	f.FailAt(2)
	for i, c := range []struct{ command, answer string }{
		{"HELLO 3", "%7"},
		{"PING", "+PONG"},
		{"SET a xyz", "+OK"},
		{"HSET b one 1 two 2", ":2"},
		{"SET a other", "-ERR this command fails"},
		{"GET a", "$3"},
		{"HGETALL b", "%2"},
		{"GET none", "_"},
	} {
		words := strings.Fields(c.command)
		var b strings.Builder
		fmt.Fprintf(&b, "*%d\r\n", len(words))
		for _, word := range words {
			fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(word), word)
		}
		if failed := f.Failed(); failed != (i > 4) {
			t.Errorf("before %s: failed is %v", c.command, failed)
		}
		if _, err := conn.Write([]byte(b.String())); err != nil {
			t.Fatal(err)
		}
		first, _ := answers.Peek(len(c.answer))
		if string(first) != c.answer {
			t.Fatalf("%s is answered by %q, want %q", c.command, first, c.answer)
		}
		for answers.Buffered() > 0 {
			_, _ = answers.Discard(answers.Buffered())
		}
	}
	if got := s.Do("GET", "a"); got != "xyz" {
		t.Errorf("a command that fails was passed on: a is %q", got)
	}
}
