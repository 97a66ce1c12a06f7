package compile

import (
	"os"
	"testing"
)

// Required says whether tests that need the compiler must not be skipped.
func Required() bool { return os.Getenv("TOPOI_REQUIRE_CLANG") == "1" }

// Need skips a test that needs the compiler if missing, the fault of Version, is not
// nil. With TOPOI_REQUIRE_CLANG=1 in the environment the test fails instead.
func Need(t testing.TB, missing error) {
	t.Helper()
	switch {
	case missing == nil:
	case Required():
		t.Fatalf("TOPOI_REQUIRE_CLANG is set: %v", missing)
	default:
		t.Skipf("skipped: %v (TOPOI_REQUIRE_CLANG=1 makes this a failure)", missing)
	}
}
