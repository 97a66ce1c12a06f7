//go:build linux && (amd64 || arm64) && !nocuda

package cuda

import (
	"fmt"
	"runtime"
	"syscall"

	"github.com/ebitengine/purego"
)

// libraryPlaces are tried in order: the loader's own search first, then the places outside of it that WSL,
// containers and some distributions use.
var libraryPlaces = []string{
	"libcuda.so.1",
	"/usr/lib/wsl/lib/libcuda.so.1",
	"/usr/local/nvidia/lib64/libcuda.so.1",
	"/run/opengl-driver/lib/libcuda.so.1",
}

// library is the driver's library, open for the life of the process.
type library struct {
	name   string
	handle uintptr
}

func openLibrary(path string) (library, error) {
	places := libraryPlaces
	if path != "" {
		places = []string{path}
	}
	runtime.LockOSThread() // a second call on the same thread returns the reason of a failure
	defer runtime.UnlockOSThread()
	var first error
	for _, name := range places {
		handle, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err == nil {
			return library{name, handle}, nil
		}
		if first == nil {
			first = err
		}
	}
	return library{}, fmt.Errorf("cuda: %s not found: install the NVIDIA driver, or set %s to the library's path (%w: %w)",
		places[0], LibraryVariable, ErrNoDriver, first)
}

// symbol returns the address of a function, or 0 if the library has none of that name.
func (l library) symbol(name string) uintptr {
	addr, err := purego.Dlsym(l.handle, name)
	if err != nil {
		return 0
	}
	return addr
}

//go:uintptrescapes
func invoke(addr uintptr, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(addr, args...)
	return r
}

// threadID returns the id of the OS thread that runs the caller.
func threadID() int { return syscall.Gettid() }
