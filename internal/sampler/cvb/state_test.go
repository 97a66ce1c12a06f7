package cvb

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func topics(s *State) []uint32 {
	z := make([]uint32, s.c.tokens())
	s.Topics(z, make([]int32, s.c.V*s.c.K))
	return z
}

// Topics that responsibilities are started from are those that are drawn, and
// drawn topics have the expected counts: within 4 standard deviations of
// independent draws, and on the average much nearer.
func TestDrawnTopics(t *testing.T) {
	c := corpusOf(6, 300, 40, 10, 4, 30)
	s := started(t, c, 0)
	z := topics(s)
	s.Start(z)
	again := topics(s) // a pair of several topics shares them: only those of one token must come back
	for i, p := range s.l.pairs {
		if p.count == 1 && z[p.token] != again[p.token] {
			t.Fatalf("pair %d was started with topic %d and has %d", i, z[p.token], again[p.token])
		}
	}
	s = started(t, c, 10)
	drawn := make([]float64, c.V*c.K)
	for i, k := range topics(s) {
		drawn[int(c.Words[i])*c.K+int(k)]++
	}
	square, variance := 0.0, 0.0
	mean := make([]float64, c.K)
	for w := range c.V {
		s.WordCounts(mean, w)
		of := 0.0
		for _, x := range mean {
			of += x
		}
		for k, x := range mean {
			v := x * (1 - x/of) // at most: of equal γ
			if d := drawn[w*c.K+k] - x; math.Abs(d) > 4*math.Sqrt(v)+1 {
				t.Errorf("word %d, topic %d: %v tokens, expected %.1f", w, k, drawn[w*c.K+k], x)
			} else {
				square, variance = square+d*d, variance+v
			}
		}
	}
	if square > variance/2 {
		t.Errorf("mean square error %.2f, and %.2f is that of independent draws", square, variance)
	}
}

// Saved bytes restore the state, and others are refused.
func TestSaveAndLoad(t *testing.T) {
	c := corpusOf(8, 100, 40, 20, 4, 20)
	whole, half := started(t, c, 4), started(t, c, 2)
	s := started(t, c, 0)
	if err := s.Load(half.Save()); err != nil {
		t.Fatal(err)
	}
	for i := 3; i <= 4; i++ {
		if err := s.Sweep(context.Background(), i, alphaOf(c.K), 0.05); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(s.Save(), whole.Save()) {
		t.Error("a run that was saved and loaded ends elsewhere")
	}
	saved := s.Save()
	for want, bad := range map[string][]byte{
		"cut short":         saved[:len(saved)-1],
		"pair 0 of":         nil,
		"does not fit":      {none, 200, 1},
		"run of zeroes":     {none, 0},
		"bytes after":       append(slices.Clone(saved), 0),
		"sum to 0.00":       bytes.Repeat([]byte{none, byte(c.K)}, len(s.l.pairs)),
		"a run of zeroes d": {1, 1, none},
	} {
		if err := s.Load(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Every row comes back from the bytes it is packed into.
func TestPacked(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		gamma := bytes.Repeat([]byte{none}, 1+r.IntN(300))
		for range r.IntN(8) {
			gamma[r.IntN(len(gamma))] = byte(r.UintN(256))
		}
		got := emptyRow(len(gamma))
		rest, err := unpack(got, append(appendPacked(nil, gamma), 7))
		if err != nil || !bytes.Equal(rest, []byte{7}) || !bytes.Equal(got, gamma) {
			t.Fatalf("%v became %v, with %v left: %v", gamma, got, rest, err)
		}
	}
}

func ExampleState() {
	c := &Corpus{Offsets: []uint64{0, 2, 4, 6}, Words: []uint32{0, 1, 0, 1, 2, 3}, V: 4, K: 2, Threads: 1}
	s, _ := New(c)
	s.Start(nil)
	for i := range 50 {
		_ = s.Sweep(context.Background(), i+1, []float64{0.1, 0.1}, 0.01)
	}
	var a, b [2]float64
	s.WordCounts(a[:], 0)
	s.WordCounts(b[:], 2)
	fmt.Println((a[0] > a[1]) != (b[0] > b[1]))
	// Output: true
}
