// Package simulate predicts how long an iteration of a cluster job takes, what
// travels, and what must fit into memory, from a dozen numbers.
//
// In a round every worker samples its parts of the corpus against the model that
// it holds, and writes for each part and slice of the vocabulary one blob of changes
// to the store. With five parts or more, whoever has a slice reads its blobs and
// writes their sum, and everybody reads the sums; with fewer, everybody reads the
// blobs of all other parts. Then everybody adds them to its model. At a barrier,
// every few iterations, rows and topics are written as well. So with
//
//	N, K, V     tokens, topics, words
//	W, H, P     workers, shards of the store, parts of the corpus
//	R           rounds in an iteration (1 for warp and light, 1 … 8 for batch)
//	r           tokens a worker samples in a second
//	e_P, e_Σ    entries (word, topic) that a part changes in a round, and all parts; see Load
//	e_R, e_S    entries of all rows, the non-zeros of n_wk, and of those that workers keep sparse
//	b_P, b_Σ, b_R   their bytes
//	B, L        bytes a machine's network moves in a second each way; time of a round trip
//	M           bytes that one shard copies in a second, in and out together
//	C           entries that a worker encodes, decodes or adds in a second
//
// a round takes
//
//	sampling    N / (R W r) · (1 + j √(2 ln W / (s + 1)))
//	coding      (2 P/W e_P + e_Σ/W + e_Σ + e_S) / C with sums, (P/W e_P + P e_P + e_S) / C without
//	exchange    the longest of: what a worker receives / B, what a shard sends / B,
//	            what a shard sends and receives / M; and 3 L, with sums 5 L
//
// Where rows are apart, a worker keeps none but those of the slices that it has: in a round it adds P/W of
// the parts' changes to its share of the rows and publishes it, and it fetches all rows once for each of its
// parts, with n_k of each part. Then
//
//	coding      (2 P/W e_P + 2 e_R/W + P/W e_R + s P/W e_P) / C
//	received    P/W (b_P + b_R) + P b_K, b_K = 4 K
//
// where j is by how much workers differ in speed (the slowest of W is expected
// √(2 ln W) deviations behind; over s + 1 rounds differences average out). In
// lock-step (staleness s = 0) one follows the other and a round is their sum; with
// s ≥ 1 the exchange happens beside the work, and a round is the larger of
// sampling + coding and exchange.
package simulate

import (
	"fmt"
	"math"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// Job is what is trained, how it is cut, and by how many.
type Job struct {
	Load
	Workers   int // W
	Shards    int // H, nodes of the store
	Parts     int // P
	Staleness int // s
	Rounds    int // R, rounds in an iteration
	Barriers  int // iterations from one barrier to the next

	First float64 // b of the first iterations; 0: 1, as with random topics
	Apart bool    // no worker keeps all rows
	State bool    // topics of tokens are in files, on a disk that is reached by the same network, not in the store
}

// Machines are what the job runs on.
type Machines struct {
	TokenRate float64       // r: tokens per second of one worker
	CodeRate  float64       // C: entries per second of one worker
	Bandwidth float64       // B: bytes per second of a machine, each way
	StoreRate float64       // M: bytes per second that a shard copies
	Latency   time.Duration // L: of a round trip
	Jitter    float64       // j: relative deviation between the speeds of workers
}

// Validate returns the first fault.
func (j Job) Validate(m Machines) error {
	for _, f := range []struct {
		name  string
		value float64
	}{
		{"the number of tokens", j.Tokens},
		{"the number of words", float64(j.Words)},
		{"the number of topics", float64(j.Topics)},
		{"the number of workers", float64(j.Workers)},
		{"the number of shards", float64(j.Shards)},
		{"the number of parts", float64(j.Parts)},
		{"the number of rounds", float64(j.Rounds)},
		{"the number of iterations between barriers", float64(j.Barriers)},
		{"the rate of tokens", m.TokenRate},
		{"the rate of coding", m.CodeRate},
		{"the bandwidth", m.Bandwidth},
		{"the rate of the store", m.StoreRate},
	} {
		if !(f.value > 0) || math.IsInf(f.value, 0) {
			return fmt.Errorf("%s is %v: it must be above 0", f.name, f.value)
		}
	}
	switch {
	case j.Staleness < 0:
		return fmt.Errorf("the staleness is %d: it must be 0 or more", j.Staleness)
	case j.Parts < j.Workers:
		return fmt.Errorf("%d parts are too few for %d workers: every worker needs one", j.Parts, j.Workers)
	case !(j.Changed > 0 && j.Changed <= 1):
		return fmt.Errorf("the share of changed tokens is %v: it must be above 0 and at most 1", j.Changed)
	case !(j.Spread > 0 && j.Spread <= 1):
		return fmt.Errorf("the spread is %v: it must be above 0 and at most 1", j.Spread)
	case m.Jitter < 0 || m.Latency < 0:
		return fmt.Errorf("jitter and latency must not be below 0")
	}
	return nil
}

// Forecast is what is predicted. Times are of one iteration.
type Forecast struct {
	Sampling, Coding, Exchange, Barrier time.Duration
	Iteration                           time.Duration // all of it
	Waiting                             float64       // share of it in which a worker has nothing to do

	RowEntries, PartEntries float64 // e_R, e_P
	SumEntries              float64 // e_Σ
	SparseEntries           float64 // e_S
	RowBytes, PartBytes     float64 // b_R, b_P
	SumBytes                float64 // b_Σ
	Summed                  bool    // workers read sums
	Sent, Received          float64 // bytes of one worker in an iteration, barriers aside
	Coded                   float64 // entries that one worker encodes, decodes and adds in an iteration
	BarrierSent             float64 // bytes of one worker at barriers, per iteration
	ShardMoved              float64 // bytes in and out of one shard in an iteration, barriers aside
	Slices                  int     // of the vocabulary, at least, so that no blob is too large
	StoreMemory             float64 // bytes, all shards together, at most
	WorkerMemory            float64 // bytes of one worker
}

// Predict makes a forecast. Job and machines must be valid.
func Predict(j Job, m Machines) Forecast {
	w, h, p, rounds := float64(j.Workers), float64(j.Shards), float64(j.Parts), float64(j.Rounds)
	f := Forecast{}
	f.RowEntries, f.RowBytes = j.rows()
	sparse, modelMemory := j.model()
	f.SparseEntries = sparse
	f.PartEntries, f.PartBytes = j.changes(1 / (p * rounds))
	f.SumEntries, f.SumBytes = j.changes(1 / rounds)

	slowest := 1 + m.Jitter*math.Sqrt(2*math.Log(w)/float64(j.Staleness+1))
	sampling := j.Tokens / (w * m.TokenRate) * slowest
	coded, trips, storeIn, storeOut := f.exchange(j)
	if j.Apart {
		f.SparseEntries = 0 // nobody has rows to bring from version to version but those of its slices
		j.Barriers = BarrierEvery(j)
	}
	f.Coded = rounds * (coded + f.SparseEntries)
	coding := f.Coded / m.CodeRate
	f.ShardMoved = rounds * (storeIn + storeOut) / h
	exchange := max(f.Received/m.Bandwidth, rounds*storeOut/h/m.Bandwidth, f.ShardMoved/m.StoreRate) + rounds*trips*m.Latency.Seconds()

	// At a barrier every worker writes its topics and its share of the rows, unless those are published
	// in every round.
	topics, published := j.Tokens*j.topicBytes(), f.RowBytes
	if j.Apart {
		published = 0
	}
	stored, copied := topics+published, topics+published
	if j.State {
		stored, copied = published, published
	}
	f.BarrierSent = (topics + published) / w / float64(j.Barriers)
	barrier := max((topics+published)/(w*m.Bandwidth), stored/(h*m.Bandwidth), copied/(h*m.StoreRate)) / float64(j.Barriers)

	total := sampling + coding + exchange + barrier
	if j.Staleness > 0 {
		total = max(sampling+coding, exchange) + barrier
	}
	f.Sampling, f.Coding, f.Exchange, f.Barrier = seconds(sampling), seconds(coding), seconds(exchange), seconds(barrier)
	f.Iteration = seconds(total)
	f.Waiting = 1 - (sampling/slowest+coding)/total

	f.Slices = int(math.Ceil(max(f.RowBytes, f.SumBytes) / largestBlob))

	f.memory(j, modelMemory, topics, storeIn)
	return f
}

// memory sets what the store and a worker must hold.
func (f *Forecast) memory(j Job, whole, topics, storeIn float64) {
	w, p, rounds, s := float64(j.Workers), float64(j.Parts), float64(j.Rounds), float64(j.Staleness)
	kept := rounds*float64(j.Barriers) + s // rounds of which something is kept
	if j.State {
		topics = 0
	}
	if !j.Apart {
		// The old barrier goes when the new one is complete.
		f.StoreMemory = 2*(topics+f.RowBytes) + storeIn*kept
		f.WorkerMemory = whole + tokenMemory*j.Tokens/w
		return
	}
	f.Slices = max(f.Slices, int(math.Ceil(2*openEntry*f.RowEntries/(openShare*apartMemory*j.Tokens/w))))
	f.StoreMemory = 2*topics + f.RowBytes*(kept+1) + p*f.PartBytes*(s+1)
	f.WorkerMemory = f.RowBytes/w + 2*openEntry*f.RowEntries/float64(f.Slices) + apartMemory*j.Tokens/w + s*p/w*f.PartBytes +
		topicMemory*float64(j.Topics) + wordMemory*float64(j.Words)*p/w
	if !j.State { // a list of topics, and the blob made of it; to files they go piece by piece
		f.WorkerMemory += (4 + j.topicBytes()) * j.Tokens / p
	}
}

// BarrierEvery is how many iterations there are from one barrier to the next where rows are apart.
func BarrierEvery(j Job) int { return min(j.Barriers, max(1, mostVersions/j.Rounds)) }

// exchange sets what a worker sends and receives in an iteration, and returns, of a
// round, the entries that a worker codes, the round trips one after the other, and
// the bytes in and out of the whole store.
func (f *Forecast) exchange(j Job) (coded, trips, in, out float64) {
	w, p, rounds := float64(j.Workers), float64(j.Parts), float64(j.Rounds)
	if j.Apart {
		// Write changes; learn of the last, read them, publish the rows; learn of the last, read them.
		totals := totalBytes * float64(j.Topics)
		coded, trips = (2+float64(j.Staleness))*p/w*f.PartEntries+2*f.RowEntries/w+p/w*f.RowEntries, 5
		in, out = p*(f.PartBytes+totals)+f.RowBytes, p*(f.PartBytes+f.RowBytes)+w*p*totals
		f.Received = rounds * out / w
		f.Sent = rounds * in / w
		return coded, trips, in, out
	}
	if f.Summed = protocol.Summed(j.Parts, j.Workers); f.Summed {
		// Write changes; learn of the last, read them, write the sum; learn of it, read it.
		coded, trips = 2*p/w*f.PartEntries+f.SumEntries/w+f.SumEntries, 5
		in, out = p*f.PartBytes+f.SumBytes, p*f.PartBytes+w*f.SumBytes
		f.Received = rounds * (p/w*f.PartBytes + f.SumBytes)
	} else {
		coded, trips = p/w*f.PartEntries+p*f.PartEntries, 3
		in, out = p*f.PartBytes, p*(w-1)*f.PartBytes
		f.Received = rounds * p * (1 - 1/w) * f.PartBytes
	}
	f.Sent = rounds * in / w
	return coded, trips, in, out
}

const (
	largestBlob = 256 << 20 // bytes; Redis takes twice that, and slices are not quite equal
	tokenMemory = 18        // bytes of a token in a worker: topic and proposals, place, segment, topic before the round

	// Where rows are apart:
	apartMemory  = 20   // bytes of a token, with the topic before the round beside it
	topicMemory  = 256  // bytes of a topic: priors, n_k, and histograms where the model is scored
	wordMemory   = 48   // bytes of a word, for each part
	openEntry    = 22   // bytes of an entry of an open slice
	openShare    = 0.02 // of the tokens' memory that open slices may take
	totalBytes   = 4    // of a topic of n_k on its way
	mostVersions = 4    // rounds from one barrier to the next, at most
)

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
