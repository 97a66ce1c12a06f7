package redisserver

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// Error is an error that the server replied.
type Error string

func (e Error) Error() string { return string(e) }

// Conn sends commands one at a time: enough to see whether a server is there and
// to set it up. The parameter server has a client of its own.
type Conn struct {
	c net.Conn
	r *bufio.Reader
}

// NewConn speaks over c.
func NewConn(c net.Conn) *Conn { return &Conn{c, bufio.NewReader(c)} }

// answerTime is how long a command may take.
const answerTime = 5 * time.Second

// Do sends a command and returns its reply as text; an array's elements are
// separated by line breaks.
func (c *Conn) Do(args ...string) (string, error) {
	if err := c.c.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(args))
	for _, arg := range args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(arg), arg)
	}
	if _, err := io.WriteString(c.c, b.String()); err != nil {
		return "", err
	}
	return c.reply()
}

// reply reads one reply of RESP 2.
func (c *Conn) reply() (string, error) {
	line, err := c.r.ReadString('\n')
	if err != nil {
		return "", err
	}
	line = strings.TrimRight(line, "\r\n")
	if line == "" {
		return "", errors.New("the server sent an empty line")
	}
	kind, rest := line[0], line[1:]
	switch kind {
	case '+', ':':
		return rest, nil
	case '-':
		return "", Error(rest)
	}
	n, err := strconv.Atoi(rest)
	if err != nil {
		return "", fmt.Errorf("the server sent %q", line)
	}
	switch {
	case n < 0:
		return "", nil
	case kind == '$':
		b := make([]byte, n+2)
		_, err := io.ReadFull(c.r, b)
		return string(b[:n]), err
	case kind == '*':
		parts := make([]string, n)
		for i := range parts {
			if parts[i], err = c.reply(); err != nil {
				return "", err
			}
		}
		return strings.Join(parts, "\n"), nil
	}
	return "", fmt.Errorf("the server sent %q", line)
}
