package rows

import (
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
)

// appendSum appends a row with changes added, times sign. ok is false if a count falls below zero; it is then kept
// modulo 2^32, so that other changes may still make up for it. Which list is ahead cannot be guessed, so nothing
// depends on a guess: every step writes an entry, and keeps it unless it is zero.
func appendSum(dst, row []counts.Entry, changes []counts.Change, sign int32) (sum []counts.Entry, ok bool) {
	at := len(dst)
	dst = slices.Grow(dst, len(row)+len(changes))
	dst = dst[:at+len(row)+len(changes)]
	i, j, lowest := 0, 0, int32(0)
	for i < len(row) && j < len(changes) {
		r, c := row[i], changes[j]
		ahead := int64(r.Topic) - int64(c.Topic)
		takesRow, takesChange := (ahead-1)>>63, ^(ahead >> 63) // all bits or none
		n := int32(r.Count)&int32(takesRow) + sign*c.Delta&int32(takesChange)
		dst[at] = counts.Entry{Topic: min(r.Topic, c.Topic), Count: uint32(n)}
		lowest = min(lowest, n)
		i -= int(takesRow)
		j -= int(takesChange)
		at += int((uint32(n) | -uint32(n)) >> 31)
	}
	at += copy(dst[at:], row[i:])
	for _, c := range changes[j:] {
		n := sign * c.Delta
		dst[at] = counts.Entry{Topic: c.Topic, Count: uint32(n)}
		lowest = min(lowest, n)
		at++
	}
	return dst[:at], lowest >= 0
}

// appendChanges appends the sum of changes a and b, as appendSum does.
func appendChanges(dst, a, b []counts.Change) []counts.Change {
	at := len(dst)
	dst = slices.Grow(dst, len(a)+len(b))[:at+len(a)+len(b)]
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		x, y := a[i], b[j]
		ahead := int64(x.Topic) - int64(y.Topic)
		takesA, takesB := (ahead-1)>>63, ^(ahead >> 63) // all bits or none
		n := x.Delta&int32(takesA) + y.Delta&int32(takesB)
		dst[at] = counts.Change{Topic: min(x.Topic, y.Topic), Delta: n}
		i -= int(takesA)
		j -= int(takesB)
		at += int((uint32(n) | -uint32(n)) >> 31)
	}
	at += copy(dst[at:], a[i:])
	at += copy(dst[at:], b[j:])
	return dst[:at]
}

// AddDense adds changes to a dense row and to totals.
func AddDense(row []int32, changes []counts.Change, totals []uint64) {
	totals = totals[:len(row)]
	for _, c := range changes {
		row[c.Topic] += c.Delta
		totals[c.Topic] += uint64(int64(c.Delta)) // modulo 2^64, as it should
	}
}

// AddTotals adds changes, times sign, to those of n_k, modulo 2^64, unless totals is nil.
func AddTotals(totals []uint64, changes []counts.Change, sign int32) {
	if totals == nil {
		return
	}
	for _, c := range changes {
		totals[c.Topic] += uint64(int64(sign * c.Delta))
	}
}
