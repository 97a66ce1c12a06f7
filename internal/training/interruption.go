package training

import (
	"context"
	"errors"
	"fmt"
)

// Interruption is the error of a run whose context ended. [errors.Is] finds Is, the error of the context and its
// cause.
type Interruption struct {
	Sign  error  // the error by which package topoi knows interruptions
	After string // how far the run was; may be empty
	Ended error  // the error of the context
	Cause error  // why that ended
}

// Interrupted returns the error of a run that was interrupted after what after tells, because ctx has ended.
func Interrupted(ctx context.Context, sign error, after string) error {
	return &Interruption{Sign: sign, After: after, Ended: ctx.Err(), Cause: context.Cause(ctx)}
}

func (i *Interruption) Error() string {
	text := i.Sign.Error()
	if i.After != "" {
		text += " after " + i.After
	}
	if i.Cause == nil || i.Cause == context.Canceled {
		return text
	}
	return fmt.Sprintf("%s: %v", text, i.Cause)
}

// Is reports whether target is the sign, or the error of the context.
func (i *Interruption) Is(target error) bool {
	return errors.Is(i.Sign, target) || errors.Is(i.Ended, target)
}

// Unwrap returns the cause.
func (i *Interruption) Unwrap() error { return i.Cause }
