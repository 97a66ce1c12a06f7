// Package cuda runs kernels on NVIDIA GPUs through the driver's own library,
// opened at run time: no cgo, no CUDA toolkit, one binary for machines with and
// without a GPU.
//
//	ctx, err := cuda.Open(0)                    // the first device
//	defer ctx.Close()
//	module, err := ctx.Load("mean", ptx)        // compiled for the card by the driver
//	kernel, err := module.Function("mean_fix_f32")
//	stream, err := ctx.NewStream()
//	x, err := cuda.NewArray[float32](ctx, n)    // device memory
//	err = kernel.Launch(stream, cuda.Shape{Blocks: 132, Threads: 128}, x, uint32(n))
//	err = x.Download(stream, host)
//
// # Threads
//
// A context is current to one OS thread, which its goroutine never leaves.
// Every method may be called from any goroutine: the call is carried to that
// thread. A sequence of launches goes through [Context.Run] as a whole, which
// pays for the way to the thread once:
//
//	err = ctx.Run(func() error {
//		for _, k := range phases {
//			if err := k.Launch(stream, shape, args...); err != nil {
//				return err
//			}
//		}
//		return counts.DownloadAsync(stream, pinned)
//	})
//
// Launches and the methods whose names end in Async only put work into a
// stream; [Stream.Wait] and [Event.Wait] tell when it is finished.
// A kernel's failure shows at the first call after it that waits.
//
// # Builds
//
// The tag nocuda gives a package with the same API whose [Open] and [Devices]
// answer [ErrNotBuilt]. docs/gpu.md has the driver versions and the rest.
package cuda
