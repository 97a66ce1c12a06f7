package sampler

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestTuningDefaultsAreValidAndSilent(t *testing.T) {
	if err := (Tuning{}).Validate(); err != nil {
		t.Error(err)
	}
	if text, err := json.Marshal(Tuning{}); err != nil || string(text) != "{}" {
		t.Errorf("%s, %v", text, err)
	}
}

func TestTuningFaultsComeTogether(t *testing.T) {
	err := Tuning{Fresh: "dco=delayed,word=now", MHSteps: 257, AliasEvery: -3, Proposal: "cylce", Rounds: -1, Staleness: 17, Parts: -2, Partitions: -1, CVB: "zreo", Step: 1.5, Draw: "aliass"}.Validate()
	if err == nil {
		t.Fatal("no fault found")
	}
	for _, want := range []string{
		`unknown count "dco" in fresh: did you mean "doc"?`,
		`fresh word must be immediate or delayed, not "now"`,
		"mh-steps must be between 1 and 256, not 257",
		`unknown proposal "cylce": did you mean "cycle"?`,
		"rounds must be between 1 and 65536, not -1",
		"staleness must be between 0 and 16, not 17",
		"parts must be between 1 and 65536, not -2",
		"alias-every must be between 1 and 2147483647, not -3",
		"partitions must be between 1 and 4096, not -1",
		`unknown cvb "zreo": did you mean "zero"?`,
		"step must be above 0 and at most 1, not 1.5",
		`unknown draw "aliass": did you mean "alias"?`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in: %v", want, err)
		}
	}
}
