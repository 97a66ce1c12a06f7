package topoi

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/engine"
)

// InferOptions say how topics are found for new documents. The zero value is a good default.
type InferOptions struct {
	// Iterations is the number of sweeps that draw each document's topics; 100 is usual. Default 0: the
	// expected topics are computed instead. That is about ten times as fast, and as close to the mean of a
	// long chain of draws. Models with more than 65,536 topics always draw.
	Iterations int

	// BurnIn is the number of sweeps at the beginning that do not count. The result is the average over the
	// others. Default: a fifth of Iterations; negative: none.
	BurnIn int

	// Top is the number of topics that a document has at most: those with the largest shares. Default 0: all.
	Top int

	// Seed is the key of all draws. Default 0.
	Seed uint64

	// Threads is the number of goroutines; it never changes the result. Default: all cores.
	Threads int

	// Device is where to compute: "cpu", "cuda" or "cuda:N" for a GPU, or "auto". "auto" takes the first
	// GPU if there is one and there is enough work to make it worthwhile, else the CPU. It never changes
	// the result. Default "auto".
	Device string

	// DeviceMemory is how many bytes of a GPU's memory to use. It never changes the result. Default 0: all that is free.
	DeviceMemory int64

	// Progress, if not nil, is called now and then with the number of documents that are done.
	Progress func(done, total int)
}

// withDefaults returns o with every default filled in.
func (o InferOptions) withDefaults() InferOptions {
	switch {
	case o.BurnIn < 0:
		o.BurnIn = 0
	case o.BurnIn == 0:
		o.BurnIn = o.Iterations / 5
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Device == "" {
		o.Device = "auto"
	}
	return o
}

// Validate returns all faults of the options at once, joined, or nil.
func (o InferOptions) Validate() error {
	o = o.withDefaults()
	var faults []error
	switch {
	case o.Iterations < 0:
		faults = append(faults, fmt.Errorf("the number of iterations is %d: it must be at least 1, or 0 for the expected topics", o.Iterations))
	case o.Iterations == 0 && o.BurnIn > 0:
		faults = append(faults, fmt.Errorf("a burn-in of %d needs a number of iterations: without one, topics are not drawn", o.BurnIn))
	case o.Iterations > 0 && o.BurnIn >= o.Iterations:
		faults = append(faults, fmt.Errorf("the burn-in of %d leaves none of %d iterations to average over: it must be smaller", o.BurnIn, o.Iterations))
	}
	if o.Top < 0 {
		faults = append(faults, fmt.Errorf("the number of topics of a document is %d: it must not be negative", o.Top))
	}
	if o.Threads < 1 {
		faults = append(faults, fmt.Errorf("the number of threads is %d: it must be at least 1", o.Threads))
	}
	return errors.Join(append(faults, where(o.Device, o.DeviceMemory).Validate())...)
}

// DocTopics are the topics of one document.
type DocTopics struct {
	Doc    int          // number of the document in the corpus that was given
	Tokens int          // N_d; counts only words of the model's vocabulary
	Topics []TopicShare // topics of the document's tokens, largest share first, then by number

	alpha []float64
	sum   float64 // Σα
}

// TopicShare is one topic's share of a document, θ_dk = (n_dk + α_k)/(N_d + Σα). n_dk is expected, or
// averaged over sweeps.
type TopicShare struct {
	Topic  int
	Share  float64 // θ_dk
	Tokens float64 // n_dk, expected or averaged over sweeps
}

// Theta sets dst to θ_d, a share for each of the K topics, and returns it.
func (d *DocTopics) Theta(dst []float64) []float64 {
	dst = slices.Grow(dst[:0], len(d.alpha))[:len(d.alpha)]
	for k, a := range d.alpha {
		dst[k] = a / (float64(d.Tokens) + d.sum)
	}
	for _, t := range d.Topics {
		dst[t.Topic] = t.Share
	}
	return dst
}

// textEncoder turns texts into word ids. The first text creates its encoder.
type textEncoder struct {
	mutex   sync.Mutex
	encoder *corpus.Encoder
}

// encode returns a corpus with the document that encode returns. by returns how texts are cut.
func (e *textEncoder) encode(encode func(e *corpus.Encoder) corpus.Encoded, by func() (corpus.ImportOptions, error)) (*corpus.Corpus, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.encoder == nil {
		options, err := by()
		if err != nil {
			return nil, err
		}
		if e.encoder, err = corpus.NewEncoder(options); err != nil {
			return nil, err
		}
	}
	return e.encoder.Corpus(0, []corpus.Encoded{encode(e.encoder)}), nil
}

// where returns the place to compute on that a name and a memory limit describe.
func where(name string, memory int64) engine.Where { return engine.Where{Device: name, Memory: memory} }
