// Package processors checks the promise that a run gives the same bytes on every processor. Its tests build the program
// for others than this one, run it in an emulator (qemu-user), and compare every file and every line that it writes
// with what the program gives here. They also read the machine code: a product that is rounded together with the
// sum it goes into is the one way in which compilers make results differ.
//
// TOPOI_PROCESSORS names the processors, separated by commas: arm64, ppc64le, riscv64 or s390x. Without it the tests of
// other processors are skipped. TOPOI_REQUIRE_QEMU=1 makes a missing emulator a failure.
package processors

import (
	"cmp"
	"debug/elf"
	"debug/gosym"
	"encoding/binary"
	"fmt"
	"slices"
)

// Fused is an instruction that multiplies and adds with one rounding.
type Fused struct {
	File     string // of the source
	Line     int
	Function string
}

func (a Fused) compare(b Fused) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Function, b.Function))
}

// FindFused returns the fused instructions in the functions of a program for Linux that own picks by their names,
// in the order of their places in the sources, each line once.
func FindFused(program string, own func(function string) bool) ([]Fused, error) {
	f, err := elf.Open(program)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	next, ok := decoders[f.Machine]
	if !ok {
		return nil, fmt.Errorf("%s: no list of the instructions of %v", program, f.Machine)
	}
	text, lines := f.Section(".text"), f.Section(".gopclntab")
	if text == nil || lines == nil {
		return nil, fmt.Errorf("%s: it has no code or no table of its lines", program)
	}
	code, err := text.Data()
	if err != nil {
		return nil, err
	}
	places, err := lines.Data()
	if err != nil {
		return nil, err
	}
	table, err := gosym.NewTable(nil, gosym.NewLineTable(places, text.Addr))
	if err != nil {
		return nil, err
	}
	found := map[Fused]bool{}
	for _, function := range table.Funcs {
		if !own(function.Name) {
			continue
		}
		begin, end := function.Entry-text.Addr, min(function.End-text.Addr, uint64(len(code)))
		for at := begin; at+4 <= end; {
			size, fused := next(f.ByteOrder, code[at:end])
			if fused {
				file, line, _ := table.PCToLine(text.Addr + at)
				found[Fused{file, line, function.Name}] = true
			}
			at += size
		}
	}
	var list []Fused
	for place := range found {
		list = append(list, place)
	}
	slices.SortFunc(list, Fused.compare)
	return list, nil
}

// decoders look at the instruction at the beginning of code: how long it is, and whether it multiplies and adds
// floating-point numbers with one rounding.
var decoders = map[elf.Machine]func(order binary.ByteOrder, code []byte) (size uint64, fused bool){
	elf.EM_AARCH64: func(order binary.ByteOrder, code []byte) (uint64, bool) {
		return 4, order.Uint32(code)>>24 == 0x1f // floating-point data-processing with three sources
	},
	elf.EM_PPC64: func(order binary.ByteOrder, code []byte) (uint64, bool) {
		word := order.Uint32(code)
		primary, form := word>>26, word>>1&31
		return 4, (primary == 59 || primary == 63) && 28 <= form && form <= 31 // fmsub, fmadd, fnmsub, fnmadd
	},
	elf.EM_RISCV: func(order binary.ByteOrder, code []byte) (uint64, bool) {
		word := order.Uint32(code)
		if word&3 != 3 {
			return 2, false // a compressed instruction
		}
		return 4, word&0x73 == 0x43 // fmadd, fmsub, fnmsub, fnmadd: opcodes 0x43, 0x47, 0x4b, 0x4f
	},
	elf.EM_S390: func(order binary.ByteOrder, code []byte) (uint64, bool) {
		switch word := order.Uint32(code); {
		case word>>30 == 0:
			return 2, false
		case word>>30 < 3:
			operation := word >> 16
			return 4, operation == 0xb30e || operation == 0xb30f || operation == 0xb31e || operation == 0xb31f // ma[ed]br, ms[ed]br
		}
		return 6, false // what there is with memory as an operand, the compiler does not use
	},
}
