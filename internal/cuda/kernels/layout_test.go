package kernels

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// layoutFile is where makeLayout's belongs in the kernels' directory.
const layoutFile = "layout/generated.go"

// shared lists the constants that Go shares with the kernels' sources.
var shared = []struct {
	file      string
	constants string // names of constants, without the k
	structs   string // names of structures of 32-bit numbers
	table     string // a macro that makes drawing kernels: its uses
}{
	{file: "batch.cu", table: "DRAW"},
	{file: "cvb.h", constants: "Few Many Threads ThreadsMany Chunk", structs: "Step"},
	{file: "statistics.h", constants: "Near"},
	{file: "warp_docs.h", constants: "Totals", structs: "Head"},
	{file: "warp_groups.h", constants: "Threads Per Members IsPlace", structs: "Group"},
	{file: "warp_stream.cu", constants: "Dense Guide"},
	{file: "warp_sorted.h", constants: "GroupWords"},
	{file: "warp_words.h", constants: "Guide Carries"},
}

// makeLayout returns a Go file with the constants and structures of the sources in a directory that
// Go shares with them. A name begins with that of its file: kMembers of warp_groups.h is
// WarpGroupsMembers.
func makeLayout(dir string) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprint(&out, "// Code generated from the kernels' sources by go generate; DO NOT EDIT.\n\npackage layout\n")
	for _, of := range shared {
		text, err := os.ReadFile(filepath.Join(dir, of.file))
		if err != nil {
			return nil, err
		}
		for _, name := range strings.Fields(of.constants) {
			if err := writeConstant(&out, of.file, name, text); err != nil {
				return nil, err
			}
		}
		for _, name := range strings.Fields(of.structs) {
			if err := writeStruct(&out, of.file, name, text); err != nil {
				return nil, err
			}
		}
		if of.table != "" {
			if err := writeTable(&out, of.file, of.table, text); err != nil {
				return nil, err
			}
		}
	}
	return format.Source(out.Bytes())
}

// prefix makes warp_groups.h into WarpGroups.
func prefix(file string) string {
	words := strings.Split(strings.TrimSuffix(file, filepath.Ext(file)), "_")
	for i, w := range words {
		words[i] = exported(w)
	}
	return strings.Join(words, "")
}

func exported(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// writeConstant writes a line like
//
//	const u32 kMembers = 32;  // the most members of a group
func writeConstant(out *bytes.Buffer, file, name string, text []byte) error {
	m := regexp.MustCompile(`(?m)^const u32 k` + name + ` = (0x[0-9a-f]+|\d+)u?; +// (.+)$`).FindSubmatch(text)
	if m == nil {
		return fmt.Errorf("kernels: %s has no line \"const u32 k%s = NUMBER;  // what it is\"", file, name)
	}
	fmt.Fprintf(out, "\n// %[1]s%[2]s is k%[2]s of %[3]s: %[4]s.\nconst %[1]s%[2]s = %[5]s\n", prefix(file), name, file, m[2], m[1])
	return nil
}

var fields = regexp.MustCompile(`^  u32 ([a-z, ]+)(?:\[(\d+)\])?; *(//.*)?$`)

// writeStruct writes a structure with lines like
//
//	u32 from, n;  // its tokens are entries from … from+n-1 of a list
func writeStruct(out *bytes.Buffer, file, name string, text []byte) error {
	m := regexp.MustCompile(`(?ms)^// (` + name + ` is [^\n]*)\nstruct (?:alignas\(16\) )?` + name + ` \{\n(.*?)^\};$`).FindSubmatch(text)
	if m == nil {
		return fmt.Errorf("kernels: %s has no structure %s with a comment before it", file, name)
	}
	fmt.Fprintf(out, "\n// %s%s is the structure of this name in %s. %s\ntype %[1]s%[2]s struct {\n", prefix(file), name, file, m[1])
	for line := range strings.Lines(string(m[2])) {
		f := fields.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if f == nil {
			return fmt.Errorf("kernels: %s of %s has a field of a kind not supported: %s", name, file, strings.TrimSpace(line))
		}
		names := strings.Split(f[1], ", ")
		for i, n := range names {
			names[i] = exported(n)
		}
		kind := "uint32"
		if f[2] != "" {
			kind = "[" + f[2] + "]uint32"
		}
		fmt.Fprintf(out, "%s %s %s\n", strings.Join(names, ", "), kind, f[3])
	}
	fmt.Fprint(out, "}\n")
	return nil
}

// writeTable writes the uses of a macro like
//
//	#define DRAW(NAME, GROUPS, BLOCKS, COUNTS)
//	  extern "C" __global__ void __launch_bounds__(128, BLOCKS) batch_draw_##NAME(
//	DRAW(32, 1, 12, true)
//	DRAW(any, 0, 8, false)
func writeTable(out *bytes.Buffer, file, macro string, text []byte) error {
	head := regexp.MustCompile(`#define ` + macro + `\(NAME, GROUPS, BLOCKS, COUNTS\) *\\\n[^\n]*__launch_bounds__\((\d+), BLOCKS\)`).FindSubmatch(text)
	uses := regexp.MustCompile(`(?m)^`+macro+`\((\d+|any), (\d+), (\d+), (true|false)\)$`).FindAllSubmatch(text, -1)
	if head == nil || len(uses) == 0 {
		return fmt.Errorf("kernels: %s has no macro %s(NAME, GROUPS, BLOCKS, COUNTS) of kernels with launch bounds, or no use of it", file, macro)
	}
	name := prefix(file) + exported(strings.ToLower(macro))
	fmt.Fprintf(out, "\n// %sThreads is the threads of a block of the kernels that %s makes in %s.\nconst %[1]sThreads = %[4]s\n", name, macro, file, head[1])
	fmt.Fprintf(out, "\n// %ss are those kernels.\nvar %[1]ss = []Kernel{\n", name)
	for _, u := range uses {
		topics := string(u[1])
		if topics == "any" {
			topics = "0"
		}
		fmt.Fprintf(out, "{Topics: %s, Blocks: %s, Counts: %s},\n", topics, u[3], u[4])
	}
	fmt.Fprint(out, "}\n")
	return nil
}
