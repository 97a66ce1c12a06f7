package topoi

import (
	"context"
	"fmt"
	"sync"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/sampler/fold"
	"github.com/topoi-lda/topoi/topic"
)

// Inferrer keeps a GPU open for inference with any number of models. It is meant for servers, which infer a
// few documents at a time. It is safe for use by many goroutines; their calls run one after the other.
type Inferrer struct {
	where engine.Where

	mu  sync.Mutex
	gpu *device.Device // nil after a failed call; the next call opens it again
}

// NewInferrer opens the GPU with the given name, "cuda" or "cuda:N". It uses at most memory bytes of the
// GPU's memory; 0 means all that is free.
func NewInferrer(name string, memory int64) (*Inferrer, error) {
	i := &Inferrer{where: where(name, memory)}
	if !i.where.Asked() || where(name, 0).Validate() != nil {
		return nil, fmt.Errorf("the device %q is not a GPU: use cuda or cuda:N", name)
	}
	if err := i.where.Validate(); err != nil {
		return nil, err
	}
	if err := i.ready(); err != nil {
		return nil, err
	}
	return i, nil
}

// ready opens the GPU if it is not open.
func (i *Inferrer) ready() error {
	if i.gpu != nil {
		return nil
	}
	_, _, err := i.where.Place(true, func(d *device.Device, _ string) error {
		i.gpu = d
		return nil
	})
	return err
}

// Infer does the same as [Model.Infer] of m, on the GPU. Results are the same. Device and DeviceMemory of the
// options are ignored. Documents whose columns determine their prior are left to the CPU. After an error the
// next call opens the GPU again, so that a GPU that has recovered is used again.
func (i *Inferrer) Infer(ctx context.Context, m *Model, docs *corpus.Corpus, opts InferOptions,
	emit func(*DocTopics) error,
) error {
	if opts.Device, opts.DeviceMemory = "cuda", 0; m.byColumns(docs) {
		opts.Device = "cpu"
		return m.Infer(ctx, docs, opts, emit)
	}
	return m.infer(ctx, m.Alpha(), docs, opts, emit, func(ctx context.Context, fold *fold.Fold, _ InferOptions,
		add func(int, []topic.Count) error,
	) error {
		i.mu.Lock()
		defer i.mu.Unlock()
		if err := i.ready(); err != nil {
			return err
		}
		err := fold.RunOn(ctx, i.gpu, add)
		if err != nil && ctx.Err() == nil {
			_ = i.gpu.Close() // a lost device cannot be closed properly; ignore that second fault
			i.gpu = nil
		}
		return err
	})
}

// Name returns the product name of the GPU, or "" while it is not open.
func (i *Inferrer) Name() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.gpu == nil {
		return ""
	}
	return i.gpu.Name()
}

// Close releases the GPU.
func (i *Inferrer) Close() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.gpu == nil {
		return nil
	}
	err := i.gpu.Close()
	i.gpu = nil
	return err
}
