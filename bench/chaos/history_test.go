package chaos

import (
	"bufio"
	"io"
	"net"
	"sync"

	"github.com/topoi-lda/topoi/internal/cluster/history"
)

// watch follows all that the store of a job does, and checks its history.
type watch struct {
	mutex   sync.Mutex
	monitor history.Monitor
	wrong   error // the first thing that must not happen
	conn    net.Conn
	read    sync.WaitGroup
}

// follow begins to follow a store that has just started. kept says whether it has the data of the one before.
func (c *cluster) follow() error {
	first := c.history == nil
	if first {
		c.history = &watch{monitor: history.Monitor{Job: "chaos"}}
	}
	w := c.history
	conn, err := net.Dial("unix", c.store.Socket)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(conn, "MONITOR\r\n"); err != nil {
		return err
	}
	lines := bufio.NewReader(conn)
	if _, err := lines.ReadString('\n'); err != nil { // it has begun
		return err
	}
	w.read.Wait() // for what the store before did
	w.conn = conn
	if !first {
		kind := history.Forgot
		if c.kept {
			kind = history.Lost // what happened before this connection was not seen
		}
		w.add(w.monitor.Add(history.Op{Kind: kind}))
	}
	w.read.Go(func() {
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			w.add(w.monitor.Line(line))
		}
	})
	return nil
}

// add notes what is wrong.
func (w *watch) add(err error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.wrong == nil {
		w.wrong = err
	}
}

// end stops following, and returns what was wrong.
func (w *watch) end() error {
	w.conn.Close()
	w.read.Wait()
	return w.wrong
}
