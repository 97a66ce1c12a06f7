package input

import "testing"

// panicking panics when it is read, as a decompressor might.
type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("no such table") }

// A decompressor that panics is an error of the input, not the end of the program.
func TestDecompressorPanics(t *testing.T) {
	a := NewReadAhead(panicking{}, func() error { return nil })
	if _, err := a.Read(make([]byte, 10)); err == nil || err.Error() != "no such table" {
		t.Errorf("%v", err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}
