package engine

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
)

// problem has words of very different frequencies, in a few blocks of light.
func problem(tuning sampler.Tuning) *sampler.Problem {
	p := &sampler.Problem{Offsets: []uint64{0}, V: 50, K: 7, Seed: 1, Threads: 2, Tuning: tuning}
	for d := range 900 {
		doc := make([]uint32, 40)
		for i := range doc {
			doc[i] = uint32(50 / (1 + (d*7+i*i)%50) % 50)
		}
		slices.Sort(doc)
		p.Words = append(p.Words, doc...)
		p.Offsets = append(p.Offsets, uint64(len(p.Words)))
	}
	return p
}

func priors() *sampler.Priors {
	return &sampler.Priors{Alpha: []float64{0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.1}, Beta: 0.05}
}

// places make an engine for a sampler, all in another way.
var places = map[string]func(t *testing.T, name string) Engine{
	"memory": func(t *testing.T, name string) Engine {
		e, err := InMemory(infoOf(name), problem(sampler.Tuning{}))
		must(t, err)
		return e
	},
	"stale": func(t *testing.T, name string) Engine {
		e, err := InMemory(infoOf(name), problem(sampler.Tuning{Staleness: 1, Parts: 2}))
		must(t, err)
		return e
	},
}

// infoOf finds a sampler.
func infoOf(name string) sampler.Info {
	info, ok := registry.Find(name)
	if !ok {
		panic("no sampler " + name)
	}
	return info
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sweeps runs iterations and returns the topics after them.
func sweeps(t *testing.T, e Engine, from, to int) []uint32 {
	t.Helper()
	for i := from; i <= to; i++ {
		must(t, e.Sweep(t.Context(), i, priors()))
	}
	must(t, e.Wait())
	z, err := e.Topics()
	must(t, err)
	for _, k := range z.Narrow {
		z.Wide = append(z.Wide, uint32(k))
	}
	return z.Wide
}

// What is saved in one engine goes on in another of its kind as if it had not been
// stopped, and counts are those of the topics.
func TestEnginesGoOn(t *testing.T) {
	for place, open := range places {
		for _, name := range []string{"warp", "light"} {
			t.Run(place+"/"+name, func(t *testing.T) {
				first := open(t, name)
				must(t, first.Start(priors()))
				z := sweeps(t, first, 1, 2)
				checkCounts(t, first, z)
				state, err := first.Save()
				must(t, err)
				must(t, errors.Join(first.Keep(state.Files), first.Sync(), first.Close()))
				second := open(t, name)
				state.Topics = Topics{Wide: z}
				must(t, second.Restore(state, priors()))
				got := sweeps(t, second, 3, 4)
				checkCounts(t, second, got)
				must(t, second.Close())
				whole := open(t, name)
				defer whole.Close()
				must(t, whole.Start(priors()))
				if !slices.Equal(sweeps(t, whole, 1, 4), got) {
					t.Error("stopping changed the result")
				}
			})
		}
	}
}

// checkCounts compares counts and statistics with topics.
func checkCounts(t *testing.T, e Engine, z []uint32) {
	t.Helper()
	p := problem(sampler.Tuning{})
	rows, totals := make([][]uint32, p.V), make([]uint64, p.K)
	for i, w := range p.Words {
		if rows[w] == nil {
			rows[w] = make([]uint32, p.K)
		}
		rows[w][z[i]]++
		totals[z[i]]++
	}
	c, err := e.Counts(func() []uint32 { return []uint32{0, 1} })
	must(t, err)
	h, err := e.Statistics()
	must(t, err)
	if !slices.Equal(c.TopicTotals(), totals) || !slices.Equal(h.TopicTotals, totals) {
		t.Errorf("totals are %v and %v, want %v", c.TopicTotals(), h.TopicTotals, totals)
	}
	for w := range 2 {
		got := make([]uint32, p.K)
		for _, entry := range c.AppendRow(nil, w) {
			got[entry.Topic] = entry.Count
		}
		if !slices.Equal(got, rows[w]) {
			t.Errorf("row of word %d is %v, want %v", w, got, rows[w])
		}
	}
	must(t, c.Err())
}

// A state of another kind is refused, and the error says of which.
func TestEnginesRefuseOthersStates(t *testing.T) {
	e := places["memory"](t, "warp")
	defer e.Close()
	var elsewhere Elsewhere
	if err := e.Restore(&State{Files: []byte("{}")}, priors()); !errors.As(err, &elsewhere) {
		t.Error(err)
	}
}

// Where a GPU is of no use "auto" takes the CPU and says why; who asks for one gets the
// fault.
func TestPlace(t *testing.T) {
	unfit := fmt.Errorf("sampler %w", sampler.ErrNotOnDevice)
	broken := errors.New("broken")
	for _, c := range []struct {
		device    string
		worth     bool
		fault     error // of using the GPU
		placed    bool
		why, want error
	}{
		{device: "cpu", worth: true},
		{device: "auto"},
		{device: "auto", worth: true, placed: true},
		{device: "auto", worth: true, fault: unfit, why: unfit},
		{device: "auto", worth: true, fault: cuda.ErrOutOfMemory, why: cuda.ErrOutOfMemory},
		{device: "auto", worth: true, fault: broken, want: broken},
		{device: "cuda", placed: true},
		{device: "cuda:3", fault: unfit, want: unfit},
	} {
		w := Where{Device: c.device, Open: func(int) (*device.Device, error) { return emulated.New(""), nil }}
		must(t, w.Validate())
		placed, why, err := w.Place(c.worth, func(*device.Device, string) error { return c.fault })
		if placed != c.placed || !errors.Is(why, c.why) || !errors.Is(err, c.want) || (why != nil) != (c.why != nil) {
			t.Errorf("%+v: placed %v, why %v, error %v", c, placed, why, err)
		}
	}
	e, why, err := New(infoOf("gibbs"), problem(sampler.Tuning{}), Where{Device: "auto", Open: func(int) (*device.Device, error) { return emulated.New(""), nil }}, true)
	if err != nil || e.Place() != "cpu" || !errors.Is(why, sampler.ErrNotOnDevice) {
		t.Errorf("%v, why %v, error %v", e, why, err)
	}
}

// What is begun while a GPU is opened is what the sampler gets, wherever it then works, and nothing of it stays.
func TestAhead(t *testing.T) {
	emulated.Need(t)
	for _, name := range []string{"warp", "batch", "gibbs"} {
		for fault, places := range map[error]string{nil: "cuda:0 (emulator)", cuda.ErrNoDevice: "cpu"} {
			where := Where{Device: "auto", Open: func(int) (*device.Device, error) { return emulated.New("../cuda/kernels"), fault }}
			p := problem(sampler.Tuning{})
			p.Offsets, p.Words = p.Offsets[:61], p.Words[:p.Offsets[60]]
			e, _, err := New(infoOf(name), p, where, true)
			must(t, err)
			if name != "gibbs" && e.Place() != places {
				t.Errorf("%s works on %s", name, e.Place())
			}
			want, err := InMemory(infoOf(name), p)
			must(t, err)
			sameRun(t, e, want, p.K)
			must(t, e.Close())
			if p.Laid() != nil || p.Grids != nil {
				t.Errorf("%s: something is left", name)
			}
		}
	}
}
