package input

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// small returns a scanner with a tiny buffer, so that lines cross its end.
func small(r io.Reader) *Scanner {
	s := NewScanner("test", r)
	s.buf = make([]byte, 4)
	return s
}

func TestScannerLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([a-c]{0,12}\r?\n?){0,8}`).Draw(t, "text")
		var want []string
		rest := text
		for rest != "" {
			line, after, _ := strings.Cut(rest, "\n")
			want = append(want, strings.TrimSuffix(line, "\r"))
			rest = after
		}
		s := small(iotest.OneByteReader(strings.NewReader(text)))
		for i, w := range want {
			line, err := s.Next()
			if err != nil || string(line) != w || s.Line != i+1 {
				t.Fatalf("line %d: %q, %v, want %q on line %d", s.Line, line, err, w, i+1)
			}
		}
		if line, err := s.Next(); err != io.EOF {
			t.Fatalf("after the end: %q, %v", line, err)
		}
		s = small(strings.NewReader(text))
		var blocks []byte
		for {
			b, err := s.Block()
			if err == io.EOF {
				break
			}
			if err != nil || len(b) == 0 || b[len(b)-1] != '\n' {
				t.Fatalf("block %q, %v", b, err)
			}
			blocks = append(blocks, b...)
		}
		whole := text
		if text != "" && !strings.HasSuffix(text, "\n") {
			whole += "\n"
		}
		if string(blocks) != whole {
			t.Fatalf("blocks %q, want %q", blocks, whole)
		}
	})
}

func TestScannerLongLine(t *testing.T) {
	for name, next := range map[string]func(*Scanner) ([]byte, error){"next": (*Scanner).Next, "block": (*Scanner).Block, "all": (*Scanner).All} {
		s := small(strings.NewReader(strings.Repeat("x", 1000)))
		s.Max = 100
		_, err := next(s)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), "is longer than 100 bytes; ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestScannerReadError(t *testing.T) {
	s := small(io.MultiReader(strings.NewReader("one\ntw"), iotest.ErrReader(errors.New("disk on fire"))))
	if line, err := s.Next(); string(line) != "one" || err != nil {
		t.Fatalf("%q, %v", line, err)
	}
	if _, err := s.Next(); err == nil || err.Error() != "test:2: cannot read: disk on fire" {
		t.Fatal(err)
	}
	if _, err := small(stubborn{}).Next(); !errors.Is(err, io.ErrNoProgress) {
		t.Fatalf("a reader that never gives anything: %v", err)
	}
}

// stubborn is a reader that returns neither bytes nor an error.
type stubborn struct{}

func (stubborn) Read([]byte) (int, error) { return 0, nil }

func TestParseUint(t *testing.T) {
	for _, c := range []struct {
		in   string
		v    uint64
		next int
	}{
		{"7 ", 7, 1},
		{"x", 0, 0},
		{"-1\n", 0, 0},
		{"000012\n", 12, 6},
		{"999999999999999999\n", 999999999999999999, 18},
		{"1000000000000000000\n", 0, 0},
	} {
		if v, n := ParseUint([]byte(c.in), 0); v != c.v || n != c.next {
			t.Errorf("parseUint(%q) = %d, %d, want %d, %d", c.in, v, n, c.v, c.next)
		}
	}
}

func TestCheckTextRepair(t *testing.T) {
	repairing := &Scanner{Name: "test", Repair: true}
	got, err := CheckText([]byte("a\xff\xfeb\x00c"), repairing, 0)
	if err != nil || string(got) != "a\uFFFDb\uFFFDc" {
		t.Errorf("%q, %v", got, err)
	}
}
