package training

import (
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
)

// samplerInfo describes a sampler.
type samplerInfo struct {
	Name      string `json:"name"`       // value for Options.Sampler
	Summary   string `json:"summary"`    // one line
	Cost      string `json:"cost"`       // per token; K_d and K_w are the topics present in a document and in a word's row
	Source    string `json:"source"`     // the paper it comes from
	MaxTopics int    `json:"max_topics"` // the largest K
	// results on a GPU: "same bytes" as the CPU, "not repeatable", or "no" if it cannot run there
	GPU string `json:"gpu"`
}

// describeSamplers describes all samplers; "auto" is not among them.
func describeSamplers() []samplerInfo {
	var list []samplerInfo
	for _, info := range registry.List() {
		list = append(list, samplerInfo{info.Name, info.Summary, info.Cost, info.Source, info.MaxK, onGPU(info)})
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
