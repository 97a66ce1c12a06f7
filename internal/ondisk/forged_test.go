package ondisk

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp"
)

// stopped is a run that stopped after two sweeps.
type stopped struct {
	config Config
	state  *State
	z      []uint32 // its topics
	files  map[string][]byte
}

func stop(t *testing.T, name string, p *sampler.Problem) *stopped {
	s := &stopped{config: Config{Sampler: infoOf(name), Problem: p, Dir: quickDir(t), Budget: &Budget{PartTokens: 20_000, SliceBytes: 250_000}}, files: map[string][]byte{}}
	run, err := New(s.config)
	must(t, err)
	priors := priorsOf(p.K, 5)
	must(t, run.Start(nil, priors))
	for i := 1; i <= 2; i++ {
		must(t, run.Sweep(t.Context(), i, priors))
	}
	s.z = topicsOf(t, run)
	s.state = run.State()
	must(t, errors.Join(run.Keep(nil), run.Settle()))
	for _, path := range s.paths(t) {
		if s.files[path], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// quickDir is a directory in memory where there is one: files are written hundreds of times.
func quickDir(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "topoi-test-*")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func (s *stopped) paths(t *testing.T) []string {
	paths, err := filepath.Glob(filepath.Join(s.config.Dir, "*"))
	must(t, err)
	return paths
}

// putBack undoes what a test has done to the files.
func (s *stopped) putBack(t *testing.T) {
	for path, content := range s.files {
		must(t, os.WriteFile(path, content, 0o666))
	}
}

// resume goes on for one sweep. It says whether the topics from which it went on were those of
// the run that stopped.
func (s *stopped) resume(t *testing.T, state *State) (same bool, err error) {
	run, err := New(s.config)
	must(t, err)
	if err := run.Resume(state); err != nil {
		return false, err
	}
	z := make([]uint32, len(s.z))
	reading := run.EachTopics(func(begin int, own []uint32) error {
		copy(z[begin:], own)
		return nil
	})
	run.Histograms()
	for w := range s.config.Problem.V {
		run.AppendRow(nil, w)
	}
	sweepErr := run.Sweep(t.Context(), 3, priorsOf(s.config.Problem.K, 5))
	return slices.Equal(z, s.z), errors.Join(reading, run.Err(), sweepErr, run.Settle())
}

// needed reports whether a run goes on from a file.
func (s *stopped) needed(path string) bool {
	name := filepath.Base(path)
	return name != "warp-tokens.spare" && name != "warp-tokens.2" && !strings.HasSuffix(name, ".rows")
}

// A bit that flips in any file from which a run goes on is noticed.
func TestFlippedBits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, name := range []string{"warp", "light"} {
		s := stop(t, name, cases()[name])
		for _, path := range s.paths(t) {
			if !s.needed(path) {
				continue
			}
			flipped := slices.Clone(s.files[path])
			flipped[r.IntN(len(flipped))] ^= 1 << r.IntN(8)
			must(t, os.WriteFile(path, flipped, 0o666))
			if err := s.verify(s.state); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), filepath.Base(path)) {
				t.Errorf("verifying %s: %v", filepath.Base(path), err)
			}
			if _, err := s.resume(t, s.state); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), filepath.Base(path)) {
				t.Errorf("%s: %v", filepath.Base(path), err)
			}
			s.putBack(t)
		}
		must(t, s.verify(s.state))
		if same, err := s.resume(t, s.state); !same || err != nil {
			t.Errorf("%s: without damage: %v, %v", name, same, err)
		}
	}
}

// Files whose content is wrong although their checksums are right are refused too: nothing is read
// outside of its bounds, and no run goes on from other topics but from ones that could be.
func TestForgedFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, name := range []string{"warp", "light"} {
		s := stop(t, name, cases()[name])
		refused := 0
		const tries = 25
		paths := slices.DeleteFunc(s.paths(t), func(path string) bool { return !s.needed(path) })
		for range tries {
			path := paths[r.IntN(len(paths))]
			must(t, os.WriteFile(path, s.forge(r, path), 0o666))
			_ = s.verify(s.state) // must end
			if _, err := s.resume(t, s.state); err != nil {
				refused++
			}
			s.putBack(t)
		}
		if refused < tries/2 {
			t.Errorf("%s: %d of %d forged files were refused", name, refused, tries)
		}
	}
}

// forge returns the content of a file with a number in it replaced, and its checksums made right.
func (s *stopped) forge(r *rand.Rand, path string) []byte {
	b := mapfile.Aligned(len(s.files[path]))
	copy(b, s.files[path])
	spoil := func(part []byte) {
		at := r.IntN(len(part)/4) * 4
		binary.LittleEndian.PutUint32(part[at:], []uint32{0, 1, 1 << 16, 1 << 31, 1<<32 - 1, r.Uint32N(100), r.Uint32()}[r.IntN(7)])
	}
	seal := func(b []byte) {
		copy(b[len(b)-8:], sumBytes(xxh3.Hash(b[:len(b)-8])))
	}
	p := s.config.Problem
	plan, _ := sampler.PlanFor(s.config.Sampler, p)
	switch name := filepath.Base(path); {
	case strings.HasPrefix(name, "warp-"):
		size := warp.RecordBytes(p)
		if name == "warp-places" {
			size = 2
		}
		spoil(b[:p.N()*size])
		sums := mapfile.View[uint64](b[len(b)-8*plan.Blocks()-8 : len(b)-8])
		for i := range sums {
			span := plan.Span(i, i+1)
			sums[i] = xxh3.Hash(b[span.Begin*size : span.End*size])
		}
		seal(b[len(b)-8*plan.Blocks()-8:])
	case strings.Contains(name, ".counts."):
		ends := mapfile.View[uint64](b[:8*len(s.state.Slices)])
		slice := r.IntN(len(ends) - 1)
		blob := b[ends[slice]:ends[slice+1]]
		spoil(blob[:len(blob)-8])
		seal(blob)
	default:
		spoil(b[:len(b)-8])
		seal(b)
	}
	return b
}

// States are refused, or those of the run, whatever numbers are in them.
func TestForgedStates(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, name := range []string{"warp", "light"} {
		s := stop(t, name, cases()[name])
		for range 25 {
			state := *s.state
			state.Slices, state.Parts = slices.Clone(state.Slices), slices.Clone(state.Parts)
			if state.Warp != nil {
				warp := *state.Warp
				warp.Tokens = slices.Clone(warp.Tokens)
				state.Warp = &warp
			}
			spoilState(r, &state)
			_ = s.verify(&state) // must end
			if same, err := s.resume(t, &state); err == nil && !same {
				t.Errorf("%s: a run went on from another state: %+v", name, state)
			}
			s.putBack(t)
		}
	}
}

func spoilState(r *rand.Rand, state *State) {
	numbers := []*int{&state.Rounds}
	for i := range state.Slices {
		numbers = append(numbers, &state.Slices[i])
	}
	for i := range state.Parts {
		numbers = append(numbers, &state.Parts[i].Blocks, &state.Parts[i].Tokens)
	}
	if state.Warp != nil {
		numbers = append(numbers, &state.Warp.Largest)
		for i := range state.Warp.Tokens {
			numbers = append(numbers, &state.Warp.Tokens[i])
		}
	}
	*numbers[r.IntN(len(numbers))] = []int{-1, 0, 1, 1 << 62, -1 << 63, r.IntN(1000)}[r.IntN(6)]
	switch list := reflect.ValueOf(&state.Slices).Elem(); r.IntN(10) {
	case 0:
		list.SetLen(r.IntN(2))
	case 1:
		state.Parts = nil
	case 2:
		state.Warp = nil
	}
}

// verify is Verify of a state.
func (s *stopped) verify(state *State) error {
	files, err := json.Marshal(state)
	if err != nil {
		return err
	}
	return Verify(s.config.Dir, s.config.Sampler, files, s.config.Problem.K)
}
