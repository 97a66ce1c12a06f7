package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
)

// find returns all mutants of a package, file by file.
func find(p *pkg) ([]*mutant, error) {
	seen := map[string]int{}
	var all []*mutant
	for _, name := range p.GoFiles {
		f := &finder{pkg: p.name(), file: filepath.Join(p.Dir, name), files: token.NewFileSet()}
		var err error
		if f.text, err = os.ReadFile(f.file); err != nil {
			return nil, err
		}
		parsed, err := parser.ParseFile(f.files, f.file, f.text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if ast.IsGenerated(parsed) {
			continue
		}
		for _, d := range parsed.Decls {
			f.declaration(d)
		}
		all = append(all, f.found...)
	}
	for _, m := range all { // the second of equal changes in a function is told by its number
		key := m.key()
		if seen[key]++; seen[key] > 1 {
			m.change += fmt.Sprintf(" #%d", seen[key])
		}
	}
	return all, nil
}

// declaration finds the mutants of a function, or of variables and constants.
func (f *finder) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		f.function = d.Name.Name
		if d.Recv != nil {
			f.function = receiver(d.Recv.List[0].Type) + "." + f.function
		}
		if d.Body != nil {
			f.walk(d.Body, d.Type)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if s, ok := s.(*ast.ValueSpec); ok {
				f.function = s.Names[0].Name
				for _, value := range s.Values {
					f.walk(value, nil)
				}
			}
		}
	}
}

// receiver returns the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}

// walk finds the mutants below a node of a function of the given type.
func (f *finder) walk(n ast.Node, function *ast.FuncType) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			f.walk(n.Body, n.Type)
			return false
		case *ast.ForStmt:
			f.loop(n, function)
			return false
		case *ast.CallExpr:
			if words(n) {
				return false
			}
		case *ast.ReturnStmt:
			f.returned(n, function)
		case ast.Stmt:
			f.statement(n)
		case ast.Expr:
			f.expression(n)
		}
		return true
	})
}

// loop finds the mutants of a loop, except those that go on for ever: its step stays.
func (f *finder) loop(n *ast.ForStmt, function *ast.FuncType) {
	for _, part := range []ast.Node{n.Init, n.Cond, n.Body} {
		if part != nil {
			f.walk(part, function)
		}
	}
}

// words reports whether a call makes a message: what it is given is for people.
func words(call *ast.CallExpr) bool {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		return fun.Name == "panic"
	case *ast.SelectorExpr:
		x, ok := fun.X.(*ast.Ident)
		return ok && (x.Name == "errors" && fun.Sel.Name == "New" || x.Name == "fmt" && fun.Sel.Name == "Errorf")
	}
	return false
}
