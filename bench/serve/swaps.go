//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	swapRequests = 100_000
	swapCount    = 10
	swapClients  = 16
)

// swaps sends requests over connections that stay open to two servers of one model, replaces the model
// ten times, and ends one server by SIGTERM half-way. Not one request may break. Clients are those of a
// balancer: they ask every server that says it is ready, and look ten times a second.
func (b *bench) swaps() error {
	dir, err := os.MkdirTemp("", "topoi-swaps-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	given := b.model
	defer func() { b.model = given }()
	b.model = filepath.Join(dir, "swapped.model")
	if err := b.swap(given, 0); err != nil {
		return err
	}
	pool := &balancer{}
	for range 2 {
		s, err := b.start("--drain", b.drain, "--reload", "100ms")
		if err != nil {
			return err
		}
		pool.servers = append(pool.servers, &balanced{server: s})
	}
	stop := pool.watch()
	defer stop()
	var sent, broken atomic.Int64
	var group sync.WaitGroup
	begun := time.Now()
	for range swapClients {
		group.Go(func() {
			for n := sent.Add(1); n <= swapRequests; n = sent.Add(1) {
				if err := pool.ask(int(n), `{"documents":[`+b.docs[int(n)%len(b.docs)]+`],"iterations":10}`); err != nil {
					broken.Add(1)
					fmt.Println("broken:", err)
				}
			}
		})
	}
	if err := b.disturb(given, pool, &sent); err != nil {
		return err
	}
	group.Wait()
	last := pool.servers[1]
	taken := last.server.metric(`topoi_serve_reloads_total{model="swapped",result="taken up"}`)
	fmt.Printf("swaps: %d requests by %d clients in %.0f s, %.0f replaced models taken up, one of two servers drained: %d broken\n",
		swapRequests, swapClients, time.Since(begun).Seconds(), taken, broken.Load())
	if broken.Load() > 0 || taken != swapCount {
		return errors.Join(errors.New("requests were broken or models not taken up"), last.server.stop())
	}
	return last.server.stop()
}

// disturb replaces the model in equal steps of the requests and ends the first server half-way.
func (b *bench) disturb(given string, pool *balancer, sent *atomic.Int64) error {
	for i := range swapCount {
		for sent.Load() < int64(swapRequests*(i+1)/(swapCount+2)) {
			time.Sleep(10 * time.Millisecond)
		}
		if err := b.swap(given, i+1); err != nil {
			return err
		}
		if i == swapCount/2 {
			if err := pool.servers[0].server.command.Process.Signal(syscall.SIGTERM); err != nil {
				return err
			}
		}
	}
	if err := pool.servers[0].server.command.Wait(); err != nil {
		return fmt.Errorf("the drained server: %w", err)
	}
	return nil
}

// swap puts another version of a model in its place, by renaming: the same with another label.
func (b *bench) swap(given string, number int) error {
	next := fmt.Sprintf("%s.%d", b.model, number)
	if err := os.CopyFS(next, os.DirFS(given)); err != nil {
		return err
	}
	if out, err := b.command("label", next, "--label", fmt.Sprintf("0=version %d", number), "--quiet").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	if number > 0 {
		if err := os.Rename(b.model, next+".old"); err != nil {
			return err
		}
	}
	return os.Rename(next, b.model)
}

// balanced is a server and whether it says that it is ready.
type balanced struct {
	server *server
	down   atomic.Bool
}

// balancer shares requests among servers.
type balancer struct{ servers []*balanced }

// watch asks the servers whether they are ready, until stop is called.
func (p *balancer) watch() (stop func()) {
	ended := make(chan struct{})
	for _, s := range p.servers {
		go func() {
			client := &http.Client{Timeout: 5 * time.Second}
			for {
				select {
				case <-ended:
					return
				case <-time.After(100 * time.Millisecond):
				}
				answer, err := client.Get(s.server.url + "/readyz")
				s.down.Store(err != nil || answer.StatusCode != http.StatusOK)
				if err == nil {
					answer.Body.Close()
				}
			}
		}()
	}
	return func() { close(ended) }
}

// ask sends one request to a server that is ready. The body cannot be sent again, so that a client that
// would repeat requests by itself does not hide what broke.
func (p *balancer) ask(number int, body string) error {
	s := p.servers[number%len(p.servers)]
	if s.down.Load() {
		s = p.servers[(number+1)%len(p.servers)]
	}
	request, err := http.NewRequest(http.MethodPost, s.server.url+"/v1/infer", struct{ io.Reader }{strings.NewReader(body)})
	if err != nil {
		return err
	}
	request.ContentLength = int64(len(body))
	request.Header.Set("Content-Type", "application/json")
	answer, err := s.server.client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d: %w: %.200s", answer.StatusCode, err, said)
	}
	return nil
}
