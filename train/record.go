package train

import (
	"cmp"
	"fmt"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/option"
)

// recordOptions returns the part of o that determines a model's bytes, with what "auto" chose. Device is
// left empty: see Manifest.Options.
func recordOptions(o topoi.Options, sampler string, tuning topoi.Tuning) topoi.Options {
	o.Sampler, o.Tuning, o.Start, o.Pseudo = sampler, tuning, nil, nil
	return option.Recorded(o)
}

// difference names the first option that differs between o and now and would change the path of a resumed
// run, or returns "". Conditions for stopping may differ.
func difference(o, now topoi.Options) string {
	if diff := option.Difference(o, now); diff != "" {
		return diff
	}
	if was, is := cmp.Or(o.Device, "cpu"), cmp.Or(now.Device, "cpu"); was != is {
		return fmt.Sprintf("Options.Device = %q, not %q", was, is)
	}
	return ""
}
