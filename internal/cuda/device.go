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
	L2           int   // bytes of level-2 cache
	SMs          int   // streaming multiprocessors
	SharedPerSM  int   // bytes of shared memory of one multiprocessor
	SharedOptIn  int   // bytes of shared memory one block can have at most
	ClockKHz     int   // of the multiprocessors, at most
	BusBits      int   // width of the memory bus
}

// The kernels are compiled for compute capability 8.0 (Ampere); the driver
// compiles them further for anything newer.
const minimumMajor, minimumMinor = 8, 0

// Usable says whether the kernels can run on the device.
func (d Device) Usable() bool {
	return d.Major > minimumMajor || d.Major == minimumMajor && d.Minor >= minimumMinor
}

func (d Device) String() string {
	return fmt.Sprintf("%d: %s, compute capability %d.%d, %d multiprocessors, %s memory, %s L2",
		d.Ordinal, d.Name, d.Major, d.Minor, d.SMs, byteText(d.Memory), byteText(int64(d.L2)))
}

// Attributes of a device (CUdevice_attribute in cuda.h).
const (
	attributeClockRate       = 13
	attributeSMs             = 16
	attributeBusWidth        = 37
	attributeL2              = 38
	attributeCapabilityMajor = 75
	attributeCapabilityMinor = 76
	attributeSharedPerSM     = 81
	attributeSharedOptIn     = 97
)

// Devices lists the GPUs in the driver's order, those too old for the kernels
// among them (see [Device.Usable]). The error says in one sentence why there is
// none; [Unavailable] holds for it.
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
		{attributeL2, &dev.L2},
		{attributeSMs, &dev.SMs},
		{attributeSharedPerSM, &dev.SharedPerSM},
		{attributeSharedOptIn, &dev.SharedOptIn},
		{attributeClockRate, &dev.ClockKHz},
		{attributeBusWidth, &dev.BusBits},
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

// byteText writes a number of bytes with a binary prefix.
func byteText(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}
