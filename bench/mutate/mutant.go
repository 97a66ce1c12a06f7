package main

import (
	"fmt"
	"go/ast"
	"go/token"
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

// finder finds the mutants of a file.
type finder struct {
	pkg, file string
	files     *token.FileSet
	text      []byte
	function  string
	found     []*mutant
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
