package cuda

import (
	"errors"
	"fmt"
	"slices"
)

// These are the reasons why no GPU can be used, or why work on one ended. Errors of this package wrap them
// and explain them in their text.
var (
	// ErrNotBuilt: the program was built without CUDA (tag nocuda, or a system for which there is no driver).
	ErrNotBuilt = errors.New("built without CUDA")
	// ErrNoDriver: the driver's library was not found or did not start.
	ErrNoDriver = errors.New("no NVIDIA driver")
	// ErrOldDriver: the driver is older than the kernels need.
	ErrOldDriver = errors.New("NVIDIA driver too old")
	// ErrNoDevice: there is a driver but no GPU that can run the kernels.
	ErrNoDevice = errors.New("no usable NVIDIA GPU")
	// ErrOutOfMemory: device or pinned host memory is exhausted. The context can still be used.
	ErrOutOfMemory = errors.New("out of memory")
	// ErrDeviceLost: the device or a kernel on it failed in a way that ends the
	// context. Everything in device memory is gone.
	ErrDeviceLost = errors.New("device lost")
	// ErrRefused: the driver's compiler does not accept the kernels for this card.
	ErrRefused = errors.New("kernels refused")
	// ErrClosed: the context was closed.
	ErrClosed = errors.New("CUDA context is closed")
)

// Unavailable reports whether err means that this machine or build has no usable GPU, so that a caller that
// may choose takes the CPU.
func Unavailable(err error) bool {
	reasons := []error{ErrNotBuilt, ErrNoDriver, ErrOldDriver, ErrNoDevice}
	return slices.ContainsFunc(reasons, func(reason error) bool { return errors.Is(err, reason) })
}

// Code is a result of the driver API (CUresult in cuda.h).
type Code int32

// The codes this package acts upon.
const (
	codeSuccess            Code = 0
	codeOutOfMemory        Code = 2
	codeDeviceUnavailable  Code = 46
	codeNoDevice           Code = 100
	codeNoBinary           Code = 209
	codeECCUncorrectable   Code = 214
	codeInvalidPTX         Code = 218
	codeNVLinkFailure      Code = 220
	codeNoCompiler         Code = 221
	codeUnsupportedPTX     Code = 222
	codeIllegalAddress     Code = 700
	codeLaunchTimeout      Code = 702
	codeAssert             Code = 710
	codeHardwareStack      Code = 714
	codeIllegalInstruction Code = 715
	codeMisalignedAddress  Code = 716
	codeInvalidSpace       Code = 717
	codeInvalidPC          Code = 718
	codeLaunchFailed       Code = 719
)

// sentinel returns the reason behind a code, or nil.
func (c Code) sentinel() error {
	switch c {
	case codeOutOfMemory:
		return ErrOutOfMemory
	case codeNoDevice:
		return ErrNoDevice
	case codeUnsupportedPTX:
		return ErrOldDriver
	case codeInvalidPTX, codeNoBinary, codeNoCompiler:
		return ErrRefused
	case codeDeviceUnavailable, codeECCUncorrectable, codeNVLinkFailure, codeIllegalAddress,
		codeLaunchTimeout, codeAssert, codeHardwareStack, codeIllegalInstruction,
		codeMisalignedAddress, codeInvalidSpace, codeInvalidPC, codeLaunchFailed:
		return ErrDeviceLost
	}
	return nil
}

// Error is a driver call that failed.
type Error struct {
	Op   string // what was being done, as "allocating 4.0 GiB of device memory"
	Code Code
	Name string // the driver's name of the code, as CUDA_ERROR_OUT_OF_MEMORY
	Text string // the driver's sentence for the code
	Log  string // the compiler's log, for modules
}

func (e *Error) Error() string {
	s := fmt.Sprintf("cuda: %s: %s (%s, code %d)", e.Op, e.Text, e.Name, e.Code)
	if e.Log != "" {
		s += ": " + e.Log
	}
	return s
}

// Unwrap returns the sentinel behind the code, so that errors.Is works.
func (e *Error) Unwrap() error { return e.Code.sentinel() }

// LibraryVariable is the environment variable with the path of the driver's library, for systems that have it
// at an unusual place.
const LibraryVariable = "TOPOI_LIBCUDA"
