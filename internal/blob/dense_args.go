//go:build (amd64 || arm64) && !noasm

package blob

// addArgs are the arguments of the kernel that adds groups > 0 times sixteen numbers.
type addArgs struct {
	row         *int32
	totals      *uint64 // or nil
	set, values *byte
	groups      int
	valuesLen   int
	sign        int32
}
