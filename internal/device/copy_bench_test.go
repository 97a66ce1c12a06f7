package device

import (
	"testing"

	"github.com/topoi-lda/topoi/internal/cuda"
)

// BenchmarkCopies tells how fast pinned memory is copied to the GPU, from it, and both
// ways at once: what streaming has to live with.
func BenchmarkCopies(b *testing.B) {
	d, err := Open(0)
	if cuda.Unavailable(err) {
		b.Skipf("needs a GPU: %v", err)
	}
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	must(err)
	defer d.Close()
	a := d.NewArena()
	defer a.Close()
	const n = 64 << 20 // numbers of 4 bytes
	hosts, buffers, queues := [2]*Host[uint32]{}, [2]*Buffer[uint32]{}, [2]*Queue{}
	for i := range hosts {
		hosts[i], buffers[i], queues[i] = Pin[uint32](a, n), Alloc[uint32](a, n), a.Queue()
	}
	must(a.Err())
	send := func() { must(buffers[0].Send(queues[0], hosts[0])) }
	receive := func() { must(buffers[1].Receive(queues[1], hosts[1])) }
	for _, way := range []struct {
		name   string
		copies []func()
	}{{"to", []func(){send}}, {"from", []func(){receive}}, {"both", []func(){send, receive}}} {
		b.Run(way.name, func(b *testing.B) {
			b.SetBytes(4 * n * int64(len(way.copies)))
			for b.Loop() {
				for _, start := range way.copies {
					start()
				}
				must(queues[0].Wait())
				must(queues[1].Wait())
			}
		})
	}
}
