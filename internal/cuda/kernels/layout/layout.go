// Package layout is what Go and the kernels' sources agree on: constants, structures that kernels read, and kernels
// that there are for several numbers of topics. generated.go is made from the sources by go generate.
package layout

import "unsafe"

// Kernel is a kernel for up to a number of topics.
type Kernel struct {
	Topics int  // a multiple of 32; 0 for any number
	Blocks int  // of threads that a processor runs at once
	Counts bool // whether it counts what it draws
}

// Numbers returns structures as the numbers that a kernel reads.
func Numbers[T WarpGroupsGroup | WarpDocsHead | CvbStep](list []T) []uint32 {
	if len(list) == 0 {
		return nil
	}
	return unsafe.Slice((*uint32)(unsafe.Pointer(&list[0])), len(list)*Size[T]())
}

// Size is how many numbers a structure has.
func Size[T WarpGroupsGroup | WarpDocsHead | CvbStep]() int {
	var t T
	return int(unsafe.Sizeof(t)) / 4
}
