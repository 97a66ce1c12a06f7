package main

import (
	"encoding/binary"
	"fmt"
	"go/types"
	"path/filepath"
	"strings"
)

// mostStack is the most stack that a kernel may use. A function of Go that looks at its stack's limit when it begins,
// as those with a frame do, leaves 800 bytes for functions that do not look.
const mostStack = 512

// assembly compiles the kernels of a package for a target, and writes them in Go's assembly.
func assembly(d *declared, sources []string, t target) ([]byte, error) {
	all := map[string]*compiled{}
	for _, source := range sources {
		functions, err := compile(source, d.header, t)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(source), err)
		}
		for name, c := range functions {
			all[name] = c
		}
	}
	var b strings.Builder
	b.WriteString("//go:build !noasm\n\n#include \"textflag.h\"\n")
	for _, f := range d.functions {
		c, ok := all[f.name]
		if !ok {
			return nil, fmt.Errorf("neither the C files nor assembly written by hand have %s%s", f.name, t.suffix)
		}
		if err := emit(&b, f, c, t); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return []byte(b.String()), nil
}

// emit writes one function: it loads its arguments into the registers where C expects them, runs the code, and stores
// the result.
func emit(b *strings.Builder, f function, c *compiled, t target) error {
	if c.stack > mostStack {
		return fmt.Errorf("it uses %d bytes of stack, of at most %d", c.stack, mostStack)
	}
	args, err := arguments(f.sig, t)
	if err != nil {
		return err
	}
	flags := "NOSPLIT, $0"
	if c.stack > 0 {
		flags = "0, $144" // large enough for Go to look at the stack's limit
	}
	fmt.Fprintf(b, "\n// %s\nTEXT ·%s%s(SB), %s-%d\n", f.text, f.name, t.suffix, flags, args.size)
	for _, load := range args.loads {
		fmt.Fprintf(b, "\t%s\n", load)
	}
	if len(c.constants) > 0 {
		fmt.Fprintf(b, "\tJMP code\n\tPCALIGN $%d\n", alignment)
		for i := 0; i < len(c.constants); i += 16 {
			b.WriteString("\t" + words(c.constants[i:i+16], t) + "\n")
		}
		b.WriteString("\ncode:\n")
	} else if t.arch == "amd64" {
		fmt.Fprintf(b, "\tPCALIGN $%d\n", 32)
	}
	for _, in := range c.code {
		fmt.Fprintf(b, "\t%s // %s\n", words(in.bytes, t), in.text)
	}
	if args.store != "" {
		fmt.Fprintf(b, "\t%s\n", args.store)
	}
	b.WriteString("\tRET\n")
	return nil
}

// words writes bytes as directives of Go's assembler.
func words(bytes []byte, t target) string {
	var list []string
	for len(bytes) >= 4 {
		name := "LONG"
		if t.arch == "arm64" {
			name = "WORD"
		}
		list = append(list, fmt.Sprintf("%s $0x%08x", name, binary.LittleEndian.Uint32(bytes)))
		bytes = bytes[4:]
	}
	if len(bytes) >= 2 {
		list = append(list, fmt.Sprintf("WORD $0x%04x", binary.LittleEndian.Uint16(bytes)))
		bytes = bytes[2:]
	}
	for _, one := range bytes {
		list = append(list, fmt.Sprintf("BYTE $0x%02x", one))
	}
	return strings.Join(list, "; ")
}

// loaded is how a function's arguments and result go between Go's stack and C's registers.
type loaded struct {
	loads []string
	store string
	size  int64 // of arguments and results
}

var (
	integerRegisters = map[string][]string{
		"arm64": {"R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7"},
		"amd64": {"DI", "SI", "DX", "CX", "R8", "R9"},
	}
	floatRegister = map[string]string{"arm64": "F", "amd64": "X"}
)

// arguments finds out where the arguments of a function are.
func arguments(sig *types.Signature, t target) (loaded, error) {
	sizes := types.SizesFor("gc", t.arch)
	params, at := place(sig.Params(), 0, sizes)
	integers := integerRegisters[t.arch]
	floats := 0
	var l loaded
	for i, offset := range params {
		p := sig.Params().At(i)
		from := fmt.Sprintf("%s+%d(FP)", p.Name(), offset)
		if isFloat(p.Type()) {
			l.loads = append(l.loads, fmt.Sprintf("%s %s, %s%d", move(p.Type(), t), from, floatRegister[t.arch], floats))
			floats++
			continue
		}
		if len(integers) == 0 {
			return l, fmt.Errorf("more than %d whole numbers and pointers: give a structure",
				len(integerRegisters[t.arch]))
		}
		l.loads = append(l.loads, fmt.Sprintf("%s %s, %s", move(p.Type(), t), from, integers[0]))
		integers = integers[1:]
	}
	if sig.Results().Len() > 0 {
		at = (at + 7) &^ 7
	}
	results, end := place(sig.Results(), at, sizes)
	l.size = end
	if len(results) == 1 {
		r := sig.Results().At(0)
		name := r.Name()
		if name == "" {
			name = "ret"
		}
		from := map[string]string{"arm64": "R0", "amd64": "AX"}[t.arch]
		if isFloat(r.Type()) {
			from = floatRegister[t.arch] + "0"
		}
		l.store = fmt.Sprintf("%s %s, %s+%d(FP)", store(r.Type(), t), from, name, at)
	}
	return l, nil
}

// place returns the offsets of variables from Go's frame pointer, and where they end.
func place(vars *types.Tuple, at int64, sizes types.Sizes) (offsets []int64, end int64) {
	for v := range vars.Variables() {
		align := sizes.Alignof(v.Type())
		at = (at + align - 1) / align * align
		offsets = append(offsets, at)
		at += sizes.Sizeof(v.Type())
	}
	return offsets, at
}

func isFloat(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}

// moves are the instructions that load a value of a kind, and extend it to a register.
var moves = map[string]map[types.BasicKind]string{
	"arm64": {
		types.Float32: "FMOVS", types.Float64: "FMOVD", types.Int32: "MOVW", types.Uint32: "MOVWU",
		types.Int16: "MOVH", types.Uint16: "MOVHU", types.Int8: "MOVB", types.Uint8: "MOVBU", types.Bool: "MOVBU",
	},
	"amd64": {
		types.Float32: "MOVSS", types.Float64: "MOVSD", types.Int32: "MOVLQSX", types.Uint32: "MOVL",
		types.Int16: "MOVWLSX", types.Uint16: "MOVWLZX", types.Int8: "MOVBLSX", types.Uint8: "MOVBLZX",
		types.Bool: "MOVBLZX",
	},
}

func move(t types.Type, to target) string {
	if b, ok := t.Underlying().(*types.Basic); ok {
		if name, ok := moves[to.arch][b.Kind()]; ok {
			return name
		}
	}
	return map[string]string{"arm64": "MOVD", "amd64": "MOVQ"}[to.arch]
}

// store is the instruction that stores a result.
func store(t types.Type, to target) string {
	name := move(t, to)
	switch {
	case to.arch == "arm64":
		return strings.TrimSuffix(name, "U")
	case strings.HasPrefix(name, "MOVB"):
		return "MOVB"
	case strings.HasPrefix(name, "MOVW"):
		return "MOVW"
	case name == "MOVLQSX":
		return "MOVL"
	}
	return name
}
