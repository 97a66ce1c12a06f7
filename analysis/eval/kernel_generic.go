//go:build (!amd64 && !arm64) || noasm

package eval

func responsibilities(next, theta, phi, counts []float32) {
	responsibilitiesGo(next, theta, phi, counts)
}

func reestimate(theta, next, alpha []float32) { reestimateGo(theta, next, alpha) }

func dot(a, b []float32) float32 { return dotGo(a, b) }

func reduce(row, theta, background, inverse []float32, g float32) {
	reduceGo(row, theta, background, inverse, g)
}
