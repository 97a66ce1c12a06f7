package cuda

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"unsafe"
)

// Shape is the extent of one launch.
type Shape struct {
	Blocks  int // 0 launches nothing
	Threads int // of each block, at most 1024
	Shared  int // bytes of dynamic shared memory of each block
}

// Launch puts the kernel into the stream. Arguments are arrays, int32, uint32,
// int64, uint64, float32 and float64; their number and sizes are checked against
// the kernel's parameters, and a difference is a programmer's fault: Launch
// panics.
func (f *Function) Launch(s *Stream, shape Shape, args ...any) error {
	if len(args) != len(f.params) {
		panic(fmt.Sprintf("cuda: %s takes %d arguments, got %d", f.name, len(f.params), len(args)))
	}
	// One slot per argument; the driver reads the lower bytes of each.
	slots := make([]uint64, len(args)+1)
	addresses := make([]unsafe.Pointer, len(args)+1)
	for i, arg := range args {
		value, size := argument(arg)
		if size != f.params[i] {
			panic(fmt.Sprintf("cuda: argument %d of %s is a %T of %d bytes, the kernel takes %d", i, f.name, arg, size, f.params[i]))
		}
		slots[i] = value
		addresses[i] = unsafe.Pointer(&slots[i])
	}
	if shape.Blocks == 0 {
		return nil
	}
	if err := f.allowShared(shape.Shared); err != nil {
		return err
	}
	return f.ctx.do(func() Code {
		return f.ctx.drv.launchKernel.call(f.handle, uintptr(shape.Blocks), 1, 1, uintptr(shape.Threads), 1, 1,
			uintptr(shape.Shared), s.handle, uintptr(unsafe.Pointer(&addresses[0])), 0)
	}, "launching %s with %d blocks of %d threads", f.name, shape.Blocks, shape.Threads)
}

// argument gives the bits of a kernel argument and its size in bytes.
func argument(arg any) (bits uint64, size int) {
	switch v := arg.(type) {
	case interface{ argument() (uint64, int) }:
		return v.argument()
	case int32:
		return uint64(uint32(v)), 4
	case uint32:
		return uint64(v), 4
	case float32:
		return uint64(math.Float32bits(v)), 4
	case int64:
		return uint64(v), 8
	case uint64:
		return v, 8
	case float64:
		return math.Float64bits(v), 8
	}
	panic(fmt.Sprintf("cuda: %T cannot be a kernel argument", arg))
}

var (
	entryPattern = regexp.MustCompile(`(?s)\.entry\s+(\w+)\s*\((.*?)\)`)
	paramPattern = regexp.MustCompile(`^\.param\s+(?:\.align\s+\d+\s+)?\.[a-z](\d+)\s`)
)

// parseEntries reads the kernels of a PTX text with the sizes of their
// parameters, which the driver tells only from CUDA 12.4 on.
func parseEntries(ptx string) (map[string][]int, error) {
	entries := map[string][]int{}
	for _, entry := range entryPattern.FindAllStringSubmatch(ptx, -1) {
		sizes := []int{}
		for param := range strings.SplitSeq(entry[2], ",") {
			if param = strings.TrimSpace(param); param == "" {
				continue
			}
			m := paramPattern.FindStringSubmatch(param)
			if m == nil || strings.Contains(param, "[") {
				return nil, fmt.Errorf("kernel %s has a parameter of a kind not supported: %s", entry[1], param)
			}
			sizes = append(sizes, map[string]int{"8": 1, "16": 2, "32": 4, "64": 8}[m[1]])
		}
		entries[entry[1]] = sizes
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("no kernel in the PTX text")
	}
	return entries, nil
}
