//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// same compares what a server answers with what topoi infer writes on the CPU, while other
// clients ask for single documents.
func (b *bench) same() error {
	dir, err := os.MkdirTemp("", "topoi-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "out.jsonl")
	if err := b.command("infer", b.model, b.texts, "--as", "jsonl", "-o", path, "--threads", strconv.Itoa(b.threads), "--device", "cpu", "--quiet").Run(); err != nil {
		return err
	}
	want, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	s, err := b.start()
	if err != nil {
		return err
	}
	var group sync.WaitGroup
	var fault error
	group.Go(func() { fault = b.requests(s, 16, 1) })
	answer, err := s.client.Post(s.url+"/v1/infer", "application/x-ndjson", strings.NewReader(strings.Join(b.docs, "\n")))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d, %w: %.200s", answer.StatusCode, err, got)
	}
	group.Wait()
	if fault != nil {
		return fault
	}
	if !bytes.Equal(got, want) {
		return fmt.Errorf("a server with the device %s gives other bytes than topoi infer", b.device)
	}
	fmt.Printf("same: %d documents, device %s: the bytes of topoi infer; batches of %.0f documents on average, %.0f faults of the device\n", len(b.docs), b.device,
		s.metric("topoi_serve_batch_documents_sum")/s.metric("topoi_serve_batch_documents_count"), s.metric("topoi_serve_device_faults_total"))
	return s.stop()
}
