package cuda

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"
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

// Load compiles PTX for the device. The name stands in errors. A failure's
// error carries the compiler's log.
func (c *Context) Load(name, ptx string) (*Module, error) { return c.load(name, ptx, c.Run) }

// load compiles PTX by run, which calls what it is given where the context is current.
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

// compile hands the text to the driver with a buffer for its complaints.
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
	shared int // dynamic shared memory allowed so far; above 48 KiB it must be asked for
}

const sharedWithoutAsking = 48 << 10

// Function finds a kernel of the module.
func (m *Module) Function(name string) (*Function, error) { return m.function(name, m.ctx.Run) }

// function finds a kernel by run, which calls what it is given where the context is current.
func (m *Module) function(name string, run func(func() error) error) (*Function, error) {
	params, ok := m.entries[name]
	if !ok {
		return nil, fmt.Errorf("cuda: the kernels %s have no %s", m.name, name)
	}
	f := &Function{ctx: m.ctx, name: name, params: params, shared: sharedWithoutAsking}
	symbol := append([]byte(name), 0)
	err := run(func() error {
		code := m.ctx.drv.moduleGetFunction.call(uintptr(unsafe.Pointer(&f.handle)), m.handle, uintptr(unsafe.Pointer(&symbol[0])))
		return m.ctx.drv.check(code, "finding the kernel %s", name)
	})
	if err != nil {
		return nil, err
	}
	return f, nil
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
