package source

import "github.com/topoi-lda/topoi/corpus/source/internal/input"

// Error is a fault of the input: where it is (File, Line), what was found against what was
// expected (Msg), how to mend it (Hint), and what lies below (Err). It prints as one sentence:
//
//	docword.kos.txt:17: word id 6907 is out of range 1 to 6906; check …
type Error = input.Error

// MaxLine is the length in bytes of the longest line, record or text file that the readers take.
const MaxLine = input.MaxLine

// Encodings lists names of common encodings for Options.Encoding. Other names
// that browsers know are understood, too.
func Encodings() []string { return input.Encodings() }
