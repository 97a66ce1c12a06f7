package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// loader reads packages of one module, without the bodies of their functions. Other packages, which kernels have no
// business with, stay empty, and what needs them is left out.
type loader struct {
	module, root string
	context      build.Context
	files        *token.FileSet
	config       types.Config
	done         map[string]*types.Package
}

// newLoader returns a loader for the module that a folder belongs to.
func newLoader(dir string, t target) (*loader, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	var mod []byte
	for {
		if mod, err = os.ReadFile(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		if parent := filepath.Dir(root); parent != root {
			root = parent
			continue
		}
		return nil, errors.New("it is in no module")
	}
	line, _, _ := strings.Cut(string(mod), "\n")
	l := &loader{
		module: strings.TrimSpace(strings.TrimPrefix(line, "module")), root: root,
		context: build.Default, files: token.NewFileSet(), done: map[string]*types.Package{},
	}
	l.context.GOARCH, l.context.GOOS, l.context.CgoEnabled = t.arch, "linux", false
	l.config = types.Config{
		Importer: l, Sizes: types.SizesFor("gc", t.arch), IgnoreFuncBodies: true,
		Error: func(error) {}, // what other packages are needed for
	}
	return l, nil
}

// load reads the package of a folder.
func (l *loader) load(dir string) (*types.Package, []*ast.File, *build.Package, error) {
	listed, err := l.context.ImportDir(dir, 0)
	if err != nil {
		return nil, nil, nil, err
	}
	var parsed []*ast.File
	for _, name := range listed.GoFiles {
		f, err := parser.ParseFile(l.files, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, nil, err
		}
		parsed = append(parsed, f)
	}
	pkg, _ := l.config.Check(listed.Name, l.files, parsed, nil)
	return pkg, parsed, listed, nil
}

// Import is how the type checker asks for a package.
func (l *loader) Import(name string) (*types.Package, error) {
	if name == "unsafe" {
		return types.Unsafe, nil
	}
	if pkg := l.done[name]; pkg != nil {
		return pkg, nil
	}
	within, ok := strings.CutPrefix(name, l.module+"/")
	if !ok {
		pkg := types.NewPackage(name, path.Base(name))
		pkg.MarkComplete()
		l.done[name] = pkg
		return pkg, nil
	}
	pkg, _, _, err := l.load(filepath.Join(l.root, filepath.FromSlash(within)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	l.done[name] = pkg
	return pkg, nil
}
