//go:build (!amd64 && !arm64) || noasm

package walk

func Step(z, own, proposal, x []uint32, row *Row) { StepGo(z, own, proposal, x, row) }

func Draw(proposal, x, y, places []uint32, mix Mix, topics uint32, alias Alias) {
	DrawGo(proposal, x, y, places, mix, topics, alias)
}

func Expand(dst, topics []uint32, cells []TopicCell) { ExpandGo(dst, topics, cells) }

func setDense(cells []TopicCell, seen []uint32, row []int32) (n, sum int) {
	return setDenseGo(cells, seen, row, 0)
}

// There is no vector code for moving tokens.

func loadVector[T Topic](*Tokens[T], *Columns, []Segment) (n int, done bool) { return 0, false }
func storeVector[T Topic](*Tokens[T], *Columns, []Segment) (done bool)       { return false }
func loadDocVector[T Topic](*Tokens[T], *Columns, int, []uint16) (done bool) { return false }
func storeDocVector[T Topic](*Tokens[T], *Columns, int, int) (done bool)     { return false }

func movedVector[T Topic](*Tokens[T], []uint64, []Segment) (n, taken int, done bool) {
	return 0, 0, false
}

// There is no prefetching in portable Go.

func (*Tokens[T]) Prefetch([]Segment)                               {}
func (*Tokens[T]) PrefetchRun(list []T, begin, end int)             {}
func (*Tokens[T]) PrefetchCells([]Segment, []TopicCell)             {}
func (*Tokens[T]) PrefetchDoc(b int, _ []uint16, cells []TopicCell) {}
