package conveyor

import (
	"context"
	"fmt"
	"io"
	"testing"
)

// TestConveyor: jobs leave in the order in which they came, and of several
// faults the first in that order is told, whatever the number of threads.
func TestConveyor(t *testing.T) {
	for _, threads := range []int{1, 3, 8} {
		for _, fault := range []int{-1, 0, 41} {
			next, drained := 0, 0
			c := Conveyor[*int]{
				Threads: threads,
				Fill: func(job *int) error {
					if *job = next; next == 100 {
						return io.EOF
					}
					next++
					return nil
				},
				Work: func(_ int, job *int) error {
					if fault >= 0 && *job >= fault {
						return fmt.Errorf("job %d", *job)
					}
					return nil
				},
				Drain: func(job *int) error {
					if *job != drained {
						t.Errorf("job %d came out as number %d", *job, drained)
					}
					drained++
					return nil
				},
			}
			for range 5 {
				c.Jobs = append(c.Jobs, new(int))
			}
			err := c.Run(context.Background())
			if fault < 0 && (err != nil || drained != 100) {
				t.Errorf("%d threads: %d jobs drained, %v", threads, drained, err)
			}
			if fault >= 0 && (err == nil || err.Error() != fmt.Sprintf("job %d", fault) || drained != fault) {
				t.Errorf("%d threads: %d jobs drained, then %v, want job %d", threads, drained, err, fault)
			}
		}
	}
}
