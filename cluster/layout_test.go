package cluster

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/redistest"
)

// A layout is read as it is written, and what is wrong with one is one sentence.
func TestLayoutText(t *testing.T) {
	for _, text := range []string{
		"rows=apart,parts=16,slices=32,topics=/shared/state,corpus=store", "rows=whole", "parts=3", "topics=store", "corpus=path",
	} {
		var l Layout
		if err := l.UnmarshalText([]byte(text)); err != nil || l.String() != text {
			t.Errorf("%s is read as %v, %v", text, l, err)
		}
	}
	for text, want := range map[string]string{
		"":                "a layout has rows, parts, slices, topics and corpus, and no \"\": write it as in rows=apart,parts=16,topics=/shared/state",
		"row=apart":       "and no \"row\"",
		"rows=some":       "rows is \"some\": it must be whole or apart",
		"parts=0":         "parts is \"0\": it must be a number above 0",
		"parts=2,slices=": "slices is \"\": it must be a number above 0",
		"topics":          "topics is \"\": it must be store or a directory",
		"corpus=here":     "corpus is \"here\": it must be path or store",
	} {
		one(t, new(Layout).UnmarshalText([]byte(text)), want)
	}
}

// Where topics and the corpus are follows from the store, unless the layout says so.
func TestLayoutFollowsStore(t *testing.T) {
	dir := t.TempDir()
	small, large := filepath.Join(dir, "small"), filepath.Join(dir, "large")
	for path, size := range map[string]int64{small: 1000, large: mostShipped + 1} {
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Truncate(size); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	tcp, unix := "redis://hub:6379", "unix:///run/redis"
	for _, test := range []struct {
		layout, store, corpus, checkpoint string
		most, needs                       int64
		want                              string
	}{
		{"", tcp, small, "/shared/c", 0, 1e9, "rows=whole,topics=store,corpus=store"},
		{"", unix, small, "", 0, 1e9, "rows=whole,topics=store,corpus=path"},
		{"", tcp, large, "", 0, 1e9, "rows=whole,topics=store,corpus=path"},
		{"", tcp, "", "", 0, 1e9, "rows=whole,topics=store,corpus=path"},
		{"", tcp, small, "", 5000, 1e9, "rows=whole,topics=store,corpus=path"}, // no room, and no shared disk
		{"", tcp, large, "/shared/c", 1e6, 1e9, "rows=whole,topics=/shared,corpus=path"},
		{"", tcp, large, "/shared/c", 1e10, 1e9, "rows=whole,topics=store,corpus=path"},
		{"topics=store,corpus=store", unix, large, "/shared/c", 1e6, 1e9, "rows=whole,topics=store,corpus=store"},
		{"topics=/other,corpus=path", tcp, small, "/shared/c", 0, 1, "rows=whole,topics=/other,corpus=path"},
	} {
		how := SubmitOptions{CorpusPath: test.corpus}
		if test.layout != "" {
			if err := how.Layout.UnmarshalText([]byte(test.layout)); err != nil {
				t.Fatal(err)
			}
		}
		nodes := []records.NodeStatus{{Used: 1000, Most: uint64(test.most)}}
		var spec protocol.Spec
		err := how.settle(test.store, test.checkpoint, nodes, test.needs, &spec)
		if got := layoutOf(&spec).String(); err != nil || got != test.want {
			t.Errorf("%+v: %s, %v", test, got, err)
		}
	}
	how := SubmitOptions{CorpusPath: filepath.Join(dir, "none"), Layout: Layout{Corpus: inStore}}
	one(t, how.settle("", "", nil, 0, new(protocol.Spec)), "cannot put the corpus into the store: ")
}

// With staleness there are as many parts as workers if these are more, and the model's options have that number.
func TestLayoutParts(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	c := themed(200)
	opts := topoi.Options{Topics: 3, Sampler: "warp", Iterations: 5, Tuning: topoi.Tuning{Staleness: 1}}
	for _, test := range []struct {
		how  SubmitOptions
		told int
	}{{SubmitOptions{Workers: 2}, 0}, {SubmitOptions{Workers: 3}, 3}, {SubmitOptions{Workers: 3, Layout: Layout{Parts: 4}}, 4}} {
		st, p, _, err := Job{Store: server.URL(), Name: "parts"}.prepare(t.Context(), c, opts, test.how)
		if err != nil {
			t.Fatal(err)
		}
		st.Close()
		if got := p.options().Tuning.Parts; got != test.told {
			t.Errorf("%+v: %d parts in the options", test, got)
		}
	}
}
