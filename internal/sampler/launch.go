package sampler

import "github.com/topoi-lda/topoi/internal/device"

// flatten takes lists among arguments of a launch apart.
func flatten(args []any) []any {
	var flat []any
	for _, arg := range args {
		if list, ok := arg.([]any); ok {
			flat = append(flat, flatten(list)...)
		} else {
			flat = append(flat, arg)
		}
	}
	return flat
}

// spread is the shape of a launch for n things, one a thread at a time, with at most
// so many blocks of threads for each processor.
func spread(d *device.Device, n, threads, shared, blocks int) device.Shape {
	return device.Shape{Blocks: min((n+threads-1)/threads, blocks*d.Processors()), Threads: threads, Shared: shared}
}

// firstError returns the first error. A lost device fails in every call after the one
// that lost it, and one sentence about it is enough.
func firstError(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

func flag(on bool) uint32 {
	if on {
		return 1
	}
	return 0
}
