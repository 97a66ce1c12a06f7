//go:build linux

package serve

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// memory loads the server with requests of all kinds and watches its memory.
func (b *bench) memory() error {
	s, err := b.start()
	if err != nil {
		return err
	}
	stop := make(chan struct{})
	var group sync.WaitGroup
	faults := make([]error, 16)
	for i := range faults {
		group.Go(func() { faults[i] = b.mix(s, uint64(i), stop) })
	}
	var sizes []float64
	begun := time.Now()
	for time.Since(begun) < b.length {
		time.Sleep(b.length / 120)
		sizes = append(sizes, resident(s.command.Process.Pid))
	}
	close(stop)
	group.Wait()
	if err := errors.Join(faults...); err != nil {
		return err
	}
	fmt.Printf("memory over %s of load, %d documents answered; resident MB, the largest in each sixth:", b.length, int(s.metric(`topoi_serve_documents_total{model="`+strings.TrimSuffix(filepath.Base(b.model), ".model")+`"}`)))
	for i := range 6 {
		fmt.Printf(" %.0f", slices.Max(sizes[i*len(sizes)/6:(i+1)*len(sizes)/6]))
	}
	time.Sleep(time.Second)
	fmt.Printf("; goroutines after it: %.0f, open files: %.0f; load of the machine: %s\n", s.metric("go_goroutines"), s.metric("process_open_fds"), machineLoad())
	return s.stop()
}

// mix asks for one document, for many, by lines, and for similar ones, in any order.
func (b *bench) mix(s *server, seed uint64, stop <-chan struct{}) error {
	r := rand.New(rand.NewPCG(seed, 3))
	for {
		select {
		case <-stop:
			return nil
		default:
		}
		begin := r.IntN(len(b.docs) - 200)
		path, kind, body := "/v1/infer", "application/json", ""
		switch r.IntN(4) {
		case 0:
			body = `{"documents":[` + b.docs[begin] + `],"words":true}`
		case 1:
			body = `{"documents":[` + strings.Join(b.docs[begin:begin+r.IntN(100)], ",") + `],"top":5}`
		case 2:
			kind, body = "application/x-ndjson", strings.Join(b.docs[begin:begin+r.IntN(200)], "\n")
		case 3:
			path, body = "/v1/similar", `{"documents":[`+b.docs[begin]+`]}`
		}
		if status, said, err := s.post(path, kind, body); err != nil || status != 200 {
			return fmt.Errorf("status %d, %w: %.200s", status, err, said)
		}
	}
}
