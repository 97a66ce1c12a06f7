package discrete_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/topoi-lda/topoi/internal/discrete"
)

// Three outcomes in proportion 1 : 0 : 3, drawn for four values of u.
func ExampleBinary() {
	var s discrete.Binary[float64]
	s.Build([]float64{1, 0, 3})
	for _, u := range []float64{0, 0.24, 0.25, 0.99} {
		fmt.Print(s.Draw(u), " ")
	}
	// Output: 0 0 2 2
}

// A loaded die thrown many times: the table is built once, a throw costs one
// look-up.
func ExampleAlias() {
	var die discrete.Alias[float64]
	die.Build([]float64{1, 1, 1, 1, 1, 5})
	r := rand.New(rand.NewPCG(1, 2))
	sixes := 0
	for range 100_000 {
		if die.Draw(r.Float64()) == 5 {
			sixes++
		}
	}
	fmt.Printf("%.2f\n", float64(sixes)/100_000)
	// Output: 0.50
}

// Two documents draw a topic each, with the table that a warp of 32 GPU lanes
// would make.
func ExampleButterfly() {
	var b discrete.Butterfly[float32]
	b.Build([][]float32{
		{1, 1, 1, 1},
		{0, 0, 0, 7},
	})
	topics := make([]int, 2)
	b.Draw(topics, []float32{0.3, 0.3})
	fmt.Println(topics)
	// Output: [1 3]
}

func ExampleCheck() {
	fmt.Println(discrete.Check([]float32{0.5, -1}))
	fmt.Println(discrete.Check([]float32{0, 0}))
	// Output:
	// discrete: negative weight: a[1] = -1
	// discrete: all weights are zero
}
