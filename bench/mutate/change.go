package main

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// others are the operators that take the place of one.
var others = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL}, token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL},
	token.REM: {token.MUL},
	token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.OR}, token.SHL: {token.SHR}, token.SHR: {token.SHL},

	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN},
	token.MUL_ASSIGN: {token.QUO_ASSIGN}, token.QUO_ASSIGN: {token.MUL_ASSIGN},
	token.AND_ASSIGN: {token.OR_ASSIGN}, token.OR_ASSIGN: {token.AND_ASSIGN},
}

// statement finds the mutants of a statement itself.
func (f *finder) statement(n ast.Stmt) {
	switch n := n.(type) {
	case *ast.IfStmt:
		f.condition(n.Cond)
	case *ast.SwitchStmt:
		if n.Tag == nil {
			f.cases(n)
		}
	case *ast.RangeStmt:
		if n.Value == nil {
			f.add(n.X, f.source(n.X)+" - 1") // does not compile where it is no number
		}
	case *ast.AssignStmt:
		for _, to := range others[n.Tok] {
			f.operator(n, n.TokPos, n.Tok, to)
		}
		if n.Tok != token.DEFINE {
			f.drop(n)
		}
	case *ast.IncDecStmt:
		f.drop(n)
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); !ok || !words(call) {
			f.drop(n)
		}
	case *ast.BranchStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt:
		f.drop(n)
	}
}

// condition finds the mutants of a condition as a whole. A comparison is turned by its operator.
func (f *finder) condition(n ast.Expr) {
	text := f.source(n)
	f.add(n, "("+text+") || true")
	f.add(n, "("+text+") && false")
	if b, ok := n.(*ast.BinaryExpr); !ok || b.Op == token.LAND || b.Op == token.LOR {
		f.add(n, "!("+text+")")
	}
}

// cases finds the mutants of conditions in a switch.
func (f *finder) cases(n *ast.SwitchStmt) {
	for _, c := range n.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			f.add(e, "("+f.source(e)+") && false")
			f.add(e, "!("+f.source(e)+")")
		}
	}
}

// expression finds the mutants of an expression itself.
func (f *finder) expression(n ast.Expr) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		for _, to := range others[n.Op] {
			f.operator(n, n.OpPos, n.Op, to)
		}
	case *ast.SliceExpr:
		if n.Low != nil {
			f.add(n.Low, f.source(n.Low)+" + 1")
		}
		if n.High != nil {
			f.add(n.High, f.source(n.High)+" - 1")
		}
	case *ast.BasicLit:
		f.number(n)
	case *ast.Ident:
		switch n.Name {
		case "true":
			f.add(n, "false")
		case "false":
			f.add(n, "true")
		}
	}
}

// number finds the mutants of a number.
func (f *finder) number(n *ast.BasicLit) {
	switch n.Kind {
	case token.INT:
		x, err := strconv.ParseInt(strings.ReplaceAll(n.Value, "_", ""), 0, 62)
		if err != nil {
			return
		}
		f.add(n, strconv.FormatInt(x+1, 10))
		if x > 0 {
			f.add(n, strconv.FormatInt(x-1, 10))
		}
	case token.FLOAT:
		f.add(n, "(1+"+n.Value+")")
		if x, err := strconv.ParseFloat(n.Value, 64); err == nil && x != 0 {
			f.add(n, "(2*"+n.Value+")")
		}
	}
}

// returned finds the mutant in which an error is lost on its way to the caller.
func (f *finder) returned(n *ast.ReturnStmt, function *ast.FuncType) {
	if function == nil || function.Results == nil || len(n.Results) == 0 {
		return
	}
	results := function.Results.List
	last, ok := results[len(results)-1].Type.(*ast.Ident)
	value := n.Results[len(n.Results)-1]
	if name, isName := value.(*ast.Ident); !ok || last.Name != "error" || isName && name.Name == "nil" {
		return
	}
	if len(n.Results) == 1 && function.Results.NumFields() > 1 {
		return // one call returns everything
	}
	f.replace(value.Pos(), value.End(), "func(error) error { return nil }("+f.source(value)+")",
		short(f.source(n))+" → error lost")
}
