package counts

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// BenchmarkUCI shows how much of reading can be done by many goroutines: parse, of all.
func BenchmarkUCI(b *testing.B) {
	const docs, each = 8000, 100
	var text bytes.Buffer
	for d := range docs {
		for i := range each {
			fmt.Fprintf(&text, "%d %d 1\n", d+1, i*500+1+(d*7919+i*104729)%500)
		}
	}
	header := fmt.Sprintf("%d\n50000\n%d\n", docs, docs*each)
	b.Run("parse", func(b *testing.B) {
		u := &uci{docs: docs, width: 50000, entries: docs * each}
		p := &piece[uciLines]{text: text.Bytes()}
		b.SetBytes(int64(text.Len()))
		for b.Loop() {
			u.parse(p)
		}
	})
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("all/threads=%d", threads), func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				in := input.NewScanner("bench", io.MultiReader(bytes.NewReader([]byte(header)), bytes.NewReader(text.Bytes())))
				u, err := OpenUCI("bench", in, &Options{Threads: threads})
				if err != nil {
					b.Fatal(err)
				}
				for err == nil {
					err = u.Next(&Document{})
				}
				if err != io.EOF {
					b.Fatal(err)
				}
			}
		})
	}
}
