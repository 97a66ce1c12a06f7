package exchange

import (
	"errors"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
	"github.com/topoi-lda/topoi/internal/store"
)

// A part sees the same rows and n_k whether slices are opened one by one or, for a device, all at once: those of the
// version, and its own changes since.
func TestViewsOfApartRows(t *testing.T) {
	smallBlocks(t)
	server := redistest.Start(t, redistest.Config{})
	st, err := store.Open(t.Context(), store.Options{URL: server.SocketURL()})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	h := newHistory(t, warp1, samplertest.Guide(samplertest.RandomProblem(3, 100, 70, 24, 20), 4), 1, 3)
	j := newJob(t, st, "job", h, form{apart: true, threads: 1}, 0)
	j.join([][]int{{0, 1}, {2}})
	j.meet(0, 0)
	j.run(1, 2)
	w := j.workers[0]
	j.must(w.Fetch(t.Context(), &j.state, w.worker.VersionFor(3)))
	for _, p := range w.Exchange.parts {
		want := h.sees(p.Number, 3)
		one, err := w.apart.seenApart(p)
		j.must(err)
		all, err := (&apartView{feed: w.apart.feed, part: p, totals: one.Totals}).whole()
		j.must(err)
		if !slices.Equal(one.Totals, want.totals()) || !slices.Equal(all.Totals, one.Totals) {
			t.Errorf("part %d: n_k is %v and %v, want %v", p.Number, one.Totals, all.Totals, want.totals())
		}
		for slice, words := range j.task.Cut.Words {
			rows, closes, err := one.Sliced.Open(slice)
			j.must(err)
			for _, word := range words {
				row := want.AppendRow(nil, int(word))
				if got := rows.AppendRow(nil, int(word)); !slices.Equal(got, row) {
					t.Errorf("part %d, word %d: %v, want %v", p.Number, word, got, row)
				}
				if got := all.Rows.AppendRow(nil, int(word)); !slices.Equal(got, row) {
					t.Errorf("part %d, word %d, all at once: %v, want %v", p.Number, word, got, row)
				}
			}
			closes()
		}
	}
	server.Do("SET", j.task.Job.Key.Rows(2, 1), "no rows")
	var d *protocol.Damage
	_, err = (&apartView{feed: w.apart.feed, part: w.Exchange.parts[0]}).whole()
	if !errors.As(err, &d) || d.Key != j.task.Job.Key.Rows(2, 1) {
		t.Errorf("a damaged slice: %v", err)
	}
}
