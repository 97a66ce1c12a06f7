package topoi

import (
	"fmt"
	"runtime"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/sampling"
)

// SamplerInfo describes a sampler to people.
type SamplerInfo struct {
	Name      string `json:"name"`       // what Options.Sampler takes
	Summary   string `json:"summary"`    // one line
	Cost      string `json:"cost"`       // per token; K_d and K_w are the topics present in a document and in a word's row
	Source    string `json:"source"`     // the paper it comes from
	MaxTopics int    `json:"max_topics"` // the largest K it takes
	GPU       string `json:"gpu"`        // what a GPU gives: "same bytes" as the CPU, "not repeatable", or "no" form for it
}

// Samplers lists the names that Options.Sampler takes, "auto" first.
func Samplers() []string {
	names := []string{"auto"}
	for _, info := range registry.List() {
		names = append(names, info.Name)
	}
	return names
}

// DescribeSamplers lists the samplers themselves, without "auto".
func DescribeSamplers() []SamplerInfo {
	var list []SamplerInfo
	for _, info := range registry.List() {
		list = append(list, SamplerInfo{
			Name:      info.Name,
			Summary:   info.Summary,
			Cost:      info.Cost,
			Source:    info.Source,
			MaxTopics: info.MaxK,
			GPU:       onGPU(info),
		})
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

// Tuning holds choices inside a sampler that change its result: how many mini-batches a
// sweep of batch has, how many proposals a token of warp gets. Package sampling describes
// its fields, which are plain numbers and texts; the zero value of a field means the
// sampler's own default.
type Tuning = sampling.Tuning

// Device is a processor that topoi can compute on.
type Device struct {
	Name    string `json:"name"`             // "cpu", or "cuda:0" and so on
	Model   string `json:"model"`            // what it is
	Memory  int64  `json:"memory,omitempty"` // bytes of its own memory; 0 for the CPU
	Usable  bool   `json:"usable"`           // whether it is new enough
	Details string `json:"details"`          // for people
}

// Devices lists the processors of this machine, the CPU first. The error says
// why there is no GPU, if there is none; the list is valid all the same.
func Devices() ([]Device, error) {
	list := []Device{{
		Name:    "cpu",
		Model:   runtime.GOARCH,
		Usable:  true,
		Details: fmt.Sprintf("%d threads at once", runtime.GOMAXPROCS(0)),
	}}
	gpus, err := cuda.Devices()
	for _, d := range gpus {
		list = append(list, Device{
			Name:    fmt.Sprintf("cuda:%d", d.Ordinal),
			Model:   d.Name,
			Memory:  d.Memory,
			Usable:  d.Usable(),
			Details: fmt.Sprintf("compute capability %d.%d, %d multiprocessors", d.Major, d.Minor, d.SMs),
		})
	}
	return list, err
}
