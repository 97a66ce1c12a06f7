package machine

import (
	"runtime"
	"testing"
)

func TestTotal(t *testing.T) {
	if n := Memory(); runtime.GOOS == "linux" && (n < 1<<24 || n > 1<<60) {
		t.Errorf("%d bytes of memory are not believable", n)
	}
}
