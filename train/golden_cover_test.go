package train

import (
	"cmp"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
)

// Every sampler has fingerprints, and every choice inside it one in which it is not the default. The
// help of a choice begins with the samplers that have it.
func TestGoldenCoversTheRegistry(t *testing.T) {
	if *update {
		t.Skip("TestGolden has yet to write what this test reads")
	}
	text, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	has := func(sampler, choice string) bool {
		run := regexp.MustCompile(`(?m)^\w+ ` + regexp.QuoteMeta(sampler) + `/\S*` + regexp.QuoteMeta(choice))
		return run.Match(text)
	}
	for _, info := range registry.List() {
		if _, ok := goldenTunings[info.Name]; !ok || !has(info.Name, "default/") {
			t.Errorf("sampler %s has no fingerprints: add it to goldenTunings and run go test ./train -run TestGolden -update",
				info.Name)
		}
	}
	for field := range fields(reflect.TypeFor[topoi.Tuning]()) {
		samplers, _, _ := strings.Cut(field.Tag.Get("help"), ":")
		for _, info := range registry.List() {
			named := regexp.MustCompile(`\b` + info.Name + `\b`).MatchString(samplers)
			if named && !has(info.Name, cmp.Or(elsewhere[field.Name], field.Name+"=")) {
				t.Errorf("Tuning.%s of sampler %s has no fingerprint: add it to goldenTunings", field.Name, info.Name)
			}
		}
	}
}

// elsewhere are choices whose fingerprints are those of runs with other names.
var elsewhere = map[string]string{"Staleness": "stale=", "Parts": "stale="}

// fields gives the fields of a struct.
func fields(of reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range of.NumField() {
			if !yield(of.Field(i)) {
				return
			}
		}
	}
}
