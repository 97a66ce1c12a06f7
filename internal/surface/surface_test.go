package surface

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite names.txt from what the packages export")

// Limits of the public surface. They may fall and must not rise: whoever needs room makes it.
const (
	mostPackages = 20
	mostNames    = 295
)

const (
	root = "../.."
	list = "names.txt"
)

// The packages export the names in names.txt, and no others.
func TestNames(t *testing.T) {
	names, aliases := exported(t)
	packages := map[string]bool{}
	for _, name := range names {
		packages[owner(name)] = true
	}
	t.Logf("%d names in %d packages", len(names), len(packages))
	if len(names) > mostNames {
		t.Errorf("%d exported names, and %d is the most: unexport one that no program needs, or move it to internal/",
			len(names), mostNames)
	}
	if len(packages) > mostPackages {
		t.Errorf("%d public packages, and %d is the most: join two, or make one internal", len(packages), mostPackages)
	}
	for _, name := range aliases {
		t.Errorf("%s is another name of an internal type: go doc cannot show its fields; declare the type here", name)
	}
	if *update {
		if err := os.WriteFile(list, []byte(strings.Join(names, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	frozen := strings.Fields(string(text))
	for _, name := range names {
		if !slices.Contains(frozen, name) {
			t.Errorf("%s is exported and not listed. Every exported name is a promise: unexport it, or, if programs need it, "+
				"run go test ./internal/surface -update and say in CHANGELOG.md what it is for", name)
		}
	}
	for _, name := range frozen {
		if !slices.Contains(names, name) {
			t.Errorf("%s is listed and no longer exported: programs that use it break. If that is meant, run "+
				"go test ./internal/surface -update and say in docs/go.md what replaces it", name)
		}
	}
}

// Every public package has an example that its tests run.
func TestExamples(t *testing.T) {
	names, _ := exported(t)
	shown := map[string]bool{}
	eachFile(t, func(dir string, file *ast.File) {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Example") {
				shown[dir] = true
			}
		}
	}, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	for _, name := range names {
		if dir := owner(name); !shown[dir] {
			shown[dir] = true // told once
			t.Errorf("package %s has no example: write one in %s", dir, path.Join(dir, "example_test.go"))
		}
	}
}

// exported returns the exported names of all public packages, sorted, and those that are aliases of internal types.
func exported(t *testing.T) (names, aliases []string) {
	t.Helper()
	eachFile(t, func(dir string, file *ast.File) {
		internal := internalImports(file)
		add := func(ident *ast.Ident) {
			if ident.IsExported() {
				names = append(names, dir+"."+ident.Name)
			}
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					add(d.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.ValueSpec:
						for _, name := range s.Names {
							add(name)
						}
					case *ast.TypeSpec:
						add(s.Name)
						if s.Name.IsExported() && s.Assign.IsValid() && isOf(s.Type, internal) {
							aliases = append(aliases, dir+"."+s.Name.Name)
						}
					}
				}
			}
		}
	}, func(name string) bool { return !strings.HasSuffix(name, "_test.go") })
	slices.Sort(names)
	return slices.Compact(names), aliases // a name may have a file for each system
}

// internalImports returns the names by which a file knows internal packages.
func internalImports(file *ast.File) []string {
	var known []string
	for _, i := range file.Imports {
		imported := strings.Trim(i.Path.Value, `"`)
		if !strings.Contains(imported, "/internal/") {
			continue
		}
		name := path.Base(imported)
		if i.Name != nil {
			name = i.Name.Name
		}
		known = append(known, name)
	}
	return known
}

// isOf reports whether a type is one of the packages with these names.
func isOf(t ast.Expr, packages []string) bool {
	selector, ok := t.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := selector.X.(*ast.Ident)
	return ok && slices.Contains(packages, pkg.Name)
}

// owner returns the package of a name.
func owner(name string) string { return name[:strings.LastIndexByte(name, '.')] }

// hidden are directories without public packages, at the root or, as internal, anywhere.
var hidden = []string{"bench", "cmd", "python", "r", "tools"}

// eachFile calls f for every Go file of a public package whose name is wanted. The package at the root is "topoi".
func eachFile(t *testing.T, f func(dir string, file *ast.File), wanted func(name string) bool) {
	t.Helper()
	files := token.NewFileSet()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(filepath.Dir(name), root), string(filepath.Separator)))
		base := d.Name()
		if d.IsDir() && name != root && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") ||
			base == "internal" || base == "testdata" || dir == "" && slices.Contains(hidden, base)) {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(base, ".go") || !wanted(base) {
			return nil
		}
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			return err
		}
		if dir == "" {
			dir = "topoi"
		}
		f(dir, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
