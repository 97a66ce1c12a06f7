//go:build !amd64 || noasm

package eval

func responsibilities(next, theta, phi, counts []float32) {
	responsibilitiesGo(next, theta, phi, counts)
}

func reestimate(theta, next, alpha []float32) { reestimateGo(theta, next, alpha) }
