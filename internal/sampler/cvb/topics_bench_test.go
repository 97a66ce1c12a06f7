package cvb

import (
	"fmt"
	"testing"
)

// What drawing topics costs beside a sweep, of a corpus as large as KOS.
func BenchmarkTopics(b *testing.B) {
	for _, k := range []int{50, 200} {
		c := corpusOf(1, 3000, 7000, k, 50, 110)
		s, err := New(c)
		if err != nil {
			b.Fatal(err)
		}
		s.Start(nil)
		alpha := alphaOf(k)
		sweep := func(i int) {
			if err := s.Sweep(b.Context(), i, alpha, 0.05); err != nil {
				b.Fatal(err)
			}
		}
		for i := range 20 {
			sweep(i + 1)
		}
		z, counts := make([]uint32, len(c.Words)), make([]int32, c.V*c.K)
		b.Run(fmt.Sprintf("sweep/K=%d", k), func(b *testing.B) {
			for b.Loop() {
				sweep(21)
			}
		})
		b.Run(fmt.Sprintf("draw/K=%d", k), func(b *testing.B) {
			for b.Loop() {
				s.Topics(z, counts)
			}
		})
	}
}
