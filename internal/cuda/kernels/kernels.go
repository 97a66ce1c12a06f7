// Package kernels holds the GPU kernels: CUDA C++ in *.cu and, compiled from it, PTX in *.ptx.zst, which the program
// carries and the driver compiles further for the card at hand.
//
// After a change of a source run go generate (it needs clang++-19) and commit the PTX with it, and package layout,
// which has what Go shares with the sources; the tests tell when that was forgotten.
package kernels

import (
	"embed"
	"fmt"
	"strings"

	"github.com/klauspost/compress/zstd"
)

//go:generate go test . -run TestGenerate -update -count 1

//go:embed *.ptx.zst
var files embed.FS

// One is the text of one kernel of module.cu, with what it shares with the others. The
// driver then compiles no kernel that nobody launches.
func One(module, kernel string) (string, error) {
	all, err := PTX(module)
	if err != nil {
		return "", err
	}
	const entry, end = "\n.visible .entry ", "\n}\n"
	var text strings.Builder
	found := false
	for {
		before, rest, more := strings.Cut(all, entry)
		text.WriteString(before)
		if !more {
			break
		}
		body, after, ok := strings.Cut(rest, end)
		if !ok {
			return "", fmt.Errorf("kernels: a kernel of %s.ptx.zst in this program has no end", module)
		}
		if strings.HasPrefix(body, kernel+"(") {
			found = true
			text.WriteString(entry + body + end)
		}
		all = "\n" + after
	}
	if !found {
		return "", fmt.Errorf("kernels: there is no %s in %s.cu of this program", kernel, module)
	}
	return text.String(), nil
}

// PTX is the text of the kernels in name.cu.
func PTX(name string) (string, error) {
	packed, err := files.ReadFile(name + ".ptx.zst")
	if err != nil {
		return "", fmt.Errorf("kernels: there is no %s.cu in this program", name)
	}
	reader, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return "", fmt.Errorf("kernels: %w", err)
	}
	defer reader.Close()
	text, err := reader.DecodeAll(packed, nil)
	if err != nil {
		return "", fmt.Errorf("kernels: %s.ptx.zst in this program is damaged: %w", name, err)
	}
	return string(text), nil
}
