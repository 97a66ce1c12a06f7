// Package cuda runs kernels on NVIDIA GPUs through the driver's own library, opened at run time: no cgo, no CUDA
// toolkit, one binary for machines with and without a GPU.
//
//	ctx, err := cuda.Open(0)                    // the first device
//	defer ctx.Close()
//	module, err := ctx.Load("mean", ptx)        // compiled for the card by the driver
//	kernel, err := module.Function("mean_fix_f32")
//	stream, err := ctx.NewStream()
//	x, err := cuda.NewArray[float32](ctx, n)    // device memory
//	err = kernel.Launch(stream, cuda.Shape{Blocks: 132, Threads: 128}, x, uint32(n))
//	err = x.Download(stream, host)
//
// # Threads
//
// A context is current to one OS thread, which its goroutine never leaves. Every method may be called from any
// goroutine: the call is carried to that thread. A sequence of launches goes through [Context.Run] as a whole, which
// pays for the way to the thread once:
//
//	err = ctx.Run(func() error {
//		for _, k := range phases {
//			if err := k.Launch(stream, shape, args...); err != nil {
//				return err
//			}
//		}
//		return counts.DownloadAsync(stream, pinned)
//	})
//
// Launches and the methods whose names end in Async only put work into a stream; [Stream.Wait] and [Event.Wait] tell
// when it is finished. A kernel's failure shows at the first call after it that waits.
//
// # Builds
//
// The tag nocuda gives a package with the same API whose [Open] and [Devices]
// answer [ErrNotBuilt]. docs/gpu.md has the driver versions and the rest.
package cuda

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"sync"
	"unsafe"
)

// proc is the address of one function of the driver.
type proc struct{ addr uintptr }

// call calls the function. It takes integers and pointers only, since no function used here takes a float by
// value. Pointers to Go memory must be converted to uintptr in the argument list itself; the directive then
// moves what they point to onto the heap, where it stays during the call.
//
//go:uintptrescapes
func (p *proc) call(args ...uintptr) Code { return Code(int32(invoke(p.addr, args...))) }

// driver holds the functions of the driver API, named as in cuda.h without cu.
type driver struct {
	init, driverGetVersion, getErrorName, getErrorString proc

	deviceGetCount, deviceGet, deviceGetName, deviceGetAttribute, deviceTotalMem, deviceGetUUID proc

	devicePrimaryCtxRetain, devicePrimaryCtxRelease, ctxSetCurrent, ctxSynchronize, memGetInfo proc

	memAlloc, memFree, memHostAlloc, memFreeHost, memcpyHtoDAsync, memcpyDtoHAsync,
	memsetD8Async proc

	streamCreate, streamDestroy, streamSynchronize, streamWaitEvent,
	eventCreate, eventDestroy, eventRecord, eventSynchronize proc

	moduleLoadDataEx, moduleUnload, moduleGetFunction, funcSetAttribute,
	launchKernel proc

	version int // of the CUDA the driver speaks: 1000 × major + 10 × minor
}

// symbols pairs the names in the library with the functions. The suffix _v2
// marks functions whose parameters grew to 64 bits in CUDA 3 and 4.
func (d *driver) symbols() []struct {
	name string
	proc *proc
} {
	return []struct {
		name string
		proc *proc
	}{
		{"cuInit", &d.init},
		{"cuDriverGetVersion", &d.driverGetVersion},
		{"cuGetErrorName", &d.getErrorName},
		{"cuGetErrorString", &d.getErrorString},
		{"cuDeviceGetCount", &d.deviceGetCount},
		{"cuDeviceGet", &d.deviceGet},
		{"cuDeviceGetName", &d.deviceGetName},
		{"cuDeviceGetAttribute", &d.deviceGetAttribute},
		{"cuDeviceTotalMem_v2", &d.deviceTotalMem},
		{"cuDeviceGetUuid", &d.deviceGetUUID},
		{"cuDevicePrimaryCtxRetain", &d.devicePrimaryCtxRetain},
		{"cuDevicePrimaryCtxRelease_v2", &d.devicePrimaryCtxRelease},
		{"cuCtxSetCurrent", &d.ctxSetCurrent},
		{"cuCtxSynchronize", &d.ctxSynchronize},
		{"cuMemGetInfo_v2", &d.memGetInfo},
		{"cuMemAlloc_v2", &d.memAlloc},
		{"cuMemFree_v2", &d.memFree},
		{"cuMemHostAlloc", &d.memHostAlloc},
		{"cuMemFreeHost", &d.memFreeHost},
		{"cuMemcpyHtoDAsync_v2", &d.memcpyHtoDAsync},
		{"cuMemcpyDtoHAsync_v2", &d.memcpyDtoHAsync},
		{"cuMemsetD8Async", &d.memsetD8Async},
		{"cuStreamCreate", &d.streamCreate},
		{"cuStreamDestroy_v2", &d.streamDestroy},
		{"cuStreamSynchronize", &d.streamSynchronize},
		{"cuStreamWaitEvent", &d.streamWaitEvent},
		{"cuEventCreate", &d.eventCreate},
		{"cuEventDestroy_v2", &d.eventDestroy},
		{"cuEventRecord", &d.eventRecord},
		{"cuEventSynchronize", &d.eventSynchronize},
		{"cuModuleLoadDataEx", &d.moduleLoadDataEx},
		{"cuModuleUnload", &d.moduleUnload},
		{"cuModuleGetFunction", &d.moduleGetFunction},
		{"cuFuncSetAttribute", &d.funcSetAttribute},
		{"cuLaunchKernel", &d.launchKernel},
	}
}

// theDriver opens the driver once; later calls return the same result.
var theDriver = sync.OnceValues(func() (*driver, error) { return openDriver(os.Getenv(LibraryVariable)) })

// openDriver loads the library at path, or at the usual places if path is
// empty, resolves every function and starts the driver.
func openDriver(path string) (*driver, error) {
	lib, err := openLibrary(path)
	if err != nil {
		return nil, err
	}
	d := new(driver)
	var missing []string
	for _, s := range d.symbols() {
		if s.proc.addr = lib.symbol(s.name); s.proc.addr == 0 {
			missing = append(missing, s.name)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("cuda: %s has no %s: install a driver for CUDA %s or newer (%w)",
			lib.name, strings.Join(missing, ", "), versionText(minimumVersion), ErrOldDriver)
	}
	return d, d.start()
}

// start initialises the driver and checks its version.
func (d *driver) start() error {
	if c := d.init.call(0); c != codeSuccess {
		e := d.newError(c, "starting the NVIDIA driver")
		if e.Unwrap() != nil {
			return e
		}
		return fmt.Errorf("%w (%w)", e, ErrNoDriver)
	}
	var v int32
	if err := d.check(d.driverGetVersion.call(uintptr(unsafe.Pointer(&v))),
		"asking for the driver's version"); err != nil {
		return err
	}
	d.version = int(v)
	if d.version < minimumVersion {
		return fmt.Errorf("cuda: the driver speaks CUDA %s and the kernels need %s: install driver %s or newer (%w)",
			versionText(d.version), versionText(minimumVersion), minimumDriver, ErrOldDriver)
	}
	return nil
}

// The kernels are PTX ISA 7.0, which CUDA 11.0 brought; the first driver of
// that branch for Linux is 450.36.06 and for Windows 451.22.
const (
	minimumVersion = 11000
	minimumDriver  = "450"
)

func versionText(v int) string { return fmt.Sprintf("%d.%d", v/1000, v%1000/10) }

// codeString returns the driver's name or description of a code; p is getErrorName or getErrorString.
func (d *driver) codeString(p *proc, c Code) string {
	var text *byte
	if p.call(uintptr(c), uintptr(unsafe.Pointer(&text))) != codeSuccess || text == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(text), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(text, n))
}

// check turns a result into nil or an *Error that says what was being done.
func (d *driver) check(c Code, op string, args ...any) error {
	if c == codeSuccess {
		return nil
	}
	return d.newError(c, fmt.Sprintf(op, args...))
}

func (d *driver) newError(c Code, op string) *Error {
	return &Error{
		Op: op, Code: c,
		Name: cmp.Or(d.codeString(&d.getErrorName, c), "unknown code"),
		Text: cmp.Or(d.codeString(&d.getErrorString, c), "the driver does not name this error"),
	}
}
