package sampler

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/human"
)

// warpTokenBytes is how many bytes a token takes on a device that holds all of them: its topic and
// proposals, its topic once more for copies, and two positions.
func warpTokenBytes(p *Problem) int64 {
	m := or(p.Tuning.MHSteps, warpProposals)
	switch {
	case p.K > 1<<16:
		return int64(4*(m+2) + 8)
	case m == 2:
		return 2*5 + 8
	}
	return int64(2*(m+2) + 8)
}

// checkWarpRoom refuses a corpus that is too large for the device.
func checkWarpRoom(p *Problem, d *device.Device) error {
	room, err := d.Room()
	if err != nil {
		return err
	}
	if need := int64(p.N()) * warpTokenBytes(p); need > room {
		return fmt.Errorf("the device's memory is too small for warp: %d tokens of %d bytes are %s, and %s may be used: allow more with --device-memory, or train on the CPU (%w)",
			p.N(), warpTokenBytes(p), human.Bytes(need), human.Bytes(room), cuda.ErrOutOfMemory)
	}
	return nil
}
