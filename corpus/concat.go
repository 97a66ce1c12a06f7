package corpus

import "slices"

// Concat returns the documents of c, followed by those of more, as a corpus in memory. Words of c keep
// their ids. Words that only more has follow in its order, if they occur in at least minDocs of its
// documents; if it has 20 documents or more, also in at most half of them. Other words are left out. The
// text options are those of c. The result has the tags and columns of both.
func (c *Corpus) Concat(more *Corpus, minDocs int) *Corpus {
	final, words := grownWords(c, more, minDocs)
	joined := Corpus{
		offsets: make([]uint64, 1, c.NumDocs()+more.NumDocs()+1), tokens: slices.Clone(c.Tokens()),
		words: words, pipeline: c.pipeline,
	}
	for d := range c.NumDocs() {
		joined.offsets = append(joined.offsets, c.offsets[d+1]-c.offsets[0])
	}
	for d := range more.NumDocs() {
		begin := len(joined.tokens)
		for _, w := range more.Doc(d) {
			if final[w] != none {
				joined.tokens = append(joined.tokens, final[w])
			}
		}
		slices.Sort(joined.tokens[begin:])
		joined.offsets = append(joined.offsets, uint64(len(joined.tokens)))
	}
	added, lists := more.Tags.lists(), joined.Tags.lists()
	for i, list := range c.Tags.lists() {
		*lists[i] = both(c, more, *list, *added[i])
	}
	for _, d := range append(slices.Clone(c.columns), more.columns...) {
		same := func(x columnData) bool { return x.Name == d.Name }
		d.list = both(c, more, columnNamed(c, d.Name), columnNamed(more, d.Name))
		if !slices.ContainsFunc(joined.columns, same) && (d.Role != "" || d.list.Len() > 0) {
			joined.columns = append(joined.columns, d)
		}
	}
	return newCorpus(joined)
}

// grownWords returns the vocabulary of c extended by words of more, and the ids in it of the words of more.
func grownWords(c, more *Corpus, minDocs int) (final []uint32, words Strings) {
	words = Strings{ends: slices.Clone(c.words.ends), bytes: slices.Clone(c.words.bytes)}
	ids := make(map[string]uint32, c.NumWords())
	for w, word := range c.words.All() {
		if _, twice := ids[word]; !twice {
			ids[word] = uint32(w)
		}
	}
	docs := make([]int, more.NumWords())
	for d := range more.NumDocs() {
		last := none
		for _, w := range more.Doc(d) {
			if w != last {
				docs[w]++
			}
			last = w
		}
	}
	final = make([]uint32, more.NumWords())
	for w, word := range more.words.All() {
		id, known := ids[word]
		switch {
		case known:
			final[w] = id
		case docs[w] < max(1, minDocs) || more.NumDocs() >= 20 && 2*docs[w] > more.NumDocs():
			final[w] = none
		default:
			final[w] = uint32(words.Len())
			words.add(word)
		}
	}
	return final, words
}

// both joins two lists into one with a string for each document of c and of more. An empty list stands for
// empty strings.
func both(c, more *Corpus, a, b Strings) (list Strings) {
	if a.Len() == 0 && b.Len() == 0 {
		return list
	}
	for _, part := range []struct {
		list Strings
		docs int
	}{{a, c.NumDocs()}, {b, more.NumDocs()}} {
		for d := range part.docs {
			if part.list.Len() == 0 {
				list.add("")
			} else {
				list.add(part.list.At(d))
			}
		}
	}
	return list
}

// columnNamed returns the values of a column without a role, or none if there is no such column.
func columnNamed(c *Corpus, name string) Strings {
	for _, d := range c.columns {
		if d.Name == name {
			return d.list
		}
	}
	return Strings{}
}
