// Package emulate runs the kernels on the CPU, thread for thread, so that what
// they compute can be tested where there is no GPU. It needs clang++-19 and is
// slow: for tests on small inputs.
package emulate

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/topoi-lda/topoi/internal/cuda/kernels/compile"
)

// flags keep the arithmetic what it is on the device: no fused multiply-add.
var flags = []string{"-std=c++17", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-rdynamic"}

// Emulator is a process that runs kernels. Not safe for concurrent use.
type Emulator struct {
	cmd    *exec.Cmd
	in     *bufio.Writer
	pipe   io.Closer // behind in
	out    *bufio.Reader
	faults strings.Builder
}

// Compile makes name.cu of the kernels' directory into a program in scratch for
// Start, and returns its path. One that is there already is used again: sources do not
// change while tests run.
func Compile(dir, name, scratch string) (string, error) {
	program := filepath.Join(scratch, "emulate-"+name)
	server := filepath.Join(dir, "emulate", "runtime")
	sources := []string{filepath.Join(dir, name+".cu"), filepath.Join(server, "emulate.cc")}
	// Looking at what the compiler will read lets go test see that it changed.
	for _, path := range append(sources, filepath.Join(server, "device.h")) {
		if _, err := os.Stat(path); err != nil {
			return "", fmt.Errorf("emulate: %w", err)
		}
	}
	compiling.Lock() // devices of one test share their scratch
	defer compiling.Unlock()
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	args := slices.Concat(flags, []string{"-x", "c++"}, sources, []string{"-o", program, "-ldl"})
	if text, err := exec.Command(compile.Compiler, args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("emulate: compiling %s.cu: %w\n%s", name, err, text)
	}
	return program, nil
}

var compiling sync.Mutex

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

// Launch runs a kernel. Arguments are slices of numbers, which the kernel may
// change, and uint32 and uint64 values.
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
			n := binary.Size(arg)
			if n < 0 {
				return fmt.Errorf("a %T cannot be an argument", arg)
			}
			write(uint64(n), arg)
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
		if err := binary.Read(e.out, binary.LittleEndian, arg); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the process.
func (e *Emulator) Close() error {
	if e.cmd.ProcessState != nil {
		return nil
	}
	_ = e.pipe.Close()
	return e.cmd.Wait()
}

// Available says whether kernels can be emulated here, and why not.
func Available() error {
	if _, err := compile.Version(); err != nil {
		return err
	}
	if runtime.GOOS != "linux" {
		return fmt.Errorf("emulate: works on Linux, not on %s", runtime.GOOS)
	}
	return nil
}
