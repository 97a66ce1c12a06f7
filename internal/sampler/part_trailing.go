package sampler

import "github.com/topoi-lda/topoi/internal/counts"

// Trailing is a model that counts the words of a part's tokens as they were before
// the part's last round. The next Round tells it word by word what that round
// changed, when it has the word's tokens at hand: Changes would have to get all of
// them from memory once more.
type Trailing interface {
	// TopicTotals counts the tokens as they are (see Tells.AddTotals). Rows are asked
	// for by one goroutine.
	Dense

	// Some and All are called as those functions of Part.ChangesByTopic are: for words
	// in increasing order, each before its row is asked for. Changes stay valid until
	// then.
	Some(w uint32, changes []counts.Change)
	All(w uint32, delta []int32)

	// Told is called when there are no more words.
	Told()
}

// Tells is a Part that may have rounds with a model that trails behind.
type Tells interface {
	Part

	// CanTell says whether it has. It holds for good, but not for the first round after
	// Start.
	CanTell() bool

	// AddTotals adds to nk what the last Round changed in n_k.
	AddTotals(nk []uint64)
}

// teller is a kernel whose round can tell a localTrailing what the one before changed.
type teller interface {
	canTell() bool
	addTotals(nk []uint64)
}

// CanTell implements Tells. Words are told in order, so by one goroutine.
func (t *part) CanTell() bool {
	k, ok := t.kernel.(teller)
	return ok && k.canTell() && t.plan.p.Threads <= 1 && !t.plan.forget
}

// AddTotals implements Tells.
func (t *part) AddTotals(nk []uint64) { t.kernel.(teller).addTotals(nk) }

// localTrailing numbers the words of a Trailing as a part does.
type localTrailing struct {
	localDense
	model Trailing
}

// tell tells what changed in word w, and begins n anew.
func (l *localTrailing) tell(w int, n *net) { n.give(l.words[w], l.model.Some, l.model.All) }
