//go:build !amd64 || noasm

package eval

func responsibilities(next, theta, phi, counts []float32) {
	responsibilitiesGo(next, theta, phi, counts)
}
