//go:build linux

package serve

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// cost holds the time and memory of a run.
type cost struct{ wall, processor time.Duration }

// way is a way to ask for all documents.
type way struct {
	name string
	ask  func(b *bench, s *server) error
}

var ways = []way{
	{"a stream of lines", func(b *bench, s *server) error { return b.stream(s, 1) }},
	{"4 streams of lines", func(b *bench, s *server) error { return b.stream(s, 4) }},
	{"8 clients, 100 documents a request", func(b *bench, s *server) error { return b.requests(s, 8, 100) }},
	{"64 clients, a document a request", func(b *bench, s *server) error { return b.requests(s, 64, 1) }},
	{"4 clients, a document a request", func(b *bench, s *server) error { return b.requests(s, 4, 1) }},
}

// throughput compares all ways with topoi infer, in turns.
func (b *bench) throughput() error {
	s, err := b.start()
	if err != nil {
		return err
	}
	var infer []cost
	served := make([][]cost, len(ways))
	for range b.rounds {
		c, err := b.infer()
		if err != nil {
			return err
		}
		infer = append(infer, c)
		for i, w := range ways {
			if !strings.Contains(w.name, b.only) {
				continue
			}
			begun, used := time.Now(), cpuTime(s.command.Process.Pid)
			if err := w.ask(b, s); err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
			served[i] = append(served[i], cost{time.Since(begun), cpuTime(s.command.Process.Pid) - used})
		}
	}
	n := float64(len(b.docs))
	wall, cpu := medians(infer)
	fmt.Printf("throughput, %d documents, %d threads, medians of %d turns:\n", len(b.docs), b.threads, b.rounds)
	fmt.Printf("  %-36s %6.0f documents/s, %4.0f µs of processor each\n", "topoi infer", n/wall.Seconds(), cpu.Seconds()*1e6/n)
	for i, w := range ways {
		if served[i] == nil {
			continue
		}
		wallServed, cpuServed := medians(served[i])
		fmt.Printf("  %-36s %6.0f documents/s, %4.0f µs of processor each: %.2f of topoi infer by the clock, %.2f by the processor\n", w.name,
			n/wallServed.Seconds(), cpuServed.Seconds()*1e6/n, wall.Seconds()/wallServed.Seconds(), cpu.Seconds()/cpuServed.Seconds())
	}
	return s.stop()
}

func medians(list []cost) (wall, processor time.Duration) {
	walls, processors := make([]time.Duration, 0, len(list)), make([]time.Duration, 0, len(list))
	for _, c := range list {
		walls, processors = append(walls, c.wall), append(processors, c.processor)
	}
	slices.Sort(walls)
	slices.Sort(processors)
	return walls[len(walls)/2], processors[len(processors)/2]
}

// infer runs the command over all documents.
func (b *bench) infer() (cost, error) {
	dir, err := os.MkdirTemp("", "topoi-bench-")
	if err != nil {
		return cost{}, err
	}
	defer os.RemoveAll(dir)
	c := b.command("infer", b.model, b.texts, "--as", "jsonl", "-o", filepath.Join(dir, "out.jsonl"), "--threads", strconv.Itoa(b.threads), "--device", b.device, "--quiet")
	c.Stderr = os.Stderr
	begun := time.Now()
	if err := c.Run(); err != nil {
		return cost{}, err
	}
	return cost{time.Since(begun), c.ProcessState.UserTime() + c.ProcessState.SystemTime()}, nil
}

// stream sends all documents as lines, by so many requests at once.
func (b *bench) stream(s *server, clients int) error {
	var group sync.WaitGroup
	faults := make([]error, clients)
	for i := range clients {
		begin, end := i*len(b.docs)/clients, (i+1)*len(b.docs)/clients
		group.Go(func() {
			body, to := io.Pipe()
			go func() {
				w := bufio.NewWriterSize(to, 1<<16)
				for _, d := range b.docs[begin:end] {
					_, _ = w.WriteString(d + "\n") // the pipe's other end tells
				}
				to.CloseWithError(w.Flush())
			}()
			answer, err := s.client.Post(s.url+"/v1/infer", "application/x-ndjson", body)
			if err != nil {
				faults[i] = err
				return
			}
			defer answer.Body.Close()
			lines, scanner := 0, bufio.NewScanner(answer.Body)
			scanner.Buffer(nil, 1<<20)
			for scanner.Scan() {
				lines++
			}
			if answer.StatusCode != http.StatusOK || lines != end-begin {
				faults[i] = fmt.Errorf("status %d, %d lines for %d documents", answer.StatusCode, lines, end-begin)
			}
		})
	}
	group.Wait()
	return errors.Join(faults...)
}

// requests sends all documents by so many clients, so many in a request.
func (b *bench) requests(s *server, clients, each int) error {
	l := newLoad(s.url)
	defer l.close()
	next := 0
	return l.closed(clients, func() []byte {
		begin := next
		if begin >= len(b.docs) {
			return nil
		}
		next = min(len(b.docs), begin+each)
		return httpRequest(`{"documents":[` + strings.Join(b.docs[begin:next], ",") + `]}`)
	})
}
