package topoi

import "github.com/topoi-lda/topoi/internal/ondisk"

// checkpoint is everything a run needs to go on: together with the corpus it
// determines all later bytes.
type checkpoint struct {
	Options   RunOptions    // must equal those of the resuming run
	Corpus    string        // fingerprint of the whole corpus
	Iteration int           // sweeps done
	Alpha     []float64     // K: α after Iteration
	Beta      float64       // β after Iteration
	History   []Score       // evaluations so far
	Topics    assignments   // N: z after Iteration, corpus order; 32 bits wide when read
	Parts     *ondisk.State // where z is instead, when it is kept in files; Topics is empty then
	Extra     []byte        // what the sampler's state holds beyond z; usually empty
}
