//go:build (!amd64 && !arm64) || noasm

package cvb

// There is no assembly here.

func updatePaths() map[string]func(*tile) { return nil }

func sumPaths() map[string]func(sums []int64, rows []int32) { return nil }

func lanePaths() map[string]func(sums *[lanes]int32, gamma []uint8) { return nil }
