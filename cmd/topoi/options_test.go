package main

import (
	"testing"

	"github.com/spf13/cobra"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/option"
)

// Every option of training is a flag of topoi train.
func TestEveryOptionIsAFlag(t *testing.T) {
	a := newApp(nil, nil, nil, nil)
	train, _, err := a.root.Find([]string{"train"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range option.Fields(topoi.Options{}) {
		if f.Name != "Program" && train.Flags().Lookup(f.Flag()) == nil {
			t.Errorf("there is no flag --%s for %s: its tag in names no heading of topoi train", f.Flag(), f)
		}
	}
}

func TestZeros(t *testing.T) {
	var o topoi.Options
	c := &cobra.Command{}
	runFlags(c, &o, nil)
	optionFlags(c, "How to run", &o, nil)
	for _, name := range []string{"tolerance", "burn-in", "checkpoint-every", "beta", "threads"} {
		if err := c.Flags().Set(name, "0"); err != nil {
			t.Fatal(err)
		}
	}
	err := settleZeros(c, &o)
	if err == nil || err.Error() != "--beta is 0: it must be above 0" {
		t.Error(err)
	}
	if o.Tolerance != -1 || o.BurnIn != -1 || o.CheckpointEvery < 1<<30 || o.Threads != 0 {
		t.Errorf("%+v", o)
	}
}

func TestMessagesSpeakFlags(t *testing.T) {
	for message, want := range map[string]string{
		`train it with Options.Device = "cpu", or not`: "train it with --device cpu, or not",
		"Tuning.MHSteps is 300":                        "--mh-steps is 300",
		"name it with Options.TextFields or not":       "name it with --text-field or not",
		"made with Options.Seed = 0, not 9":            "made with --seed 0, not 9",
		"remove it with Job.Cancel":                    "remove it with topoi cluster cancel",
		"no Options. None":                             "no Options. None",
	} {
		if got := speakFlags(message); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
