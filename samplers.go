package topoi

import (
	"fmt"
	"runtime"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/sampling"
)

// SamplerInfo describes a sampler.
type SamplerInfo struct {
	Name      string `json:"name"`       // value for Options.Sampler
	Summary   string `json:"summary"`    // one line
	Cost      string `json:"cost"`       // per token; K_d and K_w are the topics present in a document and in a word's row
	Source    string `json:"source"`     // the paper it comes from
	MaxTopics int    `json:"max_topics"` // the largest K
	// results on a GPU: "same bytes" as the CPU, "not repeatable", or "no" if it cannot run there
	GPU string `json:"gpu"`
}

// Samplers lists the names that Options.Sampler takes, "auto" first.
func Samplers() []string {
	names := []string{"auto"}
	for _, info := range registry.List() {
		names = append(names, info.Name)
	}
	return names
}

// DescribeSamplers describes all samplers; "auto" is not among them.
func DescribeSamplers() []SamplerInfo {
	var list []SamplerInfo
	for _, info := range registry.List() {
		list = append(list, SamplerInfo{info.Name, info.Summary, info.Cost, info.Source, info.MaxK, onGPU(info)})
	}
	return list
}

func onGPU(info sampler.Info) string {
	switch {
	case info.NewOn == nil:
		return "no"
	case info.Racy:
		return "not repeatable"
	}
	return "same bytes"
}

// Tuning holds choices inside a sampler that change its result, such as the number of mini-batches in a
// sweep of batch, or the number of proposals for a token of warp. Package sampling describes its fields.
// The zero value of a field means the sampler's own default.
type Tuning = sampling.Tuning

// Device is a processor that topoi can compute on.
type Device struct {
	Name    string `json:"name"`             // "cpu", or "cuda:0" and so on
	Model   string `json:"model"`            // product name, or the architecture of the CPU
	Memory  int64  `json:"memory,omitempty"` // bytes of its own memory; 0 for the CPU
	Usable  bool   `json:"usable"`           // whether topoi supports it
	Details string `json:"details"`          // a description for people
}

// Devices lists the processors of this machine, the CPU first. If there is no GPU, the error says why; the
// list is valid nevertheless.
func Devices() ([]Device, error) {
	threads := fmt.Sprintf("%d threads at once", runtime.GOMAXPROCS(0))
	list := []Device{{Name: "cpu", Model: runtime.GOARCH, Usable: true, Details: threads}}
	gpus, err := cuda.Devices()
	for _, d := range gpus {
		details := fmt.Sprintf("compute capability %d.%d, %d multiprocessors", d.Major, d.Minor, d.SMs)
		list = append(list, Device{fmt.Sprintf("cuda:%d", d.Ordinal), d.Name, d.Memory, d.Usable(), details})
	}
	return list, err
}

// openDevice opens a GPU. Tests replace it by an emulated one.
var openDevice = func(ordinal int) (*device.Device, error) { return engine.OpenDevice(ordinal) }

// where returns the place to compute on that a name and a memory limit describe.
func where(name string, memory int64) engine.Where {
	return engine.Where{Device: name, Memory: memory, Open: openDevice}
}
