//go:build windows && amd64 && !nocuda

package cuda

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/windows"
)

// library is the driver's library, open for the life of the process.
type library struct {
	name   string
	handle windows.Handle
}

func openLibrary(path string) (library, error) {
	name, flags := path, uintptr(0)
	if path == "" {
		name, flags = "nvcuda.dll", windows.LOAD_LIBRARY_SEARCH_SYSTEM32
	}
	handle, err := windows.LoadLibraryEx(name, 0, flags)
	if err != nil {
		return library{}, fmt.Errorf("cuda: %s not found: install the NVIDIA driver, "+
			"or set %s to the library's path (%w: %w)", name, LibraryVariable, ErrNoDriver, err)
	}
	return library{name, handle}, nil
}

// symbol returns the address of a function, or 0 if the library has none of that name.
func (l library) symbol(name string) uintptr {
	addr, err := windows.GetProcAddress(l.handle, name)
	if err != nil {
		return 0
	}
	return addr
}

//go:uintptrescapes
func invoke(addr uintptr, args ...uintptr) uintptr {
	r, _, _ := syscall.SyscallN(addr, args...)
	return r
}

// threadID returns the id of the OS thread that runs the caller.
func threadID() int { return int(windows.GetCurrentThreadId()) }
