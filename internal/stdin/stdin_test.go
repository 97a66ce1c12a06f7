package stdin

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// A reader passes on what comes, and returns when its context ends although nothing comes.
func TestUntil(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	defer func(before *os.File) { os.Stdin = before }(os.Stdin)
	os.Stdin = r
	ctx, cancel := context.WithCancel(t.Context())
	defer Until(ctx)()
	in := Reader()
	want := strings.Repeat("some text ", 1000)
	go func() { _, _ = io.WriteString(w, want) }()
	got := make([]byte, len(want))
	if _, err := io.ReadFull(in, got); err != nil || string(got) != want {
		t.Fatalf("read %d bytes, %v", len(got), err)
	}
	time.AfterFunc(10*time.Millisecond, cancel)
	if n, err := in.Read(got); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("read %d bytes, %v", n, err)
	}
}
