package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// function is a function that Go declares without a body.
type function struct {
	name string // in C
	text string // in Go, without its body
	sig  *types.Signature
}

// declared is what C sees of a Go package.
type declared struct {
	functions []function
	header    string // go.h
}

// declarations reads the Go package of a folder, as it is for a target and C files.
func declarations(dir string, sources []string, t target) (*declared, error) {
	words, err := wordsOf(sources)
	if err != nil {
		return nil, err
	}
	l, err := newLoader(dir, t)
	if err != nil {
		return nil, err
	}
	pkg, parsed, listed, err := l.load(dir)
	if err != nil {
		return nil, err
	}
	byHand, err := written(dir, listed.SFiles)
	if err != nil {
		return nil, err
	}
	h := header{sizes: l.config.Sizes, done: map[string]bool{}}
	h.constants(pkg.Scope(), words)
	d := &declared{}
	for _, f := range parsed {
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body != nil || !strings.HasSuffix(fn.Name.Name, t.suffix) || byHand[fn.Name.Name] {
				continue
			}
			sig := pkg.Scope().Lookup(fn.Name.Name).Type().(*types.Signature)
			name := strings.TrimSuffix(fn.Name.Name, t.suffix)
			if err := h.prototype(name, sig); err != nil {
				return nil, fmt.Errorf("%s: %w", fn.Name.Name, err)
			}
			text := "func " + fn.Name.Name + strings.TrimPrefix(types.TypeString(sig, types.RelativeTo(pkg)), "func")
			d.functions = append(d.functions, function{name: name, text: text, sig: sig})
		}
	}
	slices.SortFunc(d.functions, func(a, b function) int { return strings.Compare(a.name, b.name) })
	d.header = "#include <stddef.h>\n#include <stdint.h>\n\n" + h.b.String()
	return d, nil
}

var word = regexp.MustCompile(`\w+`)

// wordsOf lists the words in files.
func wordsOf(sources []string) (map[string]bool, error) {
	words := map[string]bool{}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			return nil, err
		}
		for _, w := range word.FindAllString(string(text), -1) {
			words[w] = true
		}
	}
	return words, nil
}

// written lists the functions that assembly written by hand has.
func written(dir string, names []string) (map[string]bool, error) {
	text := regexp.MustCompile(`(?m)^TEXT ·(\w+)\(SB\)`)
	found := map[string]bool{}
	for _, name := range names {
		if strings.HasPrefix(name, "kernels_") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		for _, m := range text.FindAllSubmatch(data, -1) {
			found[string(m[1])] = true
		}
	}
	return found, nil
}

// header writes C declarations of Go types.
type header struct {
	b     strings.Builder
	sizes types.Sizes
	done  map[string]bool // types that have been declared
}

// constants declares the package's numeric constants that are named in the C files. A local variable of the same name
// hides them.
func (h *header) constants(scope *types.Scope, words map[string]bool) {
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !words[name] {
			continue
		}
		switch basic := c.Type().Underlying().(*types.Basic); {
		case basic.Info()&types.IsInteger != 0:
			if n, exact := constant.Int64Val(c.Val()); exact && int64(int32(n)) == n {
				fmt.Fprintf(&h.b, "enum { %s = %d };\n", name, n)
			} else if n, exact := constant.Uint64Val(c.Val()); exact && n <= math.MaxUint32 {
				fmt.Fprintf(&h.b, "static const uint32_t %s = %dU;\n", name, n)
			}
		case basic.Info()&types.IsFloat != 0:
			x, _ := constant.Float32Val(c.Val())
			fmt.Fprintf(&h.b, "static const float %s = %xf;\n", name, x)
		}
	}
	h.b.WriteString("\n")
}

// prototype declares a function.
func (h *header) prototype(name string, sig *types.Signature) error {
	result := "void"
	if n := sig.Results().Len(); n > 1 {
		return fmt.Errorf("it returns %d values; a kernel returns one, and the others by a pointer", n)
	} else if n == 1 {
		var err error
		if result, err = h.typeName(sig.Results().At(0).Type()); err != nil {
			return err
		}
	}
	var params []string
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		kind, err := h.typeName(p.Type())
		if err != nil {
			return err
		}
		params = append(params, kind+" "+p.Name())
	}
	fmt.Fprintf(&h.b, "%s %s(%s);\n\n", result, name, strings.Join(params, ", "))
	return nil
}

// typeName is a type in C. It declares structures before they are needed.
func (h *header) typeName(t types.Type) (string, error) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if name, ok := basicTypes[u.Kind()]; ok {
			return name, nil
		}
	case *types.Pointer:
		elem := u.Elem()
		if a, ok := elem.Underlying().(*types.Array); ok {
			elem = a.Elem() // to the first element
		}
		name, err := h.typeName(elem)
		return name + " *", err
	case *types.Slice:
		return h.slice(u)
	case *types.Struct:
		if named, ok := t.(*types.Named); ok {
			return h.structure(named.Obj().Name(), u)
		}
	}
	return "", fmt.Errorf("a kernel cannot take %s", t)
}

var basicTypes = map[types.BasicKind]string{
	types.Int: "int64_t", types.Int8: "int8_t", types.Int16: "int16_t", types.Int32: "int32_t", types.Int64: "int64_t",
	types.Uint: "uint64_t", types.Uint8: "uint8_t", types.Uint16: "uint16_t", types.Uint32: "uint32_t",
	types.Uint64: "uint64_t", types.Uintptr: "uint64_t", types.Float32: "float", types.Float64: "double",
	types.Bool: "uint8_t", types.UnsafePointer: "void *",
}

// slice declares a slice: at, len and cap.
func (h *header) slice(s *types.Slice) (string, error) {
	elem, err := h.typeName(s.Elem())
	if err != nil {
		return "", err
	}
	name := "slice_" + strings.NewReplacer(" ", "_", "*", "p").Replace(elem)
	if !h.done[name] {
		h.done[name] = true
		fmt.Fprintf(&h.b, "typedef struct {\n\t%s *at;\n\tint64_t len, cap;\n} %s;\n\n", elem, name)
	}
	return name, nil
}

// structure declares a structure, and that C lays it out as Go does.
func (h *header) structure(name string, s *types.Struct) (string, error) {
	if h.done[name] {
		return name, nil
	}
	h.done[name] = true
	var fields []*types.Var
	var text strings.Builder
	for i := range s.NumFields() {
		f := s.Field(i)
		kind, count := f.Type(), ""
		for {
			a, ok := kind.Underlying().(*types.Array)
			if !ok {
				break
			}
			kind, count = a.Elem(), fmt.Sprintf("%s[%d]", count, a.Len())
		}
		elem, err := h.typeName(kind)
		if err != nil {
			return "", fmt.Errorf("field %s of %s: %w", f.Name(), name, err)
		}
		fmt.Fprintf(&text, "\t%s %s%s;\n", elem, f.Name(), count)
		fields = append(fields, f)
	}
	fmt.Fprintf(&h.b, "typedef struct {\n%s} %s;\n\n", text.String(), name)
	for i, at := range h.sizes.Offsetsof(fields) {
		fmt.Fprintf(&h.b, "_Static_assert(offsetof(%s, %s) == %d, \"\");\n", name, fields[i].Name(), at)
	}
	fmt.Fprintf(&h.b, "_Static_assert(sizeof(%s) == %d, \"\");\n\n", name, h.sizes.Sizeof(s))
	return name, nil
}
