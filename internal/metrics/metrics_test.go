package metrics

import (
	"math"
	"testing"
)

// A mean leaves out what is no number.
func TestMean(t *testing.T) {
	nan := math.NaN()
	if !math.IsNaN(Mean(nil)) || !math.IsNaN(Mean([]float64{nan})) || Mean([]float64{3}) != 3 || Mean([]float64{1, nan, 4}) != 2.5 {
		t.Errorf("means %v, %v, %v and %v", Mean(nil), Mean([]float64{nan}), Mean([]float64{3}), Mean([]float64{1, nan, 4}))
	}
}
