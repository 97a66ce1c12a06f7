package option

import (
	"testing"
	"time"
)

type inner struct {
	MHSteps int    `json:"mh_steps" range:">=1 <=256"`
	Kind    string `json:"kind" one:"red green"`
}

type options struct {
	Beta    float64       `json:"beta" option:"path" default:"0.01" range:">0"`
	Sweeps  int           `json:"sweeps" option:"stop" default:"10" range:">=1" zero:"-1"`
	Share   float64       `json:"share" option:"path" range:">=0 <1"`
	Limit   time.Duration `json:"-" range:">=0"`
	Threads int           `json:"-"`
	Inner   inner         `json:"inner" option:"path"`
	Aside   struct{ X int }
}

func TestDefaultsAndRecord(t *testing.T) {
	o := options{Threads: 3, Limit: time.Second, Inner: inner{MHSteps: 2}}
	SetDefaults(&o)
	if o.Beta != 0.01 || o.Sweeps != 10 {
		t.Errorf("%+v", o)
	}
	if got, want := Recorded(o), (options{Beta: 0.01, Sweeps: 10, Inner: inner{MHSteps: 2}}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if n := len(Fields(o)); n != 7 {
		t.Errorf("%d options", n)
	}
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		o    options
		want string
	}{
		{options{Beta: 1, Sweeps: 1}, ""},
		{options{Beta: -1, Sweeps: 1}, "options.Beta is -1: it must be above 0"},
		{options{Beta: 1, Sweeps: 1, Share: 1}, "options.Share is 1: it must be at least 0 and below 1"},
		{options{Beta: 1, Sweeps: 1, Limit: -time.Second}, "options.Limit is -1s: it must be at least 0"},
		{options{Beta: 1, Sweeps: -2, Inner: inner{MHSteps: 257}}, "options.Sweeps is -2: it must be at least 1\ninner.MHSteps is 257: it must be between 1 and 256"},
		{options{Beta: 1, Sweeps: 1, Inner: inner{Kind: "gren"}}, `unknown inner.Kind "gren": did you mean "green"?`},
	} {
		got := ""
		if err := Check(test.o); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestDifference(t *testing.T) {
	a, b := options{Beta: 1, Sweeps: 5, Threads: 1}, options{Beta: 1, Sweeps: 6, Threads: 2}
	if got := Difference(a, b); got != "" {
		t.Error(got)
	}
	b.Inner.Kind = "red"
	if got := Difference(a, b); got != `inner.Kind = "", not "red"` {
		t.Error(got)
	}
}

func TestFlagName(t *testing.T) {
	for name, want := range map[string]string{"MHSteps": "mh-steps", "UntilLL": "until-ll", "RepairUTF8": "repair-utf8", "CVB": "cvb", "MinDF": "min-df", "DeviceMemory": "device-memory", "UniqueIDs": "unique-ids"} {
		if got := FlagName(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
