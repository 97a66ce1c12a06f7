// Package kernels holds the GPU kernels: CUDA C++ in *.cu and, compiled from
// it, PTX in *.ptx, which the program carries and the driver compiles further
// for the card at hand.
//
// After a change of a source run go generate (it needs clang++-19) and commit
// the PTX with it; the tests tell when that was forgotten.
package kernels

import (
	"embed"
	"fmt"
)

//go:generate go run ./generate

//go:embed *.ptx
var files embed.FS

// PTX is the text of the kernels in name.cu.
func PTX(name string) (string, error) {
	text, err := files.ReadFile(name + ".ptx")
	if err != nil {
		return "", fmt.Errorf("kernels: there is no %s.cu in this program", name)
	}
	return string(text), nil
}
