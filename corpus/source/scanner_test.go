package source

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"
)

// small returns a scanner with a tiny buffer, so that lines cross its end.
func small(r io.Reader) *scanner {
	s := newScanner("test", r)
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
			line, err := s.next()
			if err != nil || string(line) != w || s.line != i+1 {
				t.Fatalf("line %d: %q, %v, want %q on line %d", s.line, line, err, w, i+1)
			}
		}
		if line, err := s.next(); err != io.EOF {
			t.Fatalf("after the end: %q, %v", line, err)
		}
		s = small(strings.NewReader(text))
		var blocks []byte
		for {
			b, err := s.block()
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
	for name, next := range map[string]func(*scanner) ([]byte, error){"next": (*scanner).next, "block": (*scanner).block, "all": (*scanner).all} {
		s := small(strings.NewReader(strings.Repeat("x", 1000)))
		s.max = 100
		_, err := next(s)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), "is longer than 100 bytes; ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestScannerReadError(t *testing.T) {
	s := small(io.MultiReader(strings.NewReader("one\ntw"), iotest.ErrReader(errors.New("disk on fire"))))
	if line, err := s.next(); string(line) != "one" || err != nil {
		t.Fatalf("%q, %v", line, err)
	}
	if _, err := s.next(); err == nil || err.Error() != "test:2: cannot read: disk on fire" {
		t.Fatal(err)
	}
	if _, err := small(stubborn{}).next(); !errors.Is(err, io.ErrNoProgress) {
		t.Fatalf("a reader that never gives anything: %v", err)
	}
}

// stubborn is a reader that returns neither bytes nor an error.
type stubborn struct{}

func (stubborn) Read([]byte) (int, error) { return 0, nil }

// repeated yields n copies of a byte.
type repeated struct {
	b byte
	n int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.n == 0 {
		return 0, io.EOF
	}
	p = p[:min(len(p), r.n)]
	for i := range p {
		p[i] = r.b
	}
	r.n -= len(p)
	return len(p), nil
}

// TestHundredMegabyteLine reads a line of 100 MB with every reader that cuts
// lines. It takes well under a second unless growth is quadratic; the bound is
// generous for slow machines and the race detector.
func TestHundredMegabyteLine(t *testing.T) {
	if testing.Short() {
		t.Skip("needs half a gigabyte of memory")
	}
	const n = 100_000_000
	for _, c := range []struct {
		format, before, after string
		want                  string // error, if any
	}{
		{format: "lines"},
		{format: "mallet", before: "id label "},
		{format: "csv", before: "text\n\"", after: "\"\n"},
		{format: "jsonl", before: `{"text": "`, after: "\"}\n"},
		{format: "uci", before: "1\n1\n1\n1 1 ", want: "big:4: count is \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"…, which is not a whole number; expected a whole number from 0 to 4294967295"},
	} {
		begin := time.Now()
		in := newScanner("big", io.MultiReader(strings.NewReader(c.before), &repeated{'x', n}, strings.NewReader(c.after)))
		if _, err := in.head(); err != nil {
			t.Fatal(err)
		}
		src, err := formatByName(c.format).open("big", in, &Options{})
		if err != nil {
			t.Fatal(err)
		}
		var doc Document
		err = src.Next(&doc)
		if c.want != "" {
			if err == nil || err.Error() != c.want {
				t.Errorf("%s: got %.300v, want %s", c.format, err, c.want)
			}
		} else if err != nil || len(doc.Text) != n {
			t.Errorf("%s: %d bytes, %v", c.format, len(doc.Text), err)
		}
		if took := time.Since(begin); took > 30*time.Second {
			t.Errorf("%s: took %v", c.format, took)
		}
	}
}

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
		if v, n := parseUint([]byte(c.in), 0); v != c.v || n != c.next {
			t.Errorf("parseUint(%q) = %d, %d, want %d, %d", c.in, v, n, c.v, c.next)
		}
	}
}

func TestCheckTextRepair(t *testing.T) {
	got, err := checkText([]byte("a\xff\xfeb\x00c"), small(bytes.NewReader(nil)), 0, &Options{RepairUTF8: true})
	if err != nil || string(got) != "a\uFFFDb\uFFFDc" {
		t.Errorf("%q, %v", got, err)
	}
}
