// Package linked holds the parts of topoi that a program has only if it imports corpus/source/all: those that need many
// other packages, such as the reader of Parquet. Package image knows PNG in the same way, from image/png.
package linked

import "sync"

// Import is the line that a program without these parts lacks.
const Import = `import _ "github.com/topoi-lda/topoi/corpus/source/all"`

// Part is a part that a program may lack. The zero value is one that it lacks. Any goroutine may use it.
type Part[T any] struct {
	mutex sync.Mutex
	value *T
}

// Register makes value the part. It is called by an init function, and panics when the part is there already.
func (p *Part[T]) Register(value T) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.value != nil {
		panic("linked: a part is registered twice")
	}
	p.value = &value
}

// Get returns the part. ok is false if the program lacks it.
func (p *Part[T]) Get() (value T, ok bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.value == nil {
		return value, false
	}
	return *p.value, true
}
