package processors

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A program for a processor with 32 bits is refused by name when it is built, before anything else fails.
func TestThirtyTwoBitsAreRefused(t *testing.T) {
	for _, processor := range []string{"386", "arm"} {
		c := exec.Command("go", "build", "github.com/topoi-lda/topoi/internal/machine")
		c.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+processor, "CGO_ENABLED=0")
		out, err := c.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "undefined: topoi_needs_a_processor_with_64_bits") {
			t.Errorf("%s: %v\n%s", processor, err, out)
		}
	}
}
