package source

import "github.com/topoi-lda/topoi/corpus/source/internal/input"

// Error is a fault of the input: where it is, what was found against what was expected, and how to mend it. Errors of
// this package wrap one where a file is at fault. It prints as one sentence:
//
//	docword.kos.txt:17: word id 6907 is out of range 1 to 6906; check …
type Error struct {
	File string // path as the user gave it, or "standard input"
	Line int    // 1-based line, 0 when the fault is not on a line
	Msg  string // what was found and what was expected
	Hint string // how to mend it; may be empty
	Err  error  // underlying error, if any; already part of Msg
}

func (e *Error) Error() string { return (*input.Error)(e).Error() }

// Unwrap returns the underlying error.
func (e *Error) Unwrap() error { return e.Err }

// The readers make errors of an internal type, which errors.As finds as an Error.
func init() {
	input.AsPublic = func(e *input.Error, target any) bool {
		public, ok := target.(**Error)
		if ok {
			*public = (*Error)(e)
		}
		return ok
	}
}
