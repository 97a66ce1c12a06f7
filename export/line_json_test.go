package export

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Strings and numbers are written as encoding/json writes them.
func TestJSONOfLines(t *testing.T) {
	encoded := func(value any) string {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(value); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for _, x := range []float32{0, 1, 0.1, 1e-6, 9.99e-7, 1e-9, 1e-10, 1.5e-45, 123456790, 1e21, 9.9e20, 3e38, float32(math.Copysign(0, -1))} {
		var l line
		l.jsonFloat(x)
		if got, want := string(l)+"\n", encoded(x); got != want {
			t.Errorf("%v is written as %q, not as %q", x, got, want)
		}
	}
	for _, s := range []string{"", "plain", `a "b" \ c`, "<&>", "\u2028", "ü", "\xff", "\x00\t\n\x7f"} {
		var l line
		l.json(s)
		if got, want := string(l)+"\n", encoded(s); got != want {
			t.Errorf("%q is written as %q, not as %q", s, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x, s := rapid.Float32().Draw(t, "x"), rapid.String().Draw(t, "s")
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			x = 0
		}
		var l line
		l.jsonFloat(x)
		l.byte(' ')
		l.json(s)
		want := bytes.TrimSuffix([]byte(encoded(x)), []byte("\n"))
		if got := string(l) + "\n"; got != string(want)+" "+encoded(s) {
			t.Fatalf("%v and %q are written as %q", x, s, got)
		}
	})
}
