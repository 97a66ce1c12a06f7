package remote

import (
	"context"
	"sync/atomic"
)

// interruption is the context that Until has set last.
var interruption atomic.Pointer[context.Context]

// Until makes all requests of this process end with ctx, until the function that it returns is called. A program calls
// it when it runs a command, because names of objects are looked up deep below functions that take no context.
func Until(ctx context.Context) (restore func()) {
	before := interruption.Swap(&ctx)
	return func() { interruption.Store(before) }
}

// until returns the context of requests.
func until() context.Context {
	if ctx := interruption.Load(); ctx != nil {
		return *ctx
	}
	return context.Background()
}
