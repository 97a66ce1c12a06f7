//go:build arm64 && !noasm

package blob

// packDenseNEON is packDenseGo for groups > 0 times sixteen numbers. values must have space for one more byte.
//
//go:noescape
func packDenseNEON(set, values *byte, delta *int32, groups int, most *uint32) (n int)

// addDenseNEON is addDenseGo.
//
//go:noescape
func addDenseNEON(a *addArgs)

func packGroups(set, values *byte, delta *int32, groups int) (n int, most uint32) {
	n = packDenseNEON(set, values, delta, groups, &most)
	return n, most
}

func addGroups(a *addArgs) { addDenseNEON(a) }
