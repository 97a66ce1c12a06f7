package mapfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unsafe"
)

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	for _, content := range []string{"", "x", "0123456789abcdef"} {
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(f.Data) != content {
			t.Errorf("%q, want %q", f.Data, content)
		}
		if err := errors.Join(f.Close(), f.Close()); err != nil {
			t.Errorf("closing twice: %v", err)
		}
		r, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(content) > 0 {
			read, err := readFile(r, len(content))
			if err != nil || string(read.Data) != content {
				t.Errorf("read %q, %v, want %q", read.Data, err, content)
			}
		}
		r.Close()
	}
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	if _, err := Open(dir); err == nil || err.Error() != "map "+dir+": it is not a regular file" {
		t.Errorf("a directory: %v", err)
	}
}

func TestViewAndBytes(t *testing.T) {
	b := append(Aligned(0), 1, 0, 0, 0, 2, 1, 0, 0)
	aligned := Aligned(len(b))
	copy(aligned, b)
	if uintptr(unsafe.Pointer(&aligned[0]))%8 != 0 {
		t.Error("not aligned")
	}
	if got := View[uint32](aligned); !slices.Equal(got, []uint32{1, 258}) {
		t.Errorf("%v", got)
	}
	if got := View[uint16](aligned); !slices.Equal(got, []uint16{1, 0, 258, 0}) {
		t.Errorf("%v", got)
	}
	if got := Bytes(View[uint64](aligned)); !slices.Equal(got, b) {
		t.Errorf("%v, want %v", got, b)
	}
	if got := Bytes([]float64{1}); !slices.Equal(got, []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}) {
		t.Errorf("%v", got)
	}
	if View[uint64](nil) != nil || Bytes[uint16](nil) != nil {
		t.Error("nothing became something")
	}
}

// TestOtherByteOrder runs the copying code that big-endian machines need.
func TestOtherByteOrder(t *testing.T) {
	defer func(b bool) { littleEndian = b }(littleEndian)
	littleEndian = false
	x := []uint32{1, 1 << 30, 77}
	if got := View[uint32](Bytes(x)); !slices.Equal(got, x) {
		t.Errorf("%v, want %v", got, x)
	}
}

// What was forgotten can be read again.
func TestForget(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	content := make([]byte, 5*os.Getpagesize()+77)
	for i := range content {
		content[i] = byte(i * 7)
	}
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, r := range [][2]int{{0, len(content)}, {1, 2}, {5, 5}, {100, len(content) - 3}} {
		f.Forget(f.Data[r[0]:r[1]])
		if !slices.Equal(f.Data, content) {
			t.Fatalf("other bytes after forgetting %v", r)
		}
	}
	inMemory := File{Data: slices.Clone(content)}
	inMemory.Forget(inMemory.Data)
	if !slices.Equal(inMemory.Data, content) {
		t.Fatal("memory that is no map was forgotten")
	}
}
