// Command generate compiles every kernel in the current directory to PTX.
package main

import (
	"log"
	"os"

	"github.com/klauspost/compress/zstd"
	"github.com/topoi-lda/topoi/internal/cuda/kernels/compile"
)

func main() {
	log.SetFlags(0)
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
