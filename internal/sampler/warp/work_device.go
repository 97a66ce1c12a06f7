package warp

import "github.com/topoi-lda/topoi/internal/device"

// warpList is a list of work on the device.
type warpList struct {
	items *device.Buffer[uint32]
	n     int
}

func newWarpList(a *device.Arena, items []uint32, each int) warpList {
	return warpList{device.Upload(a, items), len(items) / each}
}
