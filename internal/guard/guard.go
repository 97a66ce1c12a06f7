// Package guard carries panics of goroutines to where they can be reported in one sentence.
//
// Go ends a program with a trace when a goroutine panics and when mapped memory cannot be
// read because the file behind it was cut short. Here both are panics that come up in the
// goroutine that waits (Group), or in a function of the program's (Go, OnPanic).
package guard

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/topoi-lda/topoi/internal/mapfile"
)

// ErrFileLost is wrapped by the errors about mapped files that can no longer be read.
var ErrFileLost = errors.New("the file was truncated, or its disk failed, while it was in use")

// Fault is a panic of another goroutine.
type Fault struct {
	Value any    // what it panicked with
	Stack []byte // where
}

func (f *Fault) Error() string { return fmt.Sprint(f.Value) }

// FaultOf returns a panic's value with the stack of the goroutine that calls it, unless it
// has come up from another one.
func FaultOf(value any) *Fault {
	if f, ok := value.(*Fault); ok {
		return f
	}
	return &Fault{value, debug.Stack()}
}

// Group is a sync.WaitGroup for goroutines that may panic, and read mapped files.
type Group struct {
	group sync.WaitGroup
	fault atomic.Pointer[Fault]
}

// Go calls f in a goroutine of its own.
func (g *Group) Go(f func()) {
	g.group.Go(func() {
		defer func() {
			if value := recover(); value != nil {
				g.fault.CompareAndSwap(nil, FaultOf(value))
			}
		}()
		debug.SetPanicOnFault(true)
		f()
	})
}

// Wait waits for all goroutines. If one has panicked it panics with the first *Fault.
func (g *Group) Wait() {
	g.group.Wait()
	if f := g.fault.Swap(nil); f != nil {
		panic(f)
	}
}

var onPanic atomic.Pointer[func(*Fault)]

// OnPanic sets what happens when a goroutine of Go panics: f must end the program. Without it the panic does, as ever.
func OnPanic(f func(*Fault)) { onPanic.Store(&f) }

// Go calls f in a goroutine that nobody waits for, or whose end others do not survive.
func Go(f func()) { go Alone(f) }

// Alone calls f in this goroutine, of which it must be the first call, for the same purpose.
func Alone(f func()) {
	defer func() {
		value := recover()
		if value == nil {
			return
		}
		fault := FaultOf(value)
		if end := onPanic.Load(); end != nil {
			(*end)(fault)
		}
		panic(fault)
	}()
	debug.SetPanicOnFault(true)
	f()
}

// Try calls f and returns its error, or its panic as one: a *Fault, or what Lost says.
func Try(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		value := recover()
		if value == nil {
			return
		}
		if err = Lost(value); err == nil {
			err = FaultOf(value)
		}
	}()
	return f()
}

// Files makes a mapped file that cannot be read any more an error of the function that
// defers the call, instead of the end of the program. Other panics pass.
//
//	defer guard.Files(&err)()
func Files(err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		value := recover()
		if value == nil {
			return
		}
		lost := Lost(value)
		if lost == nil {
			panic(FaultOf(value))
		}
		*err = lost
	}
}

// Lost returns the error that a panic stands for if it comes from a mapped file, and nil otherwise.
func Lost(value any) error {
	if f, ok := value.(*Fault); ok {
		value = f.Value
	}
	at, ok := value.(interface{ Addr() uintptr })
	if !ok {
		return nil
	}
	path, ok := mapfile.At(at.Addr())
	if !ok {
		return nil
	}
	return fmt.Errorf("%s: %w: restore the file", path, ErrFileLost)
}
