package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// mutant is a package with one place of one file changed.
type mutant struct {
	pkg      string
	file     string // path
	function string // that has the place, or the variable
	change   string // the text there, an arrow, the new text
	at       token.Position
	text     []byte // of the file, changed
}

// key tells mutants apart, also after lines have moved.
func (m *mutant) key() string { return m.pkg + "\t" + m.function + "\t" + m.change }

func (m *mutant) place() string { return fmt.Sprintf("%s:%d", filepath.Base(m.file), m.at.Line) }

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

// finder finds the mutants of a file.
type finder struct {
	pkg, file string
	files     *token.FileSet
	text      []byte
	function  string
	found     []*mutant
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

// source returns the text of a node.
func (f *finder) source(n ast.Node) string {
	return string(f.text[f.offset(n.Pos()):f.offset(n.End())])
}

func (f *finder) offset(p token.Pos) int { return f.files.Position(p).Offset }

// longest is the most characters that a change shows of a text.
const longest = 90

// short returns a text in one line, cut if it is long.
func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > longest {
		return string(r[:longest]) + "…"
	}
	return s
}

// few is the most characters of a text that is shown with its line, since it says little by itself.
const few = 6

// add takes a mutant in which a node has another text.
func (f *finder) add(n ast.Node, text string) {
	before, after := "", ""
	if len(f.source(n)) <= few {
		before, after = f.around(n)
	}
	f.replace(n.Pos(), n.End(), text, short(before+f.source(n)+after)+" → "+short(before+text+after))
}

// around returns the text of a node's line before and after it.
func (f *finder) around(n ast.Node) (before, after string) {
	before, after = string(f.text[:f.offset(n.Pos())]), string(f.text[f.offset(n.End()):])
	after, _, _ = strings.Cut(after, "\n")
	return before[strings.LastIndexByte(before, '\n')+1:], after
}

// drop takes a mutant in which a statement is missing.
func (f *finder) drop(n ast.Stmt) {
	f.replace(n.Pos(), n.End(), "{}", short(f.source(n))+" → (dropped)")
}

// operator takes a mutant in which the operator at a place within n is another.
func (f *finder) operator(n ast.Node, at token.Pos, from, to token.Token) {
	begin := f.offset(at) - f.offset(n.Pos())
	old := f.source(n)
	changed := old[:begin] + to.String() + old[begin+len(from.String()):]
	f.replace(n.Pos(), n.End(), changed, short(old)+" → "+short(changed))
}

// replace takes a mutant.
func (f *finder) replace(begin, end token.Pos, text, change string) {
	b := append([]byte{}, f.text[:f.offset(begin)]...)
	b = append(b, text...)
	b = append(b, f.text[f.offset(end):]...)
	f.found = append(f.found, &mutant{
		pkg: f.pkg, file: f.file, function: f.function, change: change, at: f.files.Position(begin), text: b,
	})
}
