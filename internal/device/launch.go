package device

// Flatten takes lists among arguments of a launch apart.
func Flatten(args []any) []any {
	var flat []any
	for _, arg := range args {
		if list, ok := arg.([]any); ok {
			flat = append(flat, Flatten(list)...)
		} else {
			flat = append(flat, arg)
		}
	}
	return flat
}

// Spread is the shape of a launch for n things, one a thread at a time, with at most
// so many blocks of threads for each processor.
func Spread(d *Device, n, threads, shared, blocks int) Shape {
	return Shape{Blocks: min((n+threads-1)/threads, blocks*d.Processors()), Threads: threads, Shared: shared}
}

// FirstError returns the first error. A lost device fails in every call after the one
// that lost it, and one sentence about it is enough.
func FirstError(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

func Flag(on bool) uint32 {
	if on {
		return 1
	}
	return 0
}
