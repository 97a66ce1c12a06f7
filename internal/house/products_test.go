package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// inexact are functions of package math that are not the same on every machine: some are assembly on some, and their
// Go is compiled with fused products on others. Package portable has those that are needed here.
var inexact = strings.Fields(`Acos Acosh Asin Asinh Atan Atan2 Atanh Cbrt Cos Cosh Erf Erfc Erfcinv Erfinv Exp Exp2 Expm1 Gamma
	Hypot J0 J1 Jn Lgamma Log Log10 Log1p Log2 Pow Sin Sincos Sinh Tan Tanh Y0 Y1 Yn`)

// Results are the same on every processor. Compilers for most of them, but not for amd64, turn x*y + z into one
// instruction that rounds once, also across statements, unless the product is converted. So a product of floats is
// converted wherever it meets a sum, and functions of math whose last bits differ are not used. What only the machine
// code shows is found by the tests of internal/processors.
func TestProductsAreRounded(t *testing.T) {
	goToRoot(t)
	config := &packages.Config{Mode: packages.LoadSyntax}
	all, err := packages.Load(config, "./...")
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for _, p := range all {
		if len(p.Errors) > 0 {
			t.Fatal(p.Errors[0])
		}
		for _, file := range p.Syntax {
			files++
			for _, fault := range roundingFaults(p.PkgPath, file, p.TypesInfo) {
				t.Errorf("%s: %s", p.Fset.Position(fault.at), fault.text)
			}
		}
	}
	if files < 500 {
		t.Errorf("only %d files were looked at", files)
	}
}

type roundingFault struct {
	at   token.Pos
	text string
}

// roundingFaults lists what a file does that gives other bits on other machines.
func roundingFaults(pkg string, file *ast.File, info *types.Info) (faults []roundingFault) {
	product := func(e ast.Expr) {
		if b, ok := core(e).(*ast.BinaryExpr); ok && b.Op == token.MUL && info.Types[b].Value == nil {
			text := fmt.Sprintf("this product meets a sum: write %v(…) around it, so that every machine rounds it", info.Types[b].Type)
			faults = append(faults, roundingFault{b.Pos(), text})
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if (n.Op == token.ADD || n.Op == token.SUB) && isFloat(info.Types[n].Type) && info.Types[n].Value == nil {
				product(n.X)
				product(n.Y)
			}
		case *ast.AssignStmt:
			if (n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN) && isFloat(info.Types[n.Rhs[0]].Type) {
				product(n.Rhs[0])
			}
		case *ast.SelectorExpr:
			name, ok := n.X.(*ast.Ident)
			if !ok {
				break
			}
			of, ok := info.Uses[name].(*types.PkgName)
			if ok && of.Imported().Path() == "math" && slices.Contains(inexact, n.Sel.Name) && !strings.HasSuffix(pkg, "/samplertest") {
				faults = append(faults, roundingFault{n.Pos(), "math." + n.Sel.Name + " has other last bits on other machines: use internal/portable"})
			}
		}
		return true
	})
	return faults
}

// core is an expression without its parentheses and signs.
func core(e ast.Expr) ast.Expr {
	for {
		switch inner := e.(type) {
		case *ast.ParenExpr:
			e = inner.X
		case *ast.UnaryExpr:
			if inner.Op != token.SUB && inner.Op != token.ADD {
				return e
			}
			e = inner.X
		default:
			return e
		}
	}
}

// isFloat reports whether values of a type are rounded, also if it is a type parameter that may stand for such.
func isFloat(t types.Type) bool {
	if t == nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsFloat|types.IsComplex) != 0
	case *types.Interface:
		if _, ok := t.(*types.TypeParam); !ok {
			return false
		}
		for i := range u.NumEmbeddeds() {
			union, ok := u.EmbeddedType(i).(*types.Union)
			for j := 0; ok && j < union.Len(); j++ {
				if isFloat(union.Term(j).Type()) {
					return true
				}
			}
		}
	}
	return false
}

// The rule finds what it is for, and leaves alone what is right.
func TestProductsAreFound(t *testing.T) {
	const source = `package p

import "math"

type number interface{ ~float32 | ~float64 }

func wrong[F number](a, b, c float64, f F) {
	_ = a*b + c           // 1
	_ = c - (a * b)       // 2
	_ = -(a * b) + c      // 3
	a += b * c            // 4
	a -= b / c * a        // 5
	_ = f*f + f           // 6
	_ = math.Log(a)       // 7
	_ = a*b - float64(a*c) // 8
}

func right(a, b, c float64, i, j int) {
	_ = float64(a*b) + c
	_ = i*j + i
	_ = 2*3.5 + a
	_ = a*b/c + a
	_ = math.Sqrt(a)
	a += float64(b * c)
	_ = a * b * (b + c)
}
`
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	mathematics := types.NewPackage("math", "math")
	result := types.NewTuple(types.NewVar(0, nil, "", types.Typ[types.Float64]))
	for _, name := range []string{"Log", "Sqrt"} {
		signature := types.NewSignatureType(nil, nil, nil, result, result, false)
		mathematics.Scope().Insert(types.NewFunc(0, mathematics, name, signature))
	}
	mathematics.MarkComplete()
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importOne{mathematics}}
	if _, err := config.Check("p", files, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	var lines []int
	for _, fault := range roundingFaults("p", file, info) {
		lines = append(lines, files.Position(fault.at).Line-7)
	}
	if want := []int{1, 2, 3, 4, 5, 6, 7, 8}; !slices.Equal(lines, want) {
		t.Errorf("faults are found in lines %v, want %v", lines, want)
	}
}

// importOne imports a single package.
type importOne struct{ *types.Package }

func (i importOne) Import(string) (*types.Package, error) { return i.Package, nil }
