package cuda

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/topoi-lda/topoi/internal/cuda/kernels"
)

// Module is a set of kernels compiled for the device.
type Module struct {
	ctx     *Context
	name    string
	handle  uintptr
	entries map[string][]int // kernel → size in bytes of each parameter
}

// Options of the compiler in the driver (CUjit_option in cuda.h).
const (
	jitErrorLog     = 5
	jitErrorLogSize = 6
)

// Load compiles PTX for the device. name appears in errors, which carry the compiler's log.
func (c *Context) Load(name, ptx string) (*Module, error) { return c.load(name, ptx, c.Run) }

// load is Load with the function that runs a call where the context is current.
func (c *Context) load(name, ptx string, run func(func() error) error) (*Module, error) {
	entries, err := parseEntries(ptx)
	if err != nil {
		return nil, fmt.Errorf("cuda: module %s: %w", name, err)
	}
	m := &Module{ctx: c, name: name, entries: entries}
	if err := run(func() error { return m.compile(ptx) }); err != nil {
		return nil, err
	}
	return m, nil
}

// compile passes the text to the driver, with a buffer for its error log.
func (m *Module) compile(ptx string) error {
	text := append([]byte(ptx), 0)
	log := make([]byte, 16<<10)
	var pin runtime.Pinner // the option values hold an address the compiler does not see
	pin.Pin(&log[0])
	defer pin.Unpin()
	options := [2]int32{jitErrorLog, jitErrorLogSize}
	values := [2]uintptr{uintptr(unsafe.Pointer(&log[0])), uintptr(len(log))}
	drv := m.ctx.drv
	code := drv.moduleLoadDataEx.call(uintptr(unsafe.Pointer(&m.handle)), uintptr(unsafe.Pointer(&text[0])),
		uintptr(len(options)), uintptr(unsafe.Pointer(&options)), uintptr(unsafe.Pointer(&values)))
	if code == codeSuccess {
		return nil
	}
	e := drv.newError(code, fmt.Sprintf("compiling the kernels %s for %s (driver for CUDA %s)",
		m.name, m.ctx.Device.Name, versionText(drv.version)))
	text, _, _ = bytes.Cut(log, []byte{0})
	e.Log = strings.Join(strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' }), "; ")
	return e
}

// Close unloads the module; its functions must not be used afterwards.
func (m *Module) Close() error {
	return m.ctx.do(func() Code { return m.ctx.drv.moduleUnload.call(m.handle) }, "unloading the kernels %s", m.name)
}

// Function is one kernel.
type Function struct {
	ctx    *Context
	name   string
	handle uintptr
	params []int // size in bytes of each parameter

	mu     sync.Mutex
	shared int // dynamic shared memory allowed so far, in bytes
}

const sharedWithoutAsking = 48 << 10

// Function returns a kernel of the module.
func (m *Module) Function(name string) (*Function, error) { return m.function(name, m.ctx.Run) }

// function is Function with the function that runs a call where the context is current.
func (m *Module) function(name string, run func(func() error) error) (*Function, error) {
	params, ok := m.entries[name]
	if !ok {
		return nil, fmt.Errorf("cuda: the kernels %s have no %s", m.name, name)
	}
	f := &Function{ctx: m.ctx, name: name, params: params, shared: sharedWithoutAsking}
	symbol := append([]byte(name), 0)
	err := run(func() error {
		code := m.ctx.drv.moduleGetFunction.call(uintptr(unsafe.Pointer(&f.handle)), m.handle,
			uintptr(unsafe.Pointer(&symbol[0])))
		return m.ctx.drv.check(code, "finding the kernel %s", name)
	})
	return f, err
}

// functionDynamicShared is an attribute of a function (CUfunction_attribute in cuda.h).
const functionDynamicShared = 8

// allowShared raises the kernel's limit of dynamic shared memory if need be.
func (f *Function) allowShared(bytes int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if bytes <= f.shared {
		return nil
	}
	if bytes > f.ctx.Device.SharedOptIn {
		return fmt.Errorf("cuda: %s asks for %d bytes of shared memory, a block on %s has %d at most",
			f.name, bytes, f.ctx.Device.Name, f.ctx.Device.SharedOptIn)
	}
	if err := f.ctx.do(func() Code {
		return f.ctx.drv.funcSetAttribute.call(f.handle, functionDynamicShared, uintptr(bytes))
	}, "allowing %s %d bytes of shared memory", f.name, bytes); err != nil {
		return err
	}
	f.shared = bytes
	return nil
}

// Shape is the size of a launch.
type Shape struct {
	Blocks  int // 0 launches nothing
	Threads int // of each block, at most 1024
	Shared  int // bytes of dynamic shared memory of each block
}

// Launch puts the kernel into the stream. Arguments are arrays, int32, uint32, int64, uint64, float32 and
// float64. Launch panics if their number or sizes differ from the kernel's parameters.
func (f *Function) Launch(s *Stream, shape Shape, args ...any) error {
	if len(args) != len(f.params) {
		panic(fmt.Sprintf("cuda: %s takes %d arguments, got %d", f.name, len(f.params), len(args)))
	}
	// One slot per argument; the driver reads the lower bytes of each.
	slots := make([]uint64, len(args)+1)
	addresses := make([]unsafe.Pointer, len(args)+1)
	for i, arg := range args {
		value, size := argument(arg)
		if size != f.params[i] {
			panic(fmt.Sprintf("cuda: argument %d of %s is a %T of %d bytes, the kernel takes %d", i, f.name, arg, size,
				f.params[i]))
		}
		slots[i] = value
		addresses[i] = unsafe.Pointer(&slots[i])
	}
	if shape.Blocks == 0 {
		return nil
	}
	if err := f.allowShared(shape.Shared); err != nil {
		return err
	}
	return f.ctx.do(func() Code {
		return f.ctx.drv.launchKernel.call(f.handle, uintptr(shape.Blocks), 1, 1, uintptr(shape.Threads), 1, 1,
			uintptr(shape.Shared), s.handle, uintptr(unsafe.Pointer(&addresses[0])), 0)
	}, "launching %s with %d blocks of %d threads", f.name, shape.Blocks, shape.Threads)
}

// argument returns the bits of a kernel argument and its size in bytes.
func argument(arg any) (bits uint64, size int) {
	switch v := arg.(type) {
	case interface{ argument() (uint64, int) }:
		return v.argument()
	case int32:
		return uint64(uint32(v)), 4
	case uint32:
		return uint64(v), 4
	case float32:
		return uint64(math.Float32bits(v)), 4
	case int64:
		return uint64(v), 8
	case uint64:
		return v, 8
	case float64:
		return math.Float64bits(v), 8
	}
	panic(fmt.Sprintf("cuda: %T cannot be a kernel argument", arg))
}

var (
	entryPattern = regexp.MustCompile(`(?s)\.entry\s+(\w+)\s*\((.*?)\)`)
	paramPattern = regexp.MustCompile(`^\.param\s+(?:\.align\s+\d+\s+)?\.[a-z](\d+)\s`)
)

// parseEntries returns the kernels of a PTX text with the sizes of their parameters, which the driver reports
// only from CUDA 12.4 on.
func parseEntries(ptx string) (map[string][]int, error) {
	entries := map[string][]int{}
	for _, entry := range entryPattern.FindAllStringSubmatch(ptx, -1) {
		sizes := []int{}
		for param := range strings.SplitSeq(entry[2], ",") {
			if param = strings.TrimSpace(param); param == "" {
				continue
			}
			m := paramPattern.FindStringSubmatch(param)
			if m == nil || strings.Contains(param, "[") {
				return nil, fmt.Errorf("kernel %s has a parameter of a kind not supported: %s", entry[1], param)
			}
			sizes = append(sizes, map[string]int{"8": 1, "16": 2, "32": 4, "64": 8}[m[1]])
		}
		entries[entry[1]] = sizes
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("no kernel in the PTX text")
	}
	return entries, nil
}

// Kernel returns a kernel of package kernels. It is compiled at first use and kept until Close.
func (c *Context) Kernel(module, name string) (*Function, error) { return c.kernel(module, name)() }

// Prepare starts compiling kernels of a module of package kernels, all at once, and does not wait. Kernel
// waits for them and returns their errors.
func (c *Context) Prepare(module string, names ...string) {
	for _, name := range names {
		wait := c.kernel(module, name)
		c.preparing.Go(func() { _, _ = wait() })
	}
}

// kernel returns a function that compiles a kernel once, or waits until that is done.
func (c *Context) kernel(module, name string) func() (*Function, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	wait, ok := c.kernels[name]
	if !ok {
		wait = sync.OnceValues(func() (f *Function, err error) {
			ptx, err := kernels.One(module, name)
			if err != nil {
				return nil, err
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				runtime.LockOSThread() // never unlocked, so that the thread ends with this goroutine
				if err = c.take(); err != nil {
					return
				}
				here := func(call func() error) error { return call() }
				m, fault := c.load(name, ptx, here)
				if err = fault; err == nil {
					f, err = m.function(name, here)
				}
			}()
			<-done
			return f, err
		})
		c.kernels[name] = wait
	}
	return wait
}
