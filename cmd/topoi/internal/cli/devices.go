package cli

import (
	"fmt"
	"runtime"

	"github.com/topoi-lda/topoi/internal/cuda"
)

// Device is a processor that topoi can compute on.
type Device struct {
	Name    string `json:"name"`             // "cpu", or "cuda:0" and so on
	Model   string `json:"model"`            // product name, or the architecture of the CPU
	Memory  int64  `json:"memory,omitempty"` // bytes of its own memory; 0 for the CPU
	Usable  bool   `json:"usable"`           // whether topoi supports it
	Details string `json:"details"`          // a description for people
}

// Devices lists the processors of this machine, the CPU first. If there is no GPU, the error gives the
// reason, and the list is still valid.
func Devices() ([]Device, error) {
	threads := fmt.Sprintf("%d threads at once", runtime.GOMAXPROCS(0))
	list := []Device{{Name: "cpu", Model: runtime.GOARCH, Usable: true, Details: threads}}
	gpus, err := cuda.Devices()
	for _, d := range gpus {
		details := fmt.Sprintf("compute capability %d.%d, %d multiprocessors", d.Major, d.Minor, d.SMs)
		list = append(list, Device{fmt.Sprintf("cuda:%d", d.Ordinal), d.Name, d.Memory, d.Usable(), details})
	}
	return list, err
}
