package registry

import (
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
)

func TestChoose(t *testing.T) {
	for k, want := range map[int]string{1: "batch", exactTopics: "batch", exactTopics + 1: "warp", 1 << 20: "warp"} {
		name, _, reason := Choose(&sampler.Problem{K: k})
		if name != want || reason == "" {
			t.Errorf("K = %d: %s (%s), want %s", k, name, reason, want)
		}
		if info, ok := Find(name); !ok || info.MaxK < k {
			t.Errorf("K = %d: %s does not take it", k, name)
		}
	}
}
