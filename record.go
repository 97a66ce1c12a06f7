package topoi

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/topoi-lda/topoi/internal/option"
)

// recordOptions keeps of o what determines a model's bytes, with what "auto" chose. Its
// Device is empty: see Manifest.Options.
func recordOptions(o Options, sampler string, tuning Tuning) Options {
	o.Sampler, o.Tuning = sampler, tuning
	return option.Recorded(o)
}

// difference names the first option that would send a run resumed with now down
// another path than the one o began, or returns "". When to stop may change.
func (o Options) difference(now Options) string {
	if diff := option.Difference(o, now); diff != "" {
		return diff
	}
	if was, is := cmp.Or(o.Device, "cpu"), cmp.Or(now.Device, "cpu"); was != is {
		return fmt.Sprintf("Options.Device = %q, not %q", was, is)
	}
	return ""
}

// sampled says whether a random sample of the documents is held out, and not the last
// ones.
func (o Options) sampled() bool { return o.Holdout > 0 && !o.HoldoutLast }

// plainOptions are options as their tags have them in JSON.
type plainOptions Options

// storedOptions are options as models, checkpoints and jobs have them. Models from
// before there were samples say nothing, and hold out the last documents.
type storedOptions struct {
	plainOptions
	HoldoutSampled bool `json:"holdout_sampled,omitempty"`
}

// MarshalJSON writes what determines a model's bytes, and where else the state of the
// run is kept.
func (o Options) MarshalJSON() ([]byte, error) {
	return json.Marshal(storedOptions{plainOptions(o), o.sampled()})
}

// UnmarshalJSON reads what MarshalJSON has written.
func (o *Options) UnmarshalJSON(text []byte) error {
	s := storedOptions{plainOptions: plainOptions(*o)}
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	s.HoldoutLast = s.Holdout > 0 && !s.HoldoutSampled
	*o = Options(s.plainOptions)
	return nil
}
