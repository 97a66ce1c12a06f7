//go:build !amd64 || noasm

package batch

func drawLists(a *listArgs) { drawListsGo(a) }

func (f *listRound) prepare(w int, list uint64) uint64 {
	f.prepareGo(w)
	return list
}
