package progress

import (
	"os"

	"golang.org/x/term"
)

// Columns returns a function that returns how many columns a terminal has now, or 80 where f is none.
func Columns(f *os.File) func() int {
	return func() int {
		if f != nil {
			if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
				return width
			}
		}
		return 80
	}
}
