package columns

import (
	"fmt"
	"testing"
)

// BenchmarkGuesser measures values of the columns that tables usually have.
func BenchmarkGuesser(b *testing.B) {
	for name, value := range map[string]func(i int) string{
		"category": func(i int) string { return []string{"SPD", "CDU", "DIE LINKE"}[i%3] },
		"speaker":  func(i int) string { return fmt.Sprintf("speaker %d", i%5000) },
		"number":   func(i int) string { return fmt.Sprintf("%d.25", i%1000) },
		"date":     func(i int) string { return fmt.Sprintf("20%02d-%02d-11", i%30, 1+i%12) },
		"list":     func(i int) string { return []string{"tax|war", "war", "health|tax|school"}[i%3] },
	} {
		values := make([][]byte, 5000)
		for i := range values {
			values[i] = []byte(value(i))
		}
		b.Run(name, func(b *testing.B) {
			var g Guesser
			for i := 0; b.Loop(); i++ {
				g.Add(values[i%len(values)])
			}
		})
	}
}
