package topoi

import (
	"fmt"
	"runtime"

	"github.com/topoi-lda/topoi/internal/cuda"
)

// Device is a processor that topoi can compute on.
type Device struct {
	Name    string `json:"name"`             // "cpu", or "cuda:0" and so on
	Model   string `json:"model"`            // what it is
	Memory  int64  `json:"memory,omitempty"` // bytes of its own memory; 0 for the CPU
	Usable  bool   `json:"usable"`           // whether it is new enough
	Details string `json:"details"`          // for people
}

// Devices lists the processors of this machine, the CPU first. The error says
// why there is no GPU, if there is none; the list is valid all the same.
func Devices() ([]Device, error) {
	list := []Device{{
		Name:    "cpu",
		Model:   runtime.GOARCH,
		Usable:  true,
		Details: fmt.Sprintf("%d threads at once", runtime.GOMAXPROCS(0)),
	}}
	gpus, err := cuda.Devices()
	for _, d := range gpus {
		list = append(list, Device{
			Name:    fmt.Sprintf("cuda:%d", d.Ordinal),
			Model:   d.Name,
			Memory:  d.Memory,
			Usable:  d.Usable(),
			Details: fmt.Sprintf("compute capability %d.%d, %d multiprocessors", d.Major, d.Minor, d.SMs),
		})
	}
	return list, err
}
