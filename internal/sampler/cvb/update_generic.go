//go:build (!amd64 && !arm64) || noasm

package cvb

func update(t *tile) { updateGo(t) }

func sumRows(sums []int64, rows []int32) { sumRowsGo(sums, rows) }

func laneSums(sums *[lanes]int32, gamma []uint8) { laneSumsGo(sums, gamma) }

func draw(z []uint32, gamma []uint8, _ []int32, u uint32) { drawGo(z, gamma, u) }
