//go:build linux && (amd64 || arm64) && !nocuda

package cuda

import (
	"errors"
	"strings"
	"testing"
)

// A library without the driver's functions is a driver too old, not a crash.
func TestLibraryWithoutFunctions(t *testing.T) {
	_, err := openDriver("libc.so.6")
	if !errors.Is(err, ErrOldDriver) || !strings.Contains(err.Error(), "cuInit") {
		t.Errorf("got %v", err)
	}
}
