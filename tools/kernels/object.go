package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// compiled is the machine code of one function: constants, then instructions. Addresses in it are relative, so it runs
// wherever it lies on a boundary of 64 bytes.
type compiled struct {
	constants []byte
	code      []instruction
	stack     int // bytes
}

// instruction is one instruction, as bytes and as text.
type instruction struct {
	bytes []byte
	text  string
}

const alignment = 64 // of constants: a register of AVX-512

var (
	returns    = regexp.MustCompile(`^\tretq?\s*$`)
	beginning  = regexp.MustCompile(`^(\w+):`)
	statement  = regexp.MustCompile(`^\t[a-z]`)
	block      = regexp.MustCompile(`^\.L(BB\d+_\d+):`)
	local      = regexp.MustCompile(`\.LBB`)
	blanks     = regexp.MustCompile(`\s+`)
	stackUsage = regexp.MustCompile(`:(\w+)\t(\d+)\t(\w+)`)
)

// compile compiles a C file, and returns its functions by name.
func compile(source, header string, t target) (map[string]*compiled, error) {
	text, stacks, err := listingOf(source, header, t)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "kernels")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	listing, object := filepath.Join(dir, "kernel.s"), filepath.Join(dir, "kernel.o")
	marked, texts := mark(string(text), t)
	if err := os.WriteFile(listing, []byte(marked), 0o644); err != nil {
		return nil, err
	}
	if err := clang(t.flags[0], t.flags[1], "-c", "-o", object, listing); err != nil {
		return nil, err
	}
	return link(object, texts, stacks)
}

// listingOf compiles a C file to the compiler's assembly, and returns how much stack each function uses.
func listingOf(source, header string, t target) (text []byte, stacks map[string]int, err error) {
	dir, err := os.MkdirTemp("", "kernels")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	for name, content := range map[string]string{"go.h": header, "vector.h": vectors} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			return nil, nil, err
		}
	}
	listing := filepath.Join(dir, "kernel.s")
	flags := append(append([]string{}, common...), t.flags...)
	if err := clang(append(flags, "-I"+dir, "-fstack-usage", "-S", "-o", listing, source)...); err != nil {
		return nil, nil, err
	}
	if stacks, err = readStacks(filepath.Join(dir, "kernel.su")); err != nil {
		return nil, nil, err
	}
	text, err = os.ReadFile(listing)
	return text, stacks, err
}

// compilerVersion is the version of the compiler: another one may write other, equally right, instructions.
func compilerVersion() (string, error) {
	out, err := exec.Command("clang-19", "-dumpversion").Output()
	if err != nil {
		return "", fmt.Errorf("clang-19 is needed (Debian's package clang-19): %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

func clang(args ...string) error {
	out, err := exec.Command("clang-19", args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("clang-19: %w\n%s", err, bytes.TrimSpace(out))
	}
	return nil
}

// readStacks reads how many bytes of stack each function uses.
func readStacks(path string) (map[string]int, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	stacks := map[string]int{}
	for _, m := range stackUsage.FindAllStringSubmatch(string(data), -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil {
			return nil, err
		}
		if m[3] != "static" {
			return nil, fmt.Errorf("%s: the size of its stack is not known", m[1])
		}
		stacks[m[1]] = n
	}
	return stacks, nil
}

// mark puts a label before every instruction of a listing, so that its place is known when it has been assembled, and
// makes functions end by a jump to their last byte, where Go's own return follows. It returns the texts by label.
func mark(listing string, t target) (string, map[string]string) {
	jump, comment := "jmp", "#"
	if t.arch == "arm64" {
		jump, comment = "b", "//"
	}
	texts := map[string]string{}
	var b strings.Builder
	name, inText, to := "", false, "" // to is the label of the next instruction
	lines := strings.Split(listing, "\n")
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "\t.section"), strings.HasPrefix(line, "\t.text"):
			inText = strings.Contains(line, ".text")
		case inText && strings.HasPrefix(line, ".Lfunc_end"):
			fmt.Fprintf(&b, "end.%s:\n", name)
		case inText && block.MatchString(line):
			to = block.FindStringSubmatch(line)[1] + ": "
		case inText && beginning.MatchString(line):
			name, to = beginning.FindStringSubmatch(line)[1], ""
		case inText && statement.MatchString(line):
			label := fmt.Sprintf("at.%d", i)
			if returns.MatchString(line) {
				line = "\t" + jump + "\tend." + name
				if next := following(lines[i+1:]); strings.HasPrefix(next, ".Lfunc_end") {
					line = "" // nothing lies between
				}
			}
			if line != "" {
				line, _, _ = strings.Cut(line, comment)
				texts[label] = to + local.ReplaceAllString(blanks.ReplaceAllString(strings.TrimSpace(line), " "), "BB")
				to = ""
				fmt.Fprintf(&b, "%s:\n", label)
			}
		}
		b.WriteString(line + "\n")
	}
	return b.String(), texts
}

// following is the first line that is not empty.
func following(lines []string) string {
	for _, line := range lines {
		if line != "" {
			return line
		}
	}
	return ""
}

// link takes functions out of an object file, each with the constants that it uses.
func link(path string, texts map[string]string, stacks map[string]int) (map[string]*compiled, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	functions := map[string]*compiled{}
	for i, section := range f.Sections {
		name, ok := strings.CutPrefix(section.Name, ".text.")
		if !ok || section.Type != elf.SHT_PROGBITS {
			continue
		}
		c, err := linkOne(f, i, symbols, texts)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		c.stack = stacks[name]
		functions[name] = c
	}
	return functions, nil
}

// linkOne takes the function of one section.
func linkOne(f *elf.File, number int, symbols []elf.Symbol, texts map[string]string) (*compiled, error) {
	section := f.Sections[number]
	code, err := section.Data()
	if err != nil {
		return nil, err
	}
	c := &compiled{}
	relocations, err := relocationsOf(f, number)
	if err != nil {
		return nil, err
	}
	placed := map[elf.SectionIndex]int{} // where a section's data lie among the constants
	for _, r := range relocations {
		symbol := symbols[r.symbol-1]
		if symbol.Section == elf.SHN_UNDEF || strings.HasPrefix(f.Sections[symbol.Section].Name, ".text") {
			return nil, fmt.Errorf("it calls %q; a kernel may not call anything", symbol.Name)
		}
		if _, ok := placed[symbol.Section]; !ok {
			data, err := f.Sections[symbol.Section].Data()
			if err != nil {
				return nil, err
			}
			if align := int(f.Sections[symbol.Section].Addralign); align > alignment {
				return nil, fmt.Errorf("constants on a boundary of %d bytes", align)
			}
			c.constants = padded(c.constants)
			placed[symbol.Section] = len(c.constants)
			c.constants = append(c.constants, data...)
		}
	}
	c.constants = padded(c.constants)
	for _, r := range relocations {
		symbol := symbols[r.symbol-1]
		// From the place of the relocation, which lies behind the constants.
		distance := int64(placed[symbol.Section]) + int64(symbol.Value) + r.addend - int64(len(c.constants)) - int64(r.offset)
		if err := patch(f.Machine, code[r.offset:], r.kind, distance); err != nil {
			return nil, err
		}
	}
	c.code, err = cut(code, number, symbols, texts)
	return c, err
}

func padded(b []byte) []byte {
	for len(b)%alignment != 0 {
		b = append(b, 0)
	}
	return b
}

// relocation is a place in the code that has the address of something.
type relocation struct {
	offset uint64
	symbol uint32
	kind   uint32
	addend int64
}

// relocationsOf reads the relocations of a section.
func relocationsOf(f *elf.File, number int) ([]relocation, error) {
	var all []relocation
	for _, s := range f.Sections {
		if s.Type != elf.SHT_RELA || int(s.Info) != number {
			continue
		}
		data, err := s.Data()
		if err != nil {
			return nil, err
		}
		for ; len(data) >= 24; data = data[24:] {
			info := binary.LittleEndian.Uint64(data[8:])
			all = append(all, relocation{
				offset: binary.LittleEndian.Uint64(data), symbol: uint32(info >> 32), kind: uint32(info),
				addend: int64(binary.LittleEndian.Uint64(data[16:])),
			})
		}
	}
	return all, nil
}

// patch writes a distance into an instruction.
func patch(machine elf.Machine, code []byte, kind uint32, distance int64) error {
	word := binary.LittleEndian.Uint32(code)
	switch {
	case machine == elf.EM_X86_64 && elf.R_X86_64(kind) == elf.R_X86_64_PC32:
		word = uint32(int32(distance))
	case machine == elf.EM_AARCH64 && elf.R_AARCH64(kind) == elf.R_AARCH64_ADR_PREL_LO21:
		word |= uint32(distance&3)<<29 | uint32(distance>>2&(1<<19-1))<<5
	case machine == elf.EM_AARCH64 && elf.R_AARCH64(kind) == elf.R_AARCH64_LD_PREL_LO19:
		word |= uint32(distance>>2&(1<<19-1)) << 5
	default:
		return fmt.Errorf("relocation %d of %s is not known here", kind, machine)
	}
	binary.LittleEndian.PutUint32(code, word)
	return nil
}

// cut cuts the code of a section into its instructions. What lies between them, to align loops, stays.
func cut(code []byte, number int, symbols []elf.Symbol, texts map[string]string) ([]instruction, error) {
	at := make([]string, len(code)+1)
	for _, s := range symbols {
		if int(s.Section) == number && texts[s.Name] != "" {
			at[s.Value] = texts[s.Name]
		}
	}
	var list []instruction
	for i, b := range code {
		if at[i] != "" || i == 0 {
			list = append(list, instruction{text: at[i]})
		}
		last := &list[len(list)-1]
		last.bytes = append(last.bytes, b)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("it has no instructions")
	}
	return list, nil
}
