package exchange

import (
	"bytes"
	"fmt"
	"os"
)

// resident returns the memory that this process has now and had at most, in bytes; 0 where the
// system does not tell.
func resident() (now, most uint64) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, 0
	}
	for line := range bytes.Lines(text) {
		var kB uint64
		if n, _ := fmt.Sscanf(string(line), "VmRSS: %d kB", &kB); n == 1 {
			now = kB << 10
		} else if n, _ := fmt.Sscanf(string(line), "VmHWM: %d kB", &kB); n == 1 {
			most = kB << 10
		}
	}
	return now, most
}
