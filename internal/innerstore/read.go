package innerstore

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Limits of what a client may send. Before it has given the password it may only say who it is.
const (
	mostArgs    = 1 << 20
	mostValue   = 512 << 20 // as Redis has it
	mostLine    = 4 << 10
	firstArgs   = 16
	firstValue  = 1 << 10
	largeEnough = 64 << 10 // of a value, for which room is reserved before it is received
)

// malformed is a fault in what a client sends. It ends the connection.
type malformed string

func (m malformed) Error() string { return string(m) }

// reader reads commands.
type reader struct {
	*bufio.Reader
	allowed bool               // the client has given the password
	reserve func(n int64) bool // makes room for a value
	release func(n int64)      // gives it back
	flush   func() error       // sends the answers to earlier commands
	held    int64              // what is reserved for the command at hand
}

// command reads a command: its name and arguments. full reports that the store has no room for one of them, which is
// then thrown away. The caller calls done when the command has been carried out.
func (r *reader) command() (words [][]byte, full bool, err error) {
	line, err := r.line()
	if err != nil {
		return nil, false, err
	}
	if len(line) == 0 || line[0] != '*' { // typed by a person, or by a program that looks whether this is a store
		for _, word := range strings.Fields(string(line)) {
			words = append(words, []byte(word))
		}
		return words, false, nil
	}
	n, err := r.count(line[1:], mostArgs, firstArgs, "multibulk")
	if err != nil {
		return nil, false, err
	}
	words = make([][]byte, 0, min(n, firstArgs))
	for range n {
		word, fits, err := r.word()
		if err != nil {
			return nil, false, err
		}
		full = full || !fits
		words = append(words, word)
	}
	return words, full, nil
}

// done gives back what was reserved for a command.
func (r *reader) done() {
	if r.held > 0 {
		r.release(r.held)
		r.held = 0
	}
}

// word reads an argument. fits is false if there is no room for it.
func (r *reader) word() (word []byte, fits bool, err error) {
	line, err := r.line()
	if err != nil {
		return nil, false, err
	}
	if len(line) == 0 || line[0] != '$' {
		return nil, false, malformed("expected '$'")
	}
	n, err := r.count(line[1:], mostValue, firstValue, "bulk")
	if err != nil {
		return nil, false, err
	}
	if n >= largeEnough {
		if err := r.flush(); err != nil {
			return nil, false, err
		}
		if !r.reserve(int64(n)) {
			_, err = r.Discard(n + 2)
			return nil, false, err
		}
		r.held += int64(n)
	}
	word = make([]byte, n)
	if _, err := io.ReadFull(r, word); err != nil {
		return nil, false, err
	}
	var end [2]byte
	if _, err := io.ReadFull(r, end[:]); err != nil {
		return nil, false, err
	}
	if end != [2]byte{'\r', '\n'} {
		return nil, false, malformed("expected the end of a bulk string")
	}
	return word, true, nil
}

// count reads a number: of words or of bytes.
func (r *reader) count(text []byte, most, first int, what string) (int, error) {
	n, err := strconv.Atoi(string(text))
	switch {
	case err != nil || n < 0 || n > most:
		return 0, malformed("invalid " + what + " length")
	case !r.allowed && n > first:
		return 0, malformed("unauthenticated " + what + " length")
	}
	return n, nil
}

// line reads a line without its end. It is valid until the next read.
func (r *reader) line() ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) || len(line) > mostLine {
		return nil, malformed("too big inline request")
	}
	if err != nil {
		return nil, err
	}
	line = line[:len(line)-1]
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line, nil
}

// explain returns what to tell a client before its connection ends, "" if nothing.
func explain(err error) string {
	var m malformed
	if errors.As(err, &m) {
		return fmt.Sprintf("ERR Protocol error: %s", m)
	}
	return ""
}
