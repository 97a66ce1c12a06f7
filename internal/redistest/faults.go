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

// Faults passes commands on to a server, except some, which it answers with an error or with a value that is damaged.
// Tests go through all commands of an operation with it, to see that the operation reports each error.
type Faults struct {
	Addr string // where it listens

	server *Server
	mu     sync.Mutex
	seen   map[string]int // numbers of the commands since FailAt; one that is sent again has the number it had
	at     int            // the command that fails; negative: none
	on     string         // in commands that fail; "" for none
	gets   bool           // only those that GET a value
	spoils bool           // values are damaged instead
	failed bool           // a command did
}

// damaged is the value of all keys that Spoil names.
const damaged = "no value of this key"

// NewFaults starts to listen in front of a server.
func NewFaults(tb testing.TB, s *Server) *Faults {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	f := &Faults{Addr: l.Addr().String(), server: s, seen: map[string]int{}, at: -1}
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

// FailAt lets the n-th command from now on fail, counted from 0, and no other. A store that waits long for an answer sends
// a command again: it is the same command, and has the same fate.
func (f *Faults) FailAt(n int) { f.set(n, "", false, false) }

// FailOn lets all commands fail that contain a text, such as the end of a key.
func (f *Faults) FailOn(text string) { f.set(-1, text, false, false) }

// FailGet is FailOn for those who GET values.
func (f *Faults) FailGet(text string) { f.set(-1, text, true, false) }

// Spoil damages the values of all keys that contain a text, for those who GET them.
func (f *Faults) Spoil(text string) { f.set(-1, text, true, true) }

// Pass lets no command fail.
func (f *Faults) Pass() { f.set(-1, "", false, false) }

func (f *Faults) set(at int, on string, gets, spoils bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen, f.at, f.on, f.gets, f.spoils, f.failed = map[string]int{}, at, on, gets, spoils, false
}

// Failed reports whether a command has failed since it was said which one does.
func (f *Faults) Failed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failed
}

// fault counts a command, and returns the answer to it if it fails, or "". Commands by which clients say who they are
// do not count.
func (f *Faults) fault(command string) string {
	name := strings.ToUpper(strings.TrimSpace(strings.SplitN(command, "\n", 4)[2]))
	if slices.Contains([]string{"HELLO", "CLIENT", "AUTH", "SELECT", "PING"}, name) {
		return ""
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	number, again := f.seen[command]
	if !again {
		number = len(f.seen)
		f.seen[command] = number
	}
	fails := number == f.at || f.on != "" && strings.Contains(command, f.on)
	if !fails || f.gets && name != "GET" {
		return ""
	}
	f.failed = true
	if f.spoils {
		return fmt.Sprintf("$%d\r\n%s\r\n", len(damaged), damaged)
	}
	return "-ERR this command fails\r\n"
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
		if text := f.fault(command.String()); text != "" {
			answer.WriteString(text)
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
