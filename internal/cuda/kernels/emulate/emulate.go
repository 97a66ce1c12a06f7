// Package emulate runs the kernels on the CPU, thread for thread, so that what they compute can be tested where there
// is no GPU. It needs clang++-19 and is slow: for tests on small inputs.
package emulate

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os/exec"
	"reflect"
	"runtime"
	"strings"
	"unsafe"
)

// Emulator is a process that runs kernels. Not safe for concurrent use.
type Emulator struct {
	cmd    *exec.Cmd
	in     *bufio.Writer
	pipe   io.Closer // behind in
	out    *bufio.Reader
	faults strings.Builder
}

// Start runs a program made by Compile. Close ends it.
func Start(program string) (*Emulator, error) {
	e := &Emulator{cmd: exec.Command(program)}
	in, err := e.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	e.cmd.Stderr = &e.faults
	e.pipe, e.in, e.out = in, bufio.NewWriter(in), bufio.NewReader(out)
	if err := e.cmd.Start(); err != nil {
		return nil, fmt.Errorf("emulate: %w", err)
	}
	return e, nil
}

// Launch runs a kernel. Arguments are slices of numbers, which the kernel may change, and uint32 and uint64 values.
func (e *Emulator) Launch(kernel string, blocks, threads int, args ...any) error {
	err := e.send(kernel, blocks, threads, args)
	if err == nil {
		err = e.receive(args)
	}
	if err == nil {
		return nil
	}
	if waitErr := e.Close(); waitErr != nil {
		return fmt.Errorf("emulate: %s: %w: %s", kernel, waitErr, strings.TrimSpace(e.faults.String()))
	}
	return fmt.Errorf("emulate: %s: %w", kernel, err)
}

const isValue = ^uint64(0) // where the size of a buffer would stand

func (e *Emulator) send(kernel string, blocks, threads int, args []any) error {
	write := func(values ...any) {
		for _, v := range values {
			_ = binary.Write(e.in, binary.LittleEndian, v) // the writer keeps the error for Flush
		}
	}
	write(uint32(len(kernel)), []byte(kernel), uint32(blocks), uint32(threads), uint32(len(args)))
	for _, arg := range args {
		switch v := arg.(type) {
		case uint32:
			write(isValue, uint64(v))
		case uint64:
			write(isValue, v)
		default:
			bytes, err := bytesOf(arg)
			if err != nil {
				return err
			}
			write(uint64(len(bytes)))
			_, _ = e.in.Write(bytes)
		}
	}
	return e.in.Flush()
}

func (e *Emulator) receive(args []any) error {
	if _, err := e.out.ReadByte(); err != nil { // the sign that the kernel ran
		return err
	}
	for _, arg := range args {
		switch arg.(type) {
		case uint32, uint64:
			continue
		}
		bytes, err := bytesOf(arg)
		if err != nil {
			return err
		}
		if _, err := io.ReadFull(e.out, bytes); err != nil {
			return err
		}
	}
	return nil
}

// bytesOf is the memory of a slice of numbers, which are little-endian where kernels can be emulated.
func bytesOf(arg any) ([]byte, error) {
	v, n := reflect.ValueOf(arg), binary.Size(arg)
	if v.Kind() != reflect.Slice || n != v.Len()*int(v.Type().Elem().Size()) {
		return nil, fmt.Errorf("a %T cannot be an argument", arg)
	}
	return unsafe.Slice((*byte)(v.UnsafePointer()), n), nil
}

// Close ends the process.
func (e *Emulator) Close() error {
	if e.cmd.ProcessState != nil {
		return nil
	}
	_ = e.pipe.Close()
	return e.cmd.Wait()
}

// Available reports whether kernels can be emulated here, and why not.
func Available() error {
	if _, err := Version(); err != nil {
		return err
	}
	if runtime.GOOS != "linux" {
		return fmt.Errorf("emulate: works on Linux, not on %s", runtime.GOOS)
	}
	if !littleEndian {
		return fmt.Errorf("emulate: kernels read numbers as GPUs have them, and %s stores them in the other order", runtime.GOARCH)
	}
	return nil
}
