// Command generate compiles every kernel in the current directory to PTX, and writes what
// Go shares with them.
package main

import (
	"log"
	"os"

	"github.com/klauspost/compress/zstd"
	"github.com/topoi-lda/topoi/internal/cuda/kernels/compile"
)

func main() {
	log.SetFlags(0)
	layout, err := compile.Layout(".")
	if err == nil {
		err = os.WriteFile(compile.LayoutFile, layout, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
	names, err := compile.Names(".")
	if err != nil {
		log.Fatal(err)
	}
	writer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range names {
		ptx, err := compile.PTX(".", name)
		if err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(name+".ptx.zst", writer.EncodeAll(ptx, nil), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
