package sampling_test

import (
	"fmt"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/sampling"
)

// Choices inside a sampler are checked with the other options of a run.
func ExampleTuning() {
	o := topoi.Options{Topics: 20, Sampler: "light", Tuning: sampling.Tuning{MHSteps: 8}}
	fmt.Println(o.Validate())
	o.Tuning.MHSteps = 300
	fmt.Println(o.Validate() != nil)
	// Output:
	// <nil>
	// true
}
