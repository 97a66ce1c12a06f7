package topoi

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// deviceTokens is how many tokens "auto" wants before it takes a GPU: below, the
// CPU is done before the GPU is ready. Tests make it smaller.
var deviceTokens = 1 << 20

// openDevice opens a GPU. Tests have emulated ones.
var openDevice = device.Open

// gpuOrdinal reads the number in "cuda" (0) and "cuda:N".
func gpuOrdinal(name string) (int, bool) {
	rest, ok := strings.CutPrefix(name, "cuda")
	if !ok || rest == "" {
		return 0, ok
	}
	digits, ok := strings.CutPrefix(rest, ":")
	n, err := strconv.ParseUint(digits, 10, 16)
	return int(n), ok && err == nil
}

// validateDevice returns the faults of a device's name and of the memory to use there.
func validateDevice(name string, memory int64) error {
	var faults []error
	if _, ok := gpuOrdinal(name); !ok && name != "auto" && name != "cpu" {
		faults = append(faults, fmt.Errorf("unknown device %q: it must be auto, cpu, cuda or cuda:N", name))
	}
	if memory < 0 {
		faults = append(faults, fmt.Errorf("the device memory to use is %d bytes: it must not be negative", memory))
	}
	return errors.Join(faults...)
}

// place makes the sampler on the device that the options ask for.
func (r *run) place(name string, p *sampler.Problem) error {
	r.device = "cpu"
	info, ok := sampler.Find(name)
	switch {
	case !ok:
		return fmt.Errorf("unknown sampler %q", name)
	case r.opts.Device == "auto" && info.WorthGPU(p) && p.N() >= deviceTokens:
		err := r.placeOnGPU(name, p, 0)
		if err == nil || !dispensable(err) {
			return err
		}
	case r.opts.Device != "auto" && r.opts.Device != "cpu":
		ordinal, _ := gpuOrdinal(r.opts.Device)
		return r.placeOnGPU(name, p, ordinal)
	}
	var err error
	r.sampler, err = sampler.New(name, p)
	return err
}

// dispensable says whether a GPU that fails so is one that "auto" can do without.
func dispensable(err error) bool {
	return cuda.Unavailable(err) || errors.Is(err, cuda.ErrOutOfMemory) || errors.Is(err, sampler.ErrNotOnDevice)
}

// placeOnGPU makes the sampler on a GPU.
func (r *run) placeOnGPU(name string, p *sampler.Problem, ordinal int) error {
	d, err := openDevice(ordinal)
	if err != nil {
		return err
	}
	d.Limit(r.opts.DeviceMemory)
	remote, err := sampler.NewOn(name, p, d)
	if err != nil {
		_ = d.Close() // a lost device cannot be closed in order, and that is no second fault
		return err
	}
	d.Limit(0) // what scoring takes for a moment, up to 64 MB, comes on top
	r.sampler, r.gpu, r.device = remote, d, fmt.Sprintf("cuda:%d (%s)", ordinal, d.Name())
	if info, _ := sampler.Find(name); info.Racy {
		r.record.Device = "cuda"
	}
	return nil
}

// fetch brings what a device holds to where it can be read.
func (r *run) fetch() error {
	if remote, ok := r.sampler.(sampler.Remote); ok {
		return remote.Fetch()
	}
	if r.files != nil {
		return r.files.Err()
	}
	return nil
}

// settle waits for sweeps that a device is still at work on.
func (r *run) settle() error {
	if on, ok := r.sampler.(sampler.Settling); ok {
		return on.Settle()
	}
	return nil
}

// statistics are the histograms of the state, counted where it is.
func (r *run) statistics() (*counts.Histograms, error) {
	if on, ok := r.sampler.(sampler.Counting); ok {
		return on.Statistics()
	}
	if err := r.fetch(); err != nil {
		return nil, err
	}
	h := r.sampler.Histograms()
	if r.files != nil {
		return h, r.files.Err()
	}
	return h, nil
}

// countsOf returns the counts of the words that occur in docs.
func (r *run) countsOf(docs *corpus.Corpus) (modelCounts, error) {
	if on, ok := r.sampler.(sampler.Counting); ok {
		excerpt, err := on.Excerpt(wordsOf(docs))
		if err != nil || excerpt != nil {
			return excerpt, err
		}
	}
	return r.sampler, r.fetch()
}

// wordsOf lists the words that occur in docs, increasing.
func wordsOf(docs *corpus.Corpus) []uint32 {
	occurs := make([]bool, docs.NumWords())
	for _, w := range docs.Tokens() {
		occurs[w] = true
	}
	var list []uint32
	for w, yes := range occurs {
		if yes {
			list = append(list, uint32(w))
		}
	}
	return list
}

// leave gives the device back, and the memory limit.
func (r *run) leave() {
	if r.limits != nil {
		r.limits()
		r.limits = nil
	}
	if r.temporary != nil {
		r.temporary.Abort()
		r.temporary = nil
	}
	if r.gpu != nil {
		_ = r.gpu.Close() // everything of worth has been fetched
		r.gpu = nil
	}
	if !r.handed {
		r.dropDocs()
	}
}
