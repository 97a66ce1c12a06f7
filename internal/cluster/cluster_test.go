package cluster

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/store"
)

// rule is a number of rounds by iteration.
type rule func(iteration int) int

func (r rule) Rounds(iteration int) int { return r(iteration) }

// Rounds are numbered one after the other, whatever was asked before.
func TestRounds(t *testing.T) {
	eightThenOne := rule(func(iteration int) int {
		if iteration <= 10 {
			return 8
		}
		return 1
	})
	var want []sampler.Step
	for iteration := 1; iteration <= 15; iteration++ {
		for r := range eightThenOne(iteration) {
			want = append(want, sampler.Step{Iteration: iteration, Round: r})
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		r := &rounds{plan: eightThenOne}
		for range 5 {
			n := rapid.IntRange(1, len(want)).Draw(t, "round")
			if got := r.step(n); got != want[n-1] {
				t.Fatalf("round %d is %v, want %v", n, got, want[n-1])
			}
			iteration := rapid.IntRange(0, 15).Draw(t, "iteration")
			if got, want := r.end(iteration), min(8*iteration, 70+iteration); got != want {
				t.Fatalf("iteration %d ends with round %d, want %d", iteration, got, want)
			}
		}
	})
}

// Slices share the words, and the frequent ones evenly.
func TestCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		frequencies := rapid.SliceOfN(rapid.Uint64Max(1000), 1, 200).Draw(t, "frequencies")
		n := rapid.IntRange(1, len(frequencies)).Draw(t, "slices")
		c := newCut(frequencies, n)
		seen := 0
		for s, words := range c.words {
			for i, w := range words {
				if c.slice[w] != uint32(s) || c.place[w] != uint32(i) || i > 0 && words[i-1] >= w {
					t.Fatalf("word %d is in slice %d at %d, but %d and %d are noted", w, s, i, c.slice[w], c.place[w])
				}
			}
			if len(words) < len(frequencies)/n || len(words) > len(frequencies)/n+1 {
				t.Fatalf("a slice has %d of %d words in %d slices", len(words), len(frequencies), n)
			}
			seen += len(words)
		}
		if seen != len(frequencies) {
			t.Fatalf("%d of %d words", seen, len(frequencies))
		}
		// The n most frequent words are in n slices.
		order := slices.SortedStableFunc(maps.Keys(maps.Collect(slices.All(frequencies))), func(a, b int) int {
			if frequencies[a] != frequencies[b] {
				return int(frequencies[b]) - int(frequencies[a])
			}
			return a - b
		})
		first := map[uint32]bool{}
		for _, w := range order[:n] {
			first[c.slice[w]] = true
		}
		if len(first) != n {
			t.Fatalf("the %d most frequent words are in %d slices", n, len(first))
		}
	})
}

// Shifting a model forwards and backwards is adding and subtracting.
func TestModelShift(t *testing.T) {
	const words, topics = 12, 9
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.Uint32Range(0, 6)
		var table, parts [3][words][topics]int32 // table[0] is the base; parts are changes
		frequencies := make([]uint64, words)
		for w := range words {
			for k := range topics {
				table[0][w][k] = int32(count.Draw(t, "count"))
				frequencies[w] += uint64(table[0][w][k])
				for p := range 2 {
					parts[p][w][k] = rapid.Int32Range(-table[0][w][k]/2, 3).Draw(t, "change")
				}
			}
		}
		if rapid.Bool().Draw(t, "sparse") {
			clear(frequencies) // no row is dense then
		}
		c := newCut(frequencies, 3)
		id := func(kind blob.Kind, part int) func(int) blob.ID {
			return func(slice int) blob.ID {
				return blob.ID{Kind: kind, Slice: uint32(slice), Part: uint32(part), Topics: topics}
			}
		}
		m := newModel(c, topics)
		if err := m.load(4, encodeTable(c, &table[0], id(blob.Counts, 0)), make([]string, len(c.words)), id(blob.Counts, 0)); err != nil {
			t.Fatal(err)
		}
		check := func(what string, want func(w, k int) int32) {
			t.Helper()
			for w := range words {
				var row [topics]int32
				for _, e := range m.AppendRow(nil, w) {
					row[e.Topic] = int32(e.Count)
				}
				for k := range topics {
					if row[k] != want(w, k) {
						t.Fatalf("%s: word %d topic %d: %d, want %d", what, w, k, row[k], want(w, k))
					}
				}
			}
			for k, n := range m.TopicTotals() {
				sum := int32(0)
				for w := range words {
					sum += want(w, k)
				}
				if n != uint64(sum) {
					t.Fatalf("%s: topic %d has %d tokens, want %d", what, k, n, sum)
				}
			}
		}
		base := func(w, k int) int32 { return table[0][w][k] }
		check("loaded", base)
		var g merger
		shift := func(sign int32) {
			for i := range m.slices {
				var sources []source
				for p := range 2 {
					d, err := blob.Open(encodeTable(c, &parts[p], id(blob.Changes, p))[i], id(blob.Changes, p)(i))
					if err != nil {
						t.Fatal(err)
					}
					sources = append(sources, source{Decoder: d})
				}
				if err := g.shift(m, i, sources, sign, m.totals); err != nil {
					t.Fatal(err)
				}
			}
		}
		shift(1)
		check("forwards", func(w, k int) int32 { return table[0][w][k] + parts[0][w][k] + parts[1][w][k] })
		shift(-1)
		check("back", base)
		if rows := m.copySlice(1); len(rows.ends) != len(c.words[1]) {
			t.Fatalf("%d rows of %d", len(rows.ends), len(c.words[1]))
		}
	})
}

// encodeTable writes a table of counts or changes as blobs.
func encodeTable[T [12][9]int32](c *cut, table *T, id func(slice int) blob.ID) [][]byte {
	encoders := make([]blob.Encoder, len(c.words))
	for i := range encoders {
		encoders[i].Begin(nil, id(i))
	}
	for w := range *table {
		var list []counts.Entry
		var changes []counts.Change
		for k, n := range (*table)[w] {
			if n != 0 {
				list = append(list, counts.Entry{Topic: uint32(k), Count: uint32(n)})
				changes = append(changes, counts.Change{Topic: uint32(k), Delta: n})
			}
		}
		e := &encoders[c.slice[w]]
		if id(0).Kind == blob.Counts {
			e.Counts(uint32(w), list)
		} else {
			e.Changes(uint32(w), changes)
		}
	}
	blobs := make([][]byte, len(encoders))
	for i := range encoders {
		blobs[i] = encoders[i].Finish()
	}
	return blobs
}

// Topics and histograms come back as they were, and damage is noticed.
func TestTopicsAndHistograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.SampledFrom([]int{1, 7, 1 << 16, 1<<16 + 1}).Draw(t, "K")
		z := rapid.SliceOf(rapid.Uint32Max(uint32(k-1))).Draw(t, "z")
		id := topicsID{rapid.Uint64().Draw(t, "job"), rapid.IntRange(0, 9).Draw(t, "part"), rapid.IntRange(0, 99).Draw(t, "round")}
		b := encodeTopics(id, z, k)
		got := make([]uint32, len(z))
		if err := decodeTopics(got, b, id, k); err != nil || !slices.Equal(got, z) {
			t.Fatalf("%v, %v; want %v", got, err, z)
		}
		damaged := slices.Clone(b)
		damaged[rapid.IntRange(0, len(b)-1).Draw(t, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		if err := decodeTopics(got, damaged, id, k); !errors.Is(err, errDamaged) {
			t.Fatalf("damage gives %v", err)
		}

		h := &counts.Histograms{
			DocLengths: rapid.SliceOf(rapid.Uint64()).Draw(t, "lengths"),
			Topic:      rapid.SliceOfN(rapid.SliceOf(rapid.Uint32()), 3, 3).Draw(t, "topics"),
		}
		b = encodeHistograms(id, h)
		back, err := decodeHistograms(b, id, 3)
		if err != nil || !slices.Equal(back.DocLengths, h.DocLengths) || !slices.EqualFunc(back.Topic, h.Topic, slices.Equal[[]uint32]) {
			t.Fatalf("%+v, %v; want %+v", back, err, h)
		}
		b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] ^= 1
		if _, err := decodeHistograms(b, id, 3); !errors.Is(err, errDamaged) {
			t.Fatalf("damage gives %v", err)
		}
	})
}

// Offices go to the living, evenly, and stay where they are if they can.
func TestAssign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		j := &Job{Spec: Spec{Parts: rapid.IntRange(1, 20).Draw(t, "parts"), Slices: rapid.IntRange(1, 20).Draw(t, "slices")}}
		s := &survey{owners: map[string]string{}}
		for i := range rapid.IntRange(1, 6).Draw(t, "alive") {
			s.alive = append(s.alive, strconv.Itoa(10+i))
		}
		for i := range j.Parts {
			s.owners["p"+strconv.Itoa(i)] = strconv.Itoa(rapid.IntRange(8, 16).Draw(t, "owner"))
		}
		before := maps.Clone(s.owners)
		balance := rapid.Bool().Draw(t, "balance")
		changes := s.assign(j, balance)
		for i := 0; i < len(changes); i += 2 {
			s.owners[changes[i]] = changes[i+1]
		}
		load := map[string]int{}
		for i := range j.Parts {
			office := "p" + strconv.Itoa(i)
			owner := s.owners[office]
			if !slices.Contains(s.alive, owner) {
				t.Fatalf("%s belongs to %s, who is dead", office, owner)
			}
			if !balance && slices.Contains(s.alive, before[office]) && owner != before[office] {
				t.Fatalf("%s went from %s, who is alive, to %s", office, before[office], owner)
			}
			load[owner]++
		}
		for i := range j.Slices {
			if !slices.Contains(s.alive, s.owners["s"+strconv.Itoa(i)]) {
				t.Fatalf("slice %d belongs to nobody alive", i)
			}
		}
		if most := (j.Parts + len(s.alive) - 1) / len(s.alive); balance {
			for owner, n := range load {
				if n > most {
					t.Fatalf("%s has %d of %d parts among %d", owner, n, j.Parts, len(s.alive))
				}
			}
		}
		if again := s.assign(j, false); len(again) > 0 {
			t.Fatalf("assigned again: %v", again)
		}
	})
}

// Blobs of rounds that are over, or of a job that is, leave no trace.
func TestLateWrites(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	st, err := store.Open(t.Context(), store.Options{URL: server.URL()})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	spec := Spec{ID: 7, Protocol: Protocol, Topics: 2, Words: 3, Parts: 2, Slices: 2}
	j, err := Create(t.Context(), st, "late", spec, State{Round: -1}, nil, []uint64{1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	put := func(j *Job, round int) error {
		return j.put(t.Context(), []blobWrite{{j.keys.slice(1, "head"), j.keys.changes(1, round, 0), round, []byte("x")}})
	}
	has := func(round int) bool {
		values, err := st.Get(t.Context(), j.keys.changes(1, round, 0))
		if err != nil {
			t.Fatal(err)
		}
		return values[0] != nil
	}
	for round := 1; round <= 4; round++ {
		if err := put(j, round); err != nil || !has(round) {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	l := &Leader{Reader: &Reader{job: j}, state: State{Round: 3}}
	if err := l.clean(t.Context()); err != nil {
		t.Fatal(err)
	}
	for round, want := range map[int]bool{1: false, 2: false, 3: false, 4: true} {
		if has(round) != want {
			t.Errorf("after the barrier of round 3, round %d is there: %v", round, !want)
		}
	}
	if err := put(j, 2); err != nil || has(2) {
		t.Errorf("a late write is kept, or an error: %v", err)
	}
	other := *j
	other.ID = 8
	if err := put(&other, 5); !errors.Is(err, ErrGone) || has(5) {
		t.Errorf("a write of another job: %v", err)
	}
	if n, err := Remove(t.Context(), st, "late"); n == 0 || err != nil {
		t.Fatalf("removed %d keys, %v", n, err)
	}
	if err := put(j, 6); !errors.Is(err, ErrGone) {
		t.Errorf("a write after the end: %v", err)
	}
	if left := server.Do("KEYS", "*"); left != "" {
		t.Errorf("keys are left: %s", left)
	}
}
