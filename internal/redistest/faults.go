package redistest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Faults passes commands on to a server, except one, which it answers with an error. Tests go through all commands of
// an operation with it, to see that the operation reports each error.
type Faults struct {
	Addr string // where it listens

	server *Server
	mu     sync.Mutex
	seen   int // commands since FailAt
	at     int // the command that fails; negative: none
}

// NewFaults starts to listen in front of a server.
func NewFaults(tb testing.TB, s *Server) *Faults {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	f := &Faults{Addr: l.Addr().String(), server: s, at: -1}
	var group sync.WaitGroup
	group.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			group.Go(func() { f.serve(client) })
		}
	})
	tb.Cleanup(func() { // after the stores of the test are closed
		l.Close()
		group.Wait()
	})
	return f
}

// URL is the server's URL by way of f.
func (f *Faults) URL() string { return f.server.urlFor(f.Addr) }

// FailAt lets the n-th command from now on fail, counted from 0, and no other.
func (f *Faults) FailAt(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen, f.at = 0, n
}

// Failed reports whether the command of FailAt was reached.
func (f *Faults) Failed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at >= 0 && f.seen > f.at
}

// fails counts a command, and reports whether it is the one that fails. Commands by which clients say who they are do
// not count.
func (f *Faults) fails(name string) bool {
	if slices.Contains([]string{"HELLO", "CLIENT", "AUTH", "SELECT", "PING"}, name) {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen++
	return f.seen-1 == f.at
}

// serve passes on the commands of a client, one after the other.
func (f *Faults) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", f.server.Addr)
	if err != nil {
		return
	}
	defer server.Close()
	commands, answers := bufio.NewReader(client), bufio.NewReader(server)
	for {
		var command, answer bytes.Buffer
		if err := copyMessage(&command, commands); err != nil {
			return
		}
		if f.fails(strings.ToUpper(strings.TrimSpace(strings.SplitN(command.String(), "\n", 4)[2]))) {
			fmt.Fprint(&answer, "-ERR this command fails\r\n")
		} else if _, err := server.Write(command.Bytes()); err != nil || copyMessage(&answer, answers) != nil {
			return
		}
		if _, err := client.Write(answer.Bytes()); err != nil {
			return
		}
	}
}

// copyMessage copies a message of the Redis protocol.
func copyMessage(to *bytes.Buffer, from *bufio.Reader) error {
	line, err := from.ReadString('\n')
	to.WriteString(line)
	if err != nil || len(line) < 2 {
		return err
	}
	n, _ := strconv.Atoi(strings.TrimSpace(line[1:]))
	switch line[0] {
	case '$', '=', '!': // a text of n bytes; a negative number is that of none
		if n >= 0 {
			_, err = io.CopyN(to, from, int64(n)+2)
		}
	case '%', '|': // pairs
		n *= 2
		fallthrough
	case '*', '~', '>': // messages
		for ; n > 0 && err == nil; n-- {
			err = copyMessage(to, from)
		}
	}
	return err
}
