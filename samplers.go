package topoi

import (
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/batch"
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

// checkFresh checks what has a grammar of its own.
func checkFresh(t Tuning) error {
	_, err := batch.ParseFreshness(t.Fresh)
	return err
}
