package house

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	mostUpward = 5  // % of a package's arrows that may go against its order
	fewArrows  = 20 // a package with fewer arrows may have one that does
)

// An arrow leads from a file to another of its package whose function, type, method, field, variable or constant
// it uses. The files of a package can be put in an order, users before what they use, that few arrows go against:
// who reads them in this order meets a name before what it stands for, and can stop at any file.
func TestArrowsGoDown(t *testing.T) {
	h := newHouse(t)
	r := &resolver{house: h, packages: map[string]*types.Package{}, arrows: map[string]arrows{}}
	for _, dir := range h.directories() {
		r.check(dir)
	}
	for _, dir := range slices.Sorted(maps.Keys(r.arrows)) {
		a := r.arrows[dir]
		upward := a.against(a.order())
		most := a.count() * mostUpward / 100
		if a.count() < fewArrows {
			most = 1
		}
		if len(upward) > most {
			t.Errorf("%s: %d of %d arrows between files go up, %d may. Move what both files use into the lower one or into a file "+
				"of its own, or the caller into the upper one:\n%s", dir, len(upward), a.count(), most, strings.Join(upward, "\n"))
		}
	}
}

// directories returns the directories with Go files, sorted.
func (h *house) directories() []string {
	dirs := map[string]bool{}
	for name := range h.parsed {
		dirs[path.Dir(name)] = true
	}
	return slices.Sorted(maps.Keys(dirs))
}

// resolver finds out what the names in the files of this module stand for. Other modules are left out: what their
// names stand for is in no file of this one.
type resolver struct {
	*house
	packages map[string]*types.Package // by import path
	arrows   map[string]arrows         // by directory
}

const module = "github.com/topoi-lda/topoi"

// generic are packages of the standard library through whose functions types of this module travel.
var generic = []string{"slices", "maps", "cmp", "iter", "sync", "sync/atomic"}

// Import returns a package of this module or one of generic.
func (r *resolver) Import(name string) (*types.Package, error) {
	if pkg := r.packages[name]; pkg != nil {
		return pkg, nil
	}
	if dir, ok := strings.CutPrefix(name, module); ok {
		if pkg := r.check(path.Join(".", strings.TrimPrefix(dir, "/"))); pkg != nil {
			return pkg, nil
		}
	}
	if slices.Contains(generic, name) {
		return r.standard(name), nil
	}
	return nil, errors.New("left out")
}

// standard reads a package of the standard library.
func (r *resolver) standard(name string) *types.Package {
	found, err := build.Import(name, "", 0)
	if err != nil {
		return nil
	}
	var files []*ast.File
	for _, file := range found.GoFiles {
		if parsed, err := parser.ParseFile(r.files, filepath.Join(found.Dir, file), nil, 0); err == nil {
			files = append(files, parsed)
		}
	}
	config := types.Config{Importer: r, Error: func(error) {}, IgnoreFuncBodies: true}
	r.packages[name], _ = config.Check(name, r.files, files, nil) // errors are names that were left out
	return r.packages[name]
}

// check resolves the names of a directory's files, those for Linux on amd64, and keeps the arrows between them.
func (r *resolver) check(dir string) *types.Package {
	name := path.Join(module, dir)
	if pkg := r.packages[name]; pkg != nil {
		return pkg
	}
	context := build.Default
	context.GOOS, context.GOARCH, context.CgoEnabled = "linux", "amd64", false
	var files []*ast.File
	for _, file := range slices.Sorted(maps.Keys(r.parsed)) {
		if path.Dir(file) != dir || strings.HasSuffix(file, "_test.go") {
			continue
		}
		if ok, err := context.MatchFile(dir, path.Base(file)); ok && err == nil {
			files = append(files, r.parsed[file])
		}
	}
	if len(files) == 0 {
		return nil
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: r, Error: func(error) {}, FakeImportC: true}
	pkg, _ := config.Check(name, r.files, files, info) // errors are names that were left out
	r.packages[name] = pkg
	r.arrows[dir] = r.arrowsOf(pkg, info.Uses)
	return pkg
}

// arrowsOf returns the arrows of a package with the names that each is for.
func (r *resolver) arrowsOf(pkg *types.Package, uses map[*ast.Ident]types.Object) arrows {
	a := arrows{}
	for user, used := range uses {
		if used.Pkg() != pkg || !used.Pos().IsValid() {
			continue
		}
		from, to := r.fileOf(user.Pos()), r.fileOf(used.Pos())
		if from == to {
			continue
		}
		if a[from] == nil {
			a[from] = map[string]map[string]bool{}
		}
		if a[from][to] == nil {
			a[from][to] = map[string]bool{}
		}
		a[from][to][used.Name()] = true
	}
	return a
}

func (r *resolver) fileOf(pos token.Pos) string { return path.Base(r.files.File(pos).Name()) }

// arrows holds for each file which others it uses, and by which names.
type arrows map[string]map[string]map[string]bool

func (a arrows) count() int {
	n := 0
	for _, to := range a {
		n += len(to)
	}
	return n
}

// against describes the arrows that go against an order.
func (a arrows) against(order []string) []string {
	var upward []string
	for i, to := range order {
		for _, from := range order[i+1:] {
			if names := a[from][to]; len(names) > 0 {
				upward = append(upward, fmt.Sprintf("\t%s → %s: %s", from, to, strings.Join(slices.Sorted(maps.Keys(names)), ", ")))
			}
		}
	}
	return upward
}

// order puts files in an order that few arrows go against: sinks to the end, sources to the front, else the file
// with the most arrows out over those in to the front; then each file to where it is best, until none moves.
func (a arrows) order() []string {
	left := map[string]bool{}
	for from, to := range a {
		left[from] = true
		for file := range to {
			left[file] = true
		}
	}
	var front, end []string
	for len(left) > 0 {
		files := slices.Sorted(maps.Keys(left))
		best, most := "", -len(files)
		sink := false
		for _, file := range files {
			out, in := a.degrees(file, files)
			if sink = out == 0; sink {
				best = file
				break
			}
			if in == 0 {
				out += len(files)
			}
			if out-in > most {
				best, most = file, out-in
			}
		}
		if sink {
			end = append(end, best)
		} else {
			front = append(front, best)
		}
		delete(left, best)
	}
	slices.Reverse(end)
	order := append(front, end...)
	for range len(order) {
		if !a.improve(order) {
			break
		}
	}
	return order
}

// degrees returns how many of files a file uses, and is used by.
func (a arrows) degrees(file string, files []string) (out, in int) {
	for _, other := range files {
		if a[file][other] != nil {
			out++
		}
		if a[other][file] != nil {
			in++
		}
	}
	return out, in
}

// improve moves each file to where the fewest arrows go against the order, and reports whether one moved.
func (a arrows) improve(order []string) bool {
	moved := false
	for _, file := range slices.Clone(order) {
		at := slices.Index(order, file)
		rest := slices.Delete(slices.Clone(order), at, at+1)
		upward := 0 // beside what it is at the front
		least, best, here := 0, 0, 0
		for i, before := range rest {
			if a[before][file] != nil {
				upward-- // this arrow goes down from here on
			}
			if a[file][before] != nil {
				upward++
			}
			if upward < least {
				least, best = upward, i+1
			}
			if i+1 == at {
				here = upward
			}
		}
		if least < here {
			copy(order, slices.Insert(rest, best, file))
			moved = true
		}
	}
	return moved
}
