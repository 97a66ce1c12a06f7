package main

import (
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/topoi-lda/topoi"
)

// Every choice inside a sampler can be made on the command line, by the name
// that it has in JSON with - for _.
func TestTuningFlags(t *testing.T) {
	c := &cobra.Command{}
	tuningFlags(c, &topoi.Tuning{})
	for _, field := range reflect.VisibleFields(reflect.TypeFor[topoi.Tuning]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name = strings.ReplaceAll(name, "_", "-"); c.Flags().Lookup(name) == nil {
			t.Errorf("there is no flag --%s for Tuning.%s", name, field.Name)
		}
	}
}
