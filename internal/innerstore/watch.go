package innerstore

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// watcher tells a connection of every command, as MONITOR does. Tests follow a job by it.
type watcher struct {
	conn  *conn
	lines chan string
}

// mostLines is how many lines may wait for a connection. One that is slower is closed: it has missed something.
const mostLines = 1 << 16

// watchers are told of commands. They are for one goroutine at a time.
type watchers map[*conn]*watcher

// add adds a connection and returns what tells it of commands, until drop.
func (all watchers) add(c *conn) (tell func()) {
	w := &watcher{conn: c, lines: make(chan string, mostLines)}
	all[c] = w
	return w.tell
}

// drop forgets a connection, if it watches.
func (all watchers) drop(c *conn) {
	if w := all[c]; w != nil {
		close(w.lines)
		delete(all, c)
	}
}

// note tells all of a command.
func (all watchers) note(script bool, words ...string) {
	var line strings.Builder
	now, origin := time.Now(), "client"
	if script {
		origin = "lua"
	}
	fmt.Fprintf(&line, "%d.%06d [0 %s]", now.Unix(), now.Nanosecond()/1000, origin)
	for _, word := range words {
		line.WriteString(" " + strconv.Quote(word))
	}
	for _, w := range all {
		select {
		case w.lines <- line.String():
		default:
			_ = w.conn.Close() // who serves it calls drop
		}
	}
}

// tell writes lines to the connection.
func (w *watcher) tell() {
	for line := range w.lines {
		if w.conn.answer(status(line)) == nil && len(w.lines) == 0 {
			_ = w.conn.flush() // the connection ends by itself if this fails
		}
	}
}
