package train

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/discrete"
)

func TestTuningDefaultsAreValidAndSilent(t *testing.T) {
	if err := Validate(topoi.Options{Topics: 1}); err != nil {
		t.Error(err)
	}
	if text, err := json.Marshal(topoi.Tuning{}); err != nil || string(text) != "{}" {
		t.Errorf("%s, %v", text, err)
	}
}

func TestTuningFaultsComeTogether(t *testing.T) {
	err := Validate(topoi.Options{Topics: 1, Tuning: topoi.Tuning{Fresh: "dco=delayed,word=now", MHSteps: 257, AliasEvery: -3, Proposal: "cylce", Rounds: -1, Staleness: 17, Parts: -2, Partitions: -1, CVB: "zreo", Step: 1.5, Draw: "aliass"}})
	if err == nil {
		t.Fatal("no fault found")
	}
	for _, want := range []string{
		`unknown count "dco" in Tuning.Fresh: did you mean "doc"?`,
		`Tuning.Fresh says of word "now": it must be immediate or delayed`,
		"Tuning.MHSteps is 257: it must be between 1 and 256",
		`unknown Tuning.Proposal "cylce": did you mean "cycle"?`,
		"Tuning.Rounds is -1: it must be between 1 and 65536",
		"Tuning.Staleness is 17: it must be between 0 and 16",
		"Tuning.Parts is -2: it must be between 1 and 65536",
		"Tuning.AliasEvery is -3: it must be between 1 and 2147483647",
		"Tuning.Partitions is -1: it must be between 1 and 4096",
		`unknown Tuning.CVB "zreo": did you mean "zero"?`,
		"Tuning.Step is 1.5: it must be above 0 and at most 1",
		`unknown Tuning.Draw "aliass": did you mean "alias"?`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in: %v", want, err)
		}
	}
}

// A tag cannot ask package discrete which methods it has.
func TestTuningKnowsAllMethodsOfDrawing(t *testing.T) {
	field, _ := reflect.TypeFor[topoi.Tuning]().FieldByName("Draw")
	if got, want := strings.Fields(field.Tag.Get("one")), append(discrete.Names(), "transposed"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
