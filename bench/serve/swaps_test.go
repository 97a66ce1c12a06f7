//go:build linux

package serve

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
	swapClients = 16 // who ask at a time
	takenUp     = `topoi_serve_reloads_total{model="swapped",result="taken up"}`
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
		pool.servers = append(pool.servers, s)
	}
	go pool.watch()
	var sent, broken atomic.Int64
	var group sync.WaitGroup
	begun := time.Now()
	for range swapClients {
		group.Go(func() { b.client(pool, &sent, &broken) })
	}
	if err := b.disturb(given, pool, &sent); err != nil {
		return err
	}
	group.Wait()
	last := pool.servers[1]
	taken := last.metric(takenUp)
	fmt.Printf("swaps: %d requests by %d clients in %.0f s, %.0f replaced models taken up, one of two servers drained: %d broken\n",
		b.wanted, swapClients, time.Since(begun).Seconds(), taken, broken.Load())
	if broken.Load() > 0 || int(taken) != b.swapped {
		return errors.Join(errors.New("requests were broken or models not taken up"), last.stop())
	}
	return last.stop()
}

// client asks until enough is sent.
func (b *bench) client(pool *balancer, sent, broken *atomic.Int64) {
	for n := int(sent.Add(1)); n <= b.wanted; n = int(sent.Add(1)) {
		if err := pool.ask(n, `{"documents":[`+b.docs[n%len(b.docs)]+`],"iterations":10}`); err != nil {
			broken.Add(1)
			fmt.Println("broken:", err)
		}
	}
}

// disturb replaces the model in equal steps of the requests and ends the first server half-way.
func (b *bench) disturb(given string, pool *balancer, sent *atomic.Int64) error {
	for i := range b.swapped {
		for sent.Load() < int64(b.wanted*(i+1)/(b.swapped+2)) {
			time.Sleep(10 * time.Millisecond)
		}
		if err := b.swap(given, i+1); err != nil {
			return err
		}
		for begun := time.Now(); pool.servers[1].metric(takenUp) <= float64(i) && time.Since(begun) < 10*time.Second; {
			time.Sleep(20 * time.Millisecond) // a model that is replaced before anybody looked is not missed
		}
		if i == b.swapped/2 {
			if err := pool.servers[0].command.Process.Signal(syscall.SIGTERM); err != nil {
				return err
			}
		}
	}
	return pool.servers[0].command.Wait()
}

// swap puts another version of a model in its place, by renaming: the same with another label.
func (b *bench) swap(given string, number int) error {
	next := fmt.Sprintf("%s.%d", b.model, number)
	if err := os.CopyFS(next, os.DirFS(given)); err != nil {
		return err
	}
	if out, err := b.command("name", next, fmt.Sprintf("0=version %d", number), "--quiet").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	if number > 0 {
		if err := os.Rename(b.model, next+".old"); err != nil {
			return err
		}
	}
	return os.Rename(next, b.model)
}

// balancer shares requests among two servers, of which the first may say that it is not ready.
type balancer struct {
	servers []*server
	down    atomic.Bool
}

// watch asks the first server whether it is ready, until it is not.
func (p *balancer) watch() {
	for !p.down.Load() {
		answer, err := http.Get(p.servers[0].url + "/readyz")
		p.down.Store(err != nil || answer.StatusCode != http.StatusOK)
		if err == nil {
			answer.Body.Close()
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// ask sends one request to a server that is ready. The body cannot be sent again, so that a client that
// would repeat requests by itself does not hide what broke.
func (p *balancer) ask(number int, body string) error {
	s := p.servers[number%2]
	if p.down.Load() {
		s = p.servers[1]
	}
	request, err := http.NewRequest(http.MethodPost, s.url+"/v1/infer", struct{ io.Reader }{strings.NewReader(body)})
	if err != nil {
		return err
	}
	request.ContentLength = int64(len(body))
	request.Header.Set("Content-Type", "application/json")
	answer, err := s.client.Do(request)
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
