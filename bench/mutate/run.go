package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// runner compiles and runs tests.
type runner struct {
	dir       string // for temporary files
	slower    float64
	quick     time.Duration
	importers int
	only      map[string]string // which tests of an importer to run, by its name

	module   []*pkg            // of which importers are found
	measured map[string]*suite // of the package in work, by the package that has the tests
}

// suite holds the results of a package's short tests on the unchanged package.
type suite struct {
	path, dir string
	only      string // the tests that are run: "" means all
	rapid     bool   // they use package rapid
	took      time.Duration
	none      bool // no tests, or none that is quick enough
	covered   coverage
}

// reaches reports whether the tests come to the place of a mutant. Those that somebody has named are believed to:
// they may run programs, whose coverage is not known.
func (s *suite) reaches(m *mutant) bool { return !s.none && (s.only != "" || s.covered.has(m)) }

// memory is how much address space a test may have, in KiB: a mutant may never stop growing.
const memory = 16 << 20

// measure runs the tests of a package on the unchanged package in work. With a limit they must end within it.
func (r *runner) measure(ctx context.Context, p *pkg, tests string, limit time.Duration) (*suite, error) {
	found, err := list(ctx, tests)
	if err != nil {
		return nil, err
	}
	s := &suite{path: tests, dir: found.Dir, only: r.only[found.name()]}
	s.rapid = slices.Contains(slices.Concat(found.TestImports, found.XTestImports), "pgregory.net/rapid")
	binary, profile := filepath.Join(r.dir, "clean.test"), filepath.Join(r.dir, "clean.cover")
	defer os.Remove(binary)
	if len(found.TestGoFiles)+len(found.XTestGoFiles) == 0 {
		s.none = true
		return s, nil
	}
	if out, err := r.compile(ctx, tests, binary, "-cover", "-coverpkg="+p.ImportPath); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	if limit == 0 {
		limit = time.Hour
	}
	began := time.Now()
	out, err := r.run(ctx, s, binary, "", limit, "-test.coverprofile="+profile)
	s.took = time.Since(began)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && tests == p.ImportPath:
		return nil, fmt.Errorf("the tests fail without any change: %w\n%s", err, out)
	case err != nil:
		log.Printf("left out: the short tests of %s fail, or take more than %v", tests, limit)
		s.none = true
		return s, nil
	}
	s.covered, err = readCoverage(profile)
	return s, err
}

// compile makes a test binary.
func (r *runner) compile(ctx context.Context, tests, binary string, flags ...string) ([]byte, error) {
	args := append([]string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-o", binary}, flags...)
	return exec.CommandContext(ctx, "go", append(args, tests)...).CombinedOutput()
}

// run runs the tests of a suite. Programs that tests build have the overlay too.
func (r *runner) run(ctx context.Context, s *suite, binary, overlay string, limit time.Duration,
	flags ...string,
) ([]byte, error) {
	ctx, stop := context.WithTimeout(ctx, limit+5*time.Second)
	defer stop()
	args := []string{
		"-c", fmt.Sprintf(`ulimit -v %d; exec "$@"`, memory), "sh", binary, "-test.short",
		"-test.failfast", "-test.run=" + s.only,
	}
	if s.rapid {
		args = append(args, "-rapid.nofailfile") // which would stay in the tree, and be tried first from then on
	}
	c := exec.CommandContext(ctx, "sh", append(args, append(flags, "-test.timeout="+limit.String())...)...)
	c.Dir = s.dir
	c.Env = os.Environ()
	if overlay != "" {
		c.Env = append(c.Env, "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+overlay)
	}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = time.Second
	return c.CombinedOutput()
}

// fate is the outcome of a mutant.
type fate string

const (
	broken   fate = "does not compile"
	own      fate = "killed by own tests"
	imported fate = "killed by importers"
	survived fate = "survived"
)

// errCompile is wrapped by the error about a mutant that is no program.
var errCompile = errors.New("it does not compile")

// fate runs tests on a mutant until one fails, and names the package that has it.
func (r *runner) fate(ctx context.Context, p *pkg, tests *suite, m *mutant) (fate, string, error) {
	changed, overlay := filepath.Join(r.dir, "mutant.go"), filepath.Join(r.dir, "overlay.json")
	if err := os.WriteFile(changed, m.text, 0o666); err != nil {
		return "", "", err
	}
	b, err := json.Marshal(map[string]map[string]string{"Replace": {m.file: changed}})
	if err != nil {
		return "", "", err
	}
	if err := os.WriteFile(overlay, b, 0o666); err != nil {
		return "", "", err
	}
	if !tests.reaches(m) {
		c := exec.CommandContext(ctx, "go", "build", "-o", os.DevNull, "-overlay="+overlay, p.ImportPath)
		if err := c.Run(); err != nil {
			return broken, "", ctx.Err()
		}
	}
	killed, err := r.killed(ctx, tests, m, overlay)
	switch {
	case errors.Is(err, errCompile):
		return broken, "", ctx.Err()
	case killed || err != nil:
		return own, "", err
	}
	return r.askImporters(ctx, p, m, overlay)
}

// askImporters runs the tests of importers on a mutant until one fails.
func (r *runner) askImporters(ctx context.Context, p *pkg, m *mutant, overlay string) (fate, string, error) {
	names, err := r.importersOf(ctx, p)
	if err != nil {
		return "", "", err
	}
	tried := 0
	for _, name := range names {
		if tried == r.importers {
			break
		}
		s, err := r.measuredOnce(ctx, p, name)
		if err != nil {
			return "", "", err
		}
		if !s.reaches(m) {
			continue
		}
		tried++
		if killed, err := r.killed(ctx, s, m, overlay); killed || err != nil {
			return imported, name, err
		}
	}
	return survived, "", nil
}

// killed reports whether tests notice a mutant. Tests that never come to its place are not run.
func (r *runner) killed(ctx context.Context, s *suite, m *mutant, overlay string) (bool, error) {
	if !s.reaches(m) {
		return false, nil
	}
	binary := filepath.Join(r.dir, "mutant.test")
	defer os.Remove(binary)
	if out, err := r.compile(ctx, s.path, binary, "-overlay="+overlay); err != nil {
		return false, fmt.Errorf("%w: %w\n%s", errCompile, errors.Join(err, ctx.Err()), out)
	}
	limit := 10*time.Second + time.Duration(r.slower*float64(s.took))
	_, err := r.run(ctx, s, binary, overlay, limit)
	return err != nil, ctx.Err()
}

// measuredOnce returns what an importer's tests do with the package in work.
func (r *runner) measuredOnce(ctx context.Context, p *pkg, tests string) (*suite, error) {
	if r.measured == nil {
		r.measured = map[string]*suite{}
	}
	key := p.ImportPath + " " + tests
	if r.measured[key] == nil {
		s, err := r.measure(ctx, p, tests, r.quick)
		if err != nil {
			return nil, err
		}
		r.measured[key] = s
	}
	return r.measured[key], nil
}

// importersOf returns the packages of this module that import p, or whose tests do.
func (r *runner) importersOf(ctx context.Context, p *pkg) ([]string, error) {
	if r.module == nil {
		all, err := listAll(ctx, p.Module.Path+"/...")
		if err != nil {
			return nil, err
		}
		r.module = all
	}
	var direct, tests []string
	for _, q := range r.module {
		switch {
		case q.ImportPath == p.ImportPath:
		case slices.Contains(q.Imports, p.ImportPath):
			direct = append(direct, q.ImportPath)
		case slices.Contains(slices.Concat(q.TestImports, q.XTestImports), p.ImportPath):
			tests = append(tests, q.ImportPath)
		}
	}
	return append(direct, tests...), nil
}
