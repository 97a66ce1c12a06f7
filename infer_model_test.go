package topoi

import (
	"errors"
	"fmt"
	"testing"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/engine"
)

// A GPU that is kept gives what the CPU gives, call after call, and comes back after it
// was lost.
func TestInferrerKeepsAGPU(t *testing.T) {
	emulated.Need(t)
	for name, iterations := range map[string]int{"draws": 10, "expected topics": 0} {
		t.Run(name, func(t *testing.T) { inferrerKeepsAGPU(t, InferOptions{Iterations: iterations, Threads: 1, Seed: 5}) })
	}
}

func inferrerKeepsAGPU(t *testing.T, opts InferOptions) {
	m := handModel(3)
	docs, err := m.Docs()
	if err != nil {
		t.Fatal(err)
	}
	opened, lost := 0, false
	i := &Inferrer{where: engine.Where{Device: "cuda", Open: func(int) (*device.Device, error) {
		if lost {
			return nil, cuda.ErrDeviceLost
		}
		opened++
		return emulated.New("internal/cuda/kernels"), nil
	}}}
	defer i.Close()
	var want, got []string
	if err := m.Infer(t.Context(), docs, opts, listTopics(&want)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		got = nil
		if err := i.Infer(t.Context(), m, docs, opts, listTopics(&got)); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("the GPU gives\n%v\nthe CPU\n%v", got, want)
		}
	}
	if opened != 1 {
		t.Errorf("opened %d times, want once", opened)
	}
	i.gpu.Limit(100)
	if err := i.Infer(t.Context(), m, docs, opts, listTopics(&got)); !errors.Is(err, cuda.ErrOutOfMemory) {
		t.Errorf("got %v", err)
	}
	lost = true
	if err := i.Infer(t.Context(), m, docs, opts, listTopics(&got)); !errors.Is(err, cuda.ErrDeviceLost) {
		t.Errorf("got %v", err)
	}
	lost, got = false, nil
	if err := i.Infer(t.Context(), m, docs, opts, listTopics(&got)); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("after the GPU came back: %v, %v", err, got)
	}
}

// listTopics gathers topics as text.
func listTopics(list *[]string) func(*DocTopics) error {
	return func(d *DocTopics) error {
		*list = append(*list, fmt.Sprint(d.Doc, d.Tokens, d.Topics))
		return nil
	}
}

func TestInferrerWantsAGPU(t *testing.T) {
	for _, name := range []string{"cpu", "auto", "", "cuda:x"} {
		if _, err := NewInferrer(name, 0); err == nil {
			t.Errorf("%q is taken for a GPU", name)
		}
	}
}
