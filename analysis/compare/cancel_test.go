package compare

import (
	"context"
	"errors"
	"testing"
)

// Reading the topics of a model ends with the context.
func TestCancelledWhileReading(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newJob(ctx, table("a b"), table("a c"), Options{}.withDefaults()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
