//go:build nocuda || !((linux && (amd64 || arm64)) || (windows && amd64))

package cuda

import "fmt"

// library is never opened in this build.
type library struct{ name string }

func openLibrary(string) (library, error) {
	return library{}, fmt.Errorf("cuda: this program was built without CUDA: "+
		"use a build without the tag nocuda, for Linux (amd64, arm64) or Windows (amd64) (%w)", ErrNotBuilt)
}

func (l library) symbol(string) uintptr { return 0 }

// invoke is never called, since there is no library.
func invoke(uintptr, ...uintptr) uintptr { panic("cuda: call of a driver that was never opened") }

func threadID() int { return 0 }
