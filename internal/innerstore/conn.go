package innerstore

import (
	"bufio"
	"crypto/subtle"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Sizes of the buffers of a connection. Larger values pass them by.
const bufferBytes = 64 << 10

// authTime is how long a client may take to give the password.
const authTime = 10 * time.Second

// Faults about users, in the words of Redis.
const (
	faultNoAuth = "NOAUTH Authentication required."
	faultWrong  = "WRONGPASS invalid username-password pair or user is disabled."
)

// host is the server of a connection.
type host interface {
	run(name string, args [][]byte) reply
	reserve(n int64) bool
	release(n int64)
	tellFull()                 // that something did not fit
	watch(c *conn)             // tells a connection of commands
	pause(d time.Duration)     // lets all commands wait
	closeOthers(but *conn) int // returns how many connections it closed
}

// conn is a connection of a client. One goroutine serves it; others may close it.
type conn struct {
	net.Conn
	server  host
	options Options
	reader  reader
	mutex   sync.Mutex // of writer, which who watches shares
	writer  *bufio.Writer
	line    []byte // of an answer, made in this room
	version int    // of the protocol
	number  int64  // of the connection
	watches bool
	closing bool // after this answer
}

func newConn(s host, o Options, c net.Conn, number int64) *conn {
	x := &conn{Conn: c, server: s, options: o, version: 2, number: number, writer: bufio.NewWriterSize(c, bufferBytes)}
	x.reader = reader{
		Reader: bufio.NewReaderSize(c, bufferBytes), allowed: o.Password == "",
		reserve: s.reserve, release: s.release, flush: x.flush,
	}
	return x
}

// serve carries out what the client asks, until the connection ends.
func (c *conn) serve() {
	defer c.Close()
	if !c.reader.allowed {
		_ = c.SetDeadline(time.Now().Add(authTime)) // a connection that has none is closed
	}
	for !c.closing {
		words, full, err := c.reader.command()
		if err != nil {
			if fault := explain(err); fault != "" {
				_ = c.answer(refusal(fault)) // the client may have gone
				_ = c.flush()
			}
			return
		}
		if len(words) == 0 {
			continue // an empty line
		}
		answer := c.run(strings.ToUpper(string(words[0])), words[1:], full)
		c.reader.done()
		if answer.form != 0 && c.answer(answer) != nil {
			return
		}
		if (c.reader.Buffered() == 0 || c.closing) && c.flush() != nil {
			return
		}
	}
}

// run carries out a command of this connection, or passes it on to the database.
func (c *conn) run(name string, args [][]byte, full bool) reply {
	switch name {
	case "HELLO":
		return c.hello(toStrings(args))
	case "AUTH":
		return c.auth(toStrings(args))
	case "QUIT":
		c.closing = true
		return okay
	}
	switch {
	case !c.reader.allowed:
		return refusal(faultNoAuth)
	case full:
		c.server.tellFull()
		return refusal(faultFull)
	}
	switch name {
	case "PING":
		return status("PONG")
	case "SELECT":
		if len(args) != 1 || string(args[0]) != "0" {
			return refusal("ERR DB index is out of range: a store of topoi has number 0 only")
		}
		return okay
	case "CLIENT":
		return c.client(toStrings(args))
	case "CLUSTER":
		return refusal("ERR This instance has cluster support disabled")
	case "MONITOR":
		if c.answer(okay) == nil { // before the first line
			c.server.watch(c)
		}
		return reply{}
	}
	return c.server.run(name, args)
}

// hello begins a connection: HELLO [version [AUTH user password] [SETNAME name]].
func (c *conn) hello(args []string) reply {
	version := c.version
	if len(args) > 0 {
		n, err := strconv.Atoi(args[0])
		if err != nil || n != 2 && n != 3 {
			return refusal("NOPROTO unsupported protocol version")
		}
		version = n
	}
	for i := 1; i < len(args); i++ {
		switch strings.ToUpper(args[i]) {
		case "AUTH":
			if i+2 >= len(args) {
				return refusal("ERR Syntax error in HELLO option 'auth'")
			}
			if !c.admit(args[i+1], args[i+2]) {
				return refusal(faultWrong)
			}
			i += 2
		case "SETNAME":
			i++
		}
	}
	if !c.reader.allowed {
		return refusal(faultNoAuth)
	}
	c.version = version
	return reply{form: formMap, list: []reply{
		text("server"), text("topoi"), text("version"), text(compatible), text("proto"), number(version),
		text("id"), number(c.number), text("mode"), text("standalone"), text("role"), text("master"),
		text("modules"), list(),
	}}
}

// auth takes a password: AUTH [user] password.
func (c *conn) auth(args []string) reply {
	switch {
	case len(args) < 1 || len(args) > 2:
		return refusal("ERR wrong number of arguments for 'auth' command")
	case len(args) == 1:
		args = []string{defaultUser, args[0]}
	}
	if !c.admit(args[0], args[1]) {
		return refusal(faultWrong)
	}
	return okay
}

// admit compares user and password. A store without a password admits the default user with any, as Redis does.
func (c *conn) admit(user, password string) bool {
	o := c.options
	named := subtle.ConstantTimeCompare([]byte(user), []byte(o.user()))
	right := subtle.ConstantTimeCompare([]byte(password), []byte(o.Password))
	if named != 1 || right != 1 && o.Password != "" {
		return false
	}
	c.reader.allowed = true
	_ = c.SetDeadline(time.Time{}) // a connection that has none stays as it is
	return true
}

// client carries out what clients say of themselves, and what tests disturb a store with: KILL closes all other
// connections, PAUSE lets all wait for some milliseconds.
func (c *conn) client(args []string) reply {
	switch {
	case len(args) > 0 && strings.EqualFold(args[0], "KILL"):
		return number(c.server.closeOthers(c))
	case len(args) > 1 && strings.EqualFold(args[0], "PAUSE"):
		ms, err := strconv.Atoi(args[1])
		if err != nil || ms < 0 || ms > mostPause {
			return refusal("ERR timeout is not an integer or out of range")
		}
		c.server.pause(time.Duration(ms) * time.Millisecond)
	}
	return okay
}

const mostPause = 60_000 // ms

// answer writes a reply. It goes out with flush, or when the buffer is full.
func (c *conn) answer(r reply) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.write(r)
}

func (c *conn) write(r reply) error {
	c.line = append(r.head(c.line[:0], c.version), '\r', '\n')
	if _, err := c.writer.Write(c.line); err != nil {
		return err
	}
	if r.form == formBulk {
		if _, err := c.writer.Write(r.text); err != nil {
			return err
		}
		if _, err := c.writer.WriteString("\r\n"); err != nil {
			return err
		}
	}
	for _, inner := range r.list {
		if err := c.write(inner); err != nil {
			return err
		}
	}
	return nil
}

func (c *conn) flush() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.writer.Flush()
}
