package device

// Runner runs kernels on memory of the host, at once and in order: package emulated has
// one for tests.
type Runner interface {
	// Launch runs a kernel. Arguments are slices, which it may change, uint32 and uint64.
	Launch(module, kernel string, shape Shape, args ...any) error

	// Close gives everything back.
	Close() error
}

// hosted is a machine whose memory is the host's.
type hosted struct{ Runner }

// Hosted makes a device of a runner.
func Hosted(r Runner) *Device { return &Device{machine: hosted{r}} }

// Launch implements machine.
func (h hosted) Launch(module, kernel string, shape Shape, args ...any) error {
	for i, arg := range args {
		if b, ok := arg.(buffer); ok {
			args[i] = b.slice()
		}
	}
	return h.Runner.Launch(module, kernel, shape, args...)
}

// Name implements machine.
func (h hosted) Name() string { return "emulator" }

// Wait implements machine.
func (h hosted) Wait() error { return nil }

// Together implements machine.
func (h hosted) Together(fn func() error) error { return fn() }

// Processors implements machine.
func (h hosted) Processors() int { return 2 }

// Prepare implements machine.
func (h hosted) Prepare(string, ...string) {}

// SharedMemory implements machine.
func (h hosted) SharedMemory() int { return 256 << 10 }
