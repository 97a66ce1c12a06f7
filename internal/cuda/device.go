package cuda

import (
	"bytes"
	"fmt"
	"unsafe"
)

// Device describes one GPU.
type Device struct {
	Ordinal      int
	Name         string
	UUID         string
	Major, Minor int   // compute capability
	Memory       int64 // bytes of device memory
	SMs          int   // streaming multiprocessors
	SharedOptIn  int   // largest shared memory of a block, in bytes
}

// The kernels are compiled for compute capability 8.0 (Ampere); the driver compiles them further for anything newer.
const minimumMajor, minimumMinor = 8, 0

// Usable reports whether the kernels can run on the device.
func (d Device) Usable() bool {
	return d.Major > minimumMajor || d.Major == minimumMajor && d.Minor >= minimumMinor
}

// Attributes of a device (CUdevice_attribute in cuda.h).
const (
	attributeSMs             = 16
	attributeCapabilityMajor = 75
	attributeCapabilityMinor = 76
	attributeSharedOptIn     = 97
)

// Devices returns the GPUs in the driver's order, including those too old for the kernels (see
// [Device.Usable]). If there is none, the error says why in one sentence, and [Unavailable] holds for it.
func Devices() ([]Device, error) {
	d, err := theDriver()
	if err != nil {
		return nil, err
	}
	var n int32
	if err := d.check(d.deviceGetCount.call(uintptr(unsafe.Pointer(&n))), "counting GPUs"); err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, fmt.Errorf("cuda: the driver sees no GPU: is CUDA_VISIBLE_DEVICES empty? (%w)", ErrNoDevice)
	}
	devices := make([]Device, n)
	for i := range devices {
		if devices[i], err = d.device(i); err != nil {
			return nil, err
		}
	}
	return devices, nil
}

// device reads the description of one GPU.
func (d *driver) device(ordinal int) (Device, error) {
	dev := Device{Ordinal: ordinal}
	handle, err := d.deviceHandle(ordinal)
	if err != nil {
		return dev, err
	}
	name := make([]byte, 256)
	if err := d.check(d.deviceGetName.call(uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)), uintptr(handle)),
		"asking for the name of GPU %d", ordinal); err != nil {
		return dev, err
	}
	text, _, _ := bytes.Cut(name, []byte{0})
	dev.Name = string(text)
	var id [16]byte
	if err := d.check(d.deviceGetUUID.call(uintptr(unsafe.Pointer(&id)), uintptr(handle)),
		"asking for the UUID of GPU %d", ordinal); err != nil {
		return dev, err
	}
	dev.UUID = fmt.Sprintf("GPU-%x-%x-%x-%x-%x", id[0:4], id[4:6], id[6:8], id[8:10], id[10:16])
	var memory uint64
	if err := d.check(d.deviceTotalMem.call(uintptr(unsafe.Pointer(&memory)), uintptr(handle)),
		"asking for the memory of GPU %d", ordinal); err != nil {
		return dev, err
	}
	dev.Memory = int64(memory)
	for _, a := range []struct {
		attribute int
		field     *int
	}{
		{attributeCapabilityMajor, &dev.Major},
		{attributeCapabilityMinor, &dev.Minor},
		{attributeSMs, &dev.SMs},
		{attributeSharedOptIn, &dev.SharedOptIn},
	} {
		var v int32
		if err := d.check(d.deviceGetAttribute.call(uintptr(unsafe.Pointer(&v)), uintptr(a.attribute), uintptr(handle)),
			"asking for attribute %d of GPU %d", a.attribute, ordinal); err != nil {
			return dev, err
		}
		*a.field = int(v)
	}
	return dev, nil
}

func (d *driver) deviceHandle(ordinal int) (int32, error) {
	var handle int32
	err := d.check(d.deviceGet.call(uintptr(unsafe.Pointer(&handle)), uintptr(ordinal)), "opening GPU %d", ordinal)
	return handle, err
}
