package topoi

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/guard"
)

// Verify reads everything: it compares all checksums, checks that rows and assignments
// add up, and, if the documents are there, that they are the ones of the manifest, whole,
// and have each word as often as its row says. Of a model that was not opened from a
// directory it checks the counts.
func (m *Model) Verify() (err error) {
	defer guard.Files(&err)()
	s := m.stored
	if s == nil {
		return m.checkContent()
	}
	if err := s.verify(m); err != nil {
		return s.damaged(err)
	}
	if _, err := os.Stat(filepath.Join(s.dir, documentsName)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	docs, err := corpus.Open(filepath.Join(s.dir, documentsName)) // which compares its checksums
	if err != nil {
		return err
	}
	training, _, err := s.splitDocs(docs)
	if err == nil {
		err = m.checkWords(training)
	}
	if err != nil {
		err = s.damaged(err)
	}
	return errors.Join(err, docs.Close())
}

// verify compares the checksum of every array with its content and checks that
// the arrays agree.
func (s *storedModel) verify(m *Model) error {
	wrong := make([]bool, len(s.files))
	var group guard.Group
	for i, f := range s.files {
		group.Go(func() { wrong[i] = checksumOf(f.Data) != s.manifest.Arrays[i].Checksum })
	}
	group.Wait()
	if i := slices.Index(wrong, true); i >= 0 {
		return fmt.Errorf("the checksum of %s does not match", s.manifest.Arrays[i].Name)
	}
	return m.checkContent()
}

// checkContent checks that topics are in range, rows sorted, and that rows and
// assignments add up to the topic totals.
func (m *Model) checkContent() error {
	rows, wrong := counts.Totals(m, m.NumWords(), m.NumTopics())
	if wrong >= 0 {
		return fmt.Errorf("the row of word %d is not sorted, or holds a topic beyond %d or a count of 0", wrong, m.NumTopics()-1)
	}
	if !slices.Equal(rows, m.totals) {
		return fmt.Errorf("the rows of %s do not add up to %s", arrayRows, arrayTotals)
	}
	tokens, err := m.topics.Count(m.NumTopics())
	if err != nil {
		return err
	}
	if !slices.Equal(tokens, m.TopicTokens()) {
		return fmt.Errorf("the topics of the tokens do not add up to %s", arrayTotals)
	}
	return nil
}

// checkWords checks that every word is in the documents as often as its row says.
func (m *Model) checkWords(docs *corpus.Corpus) error {
	left := make([]int64, m.NumWords())
	for w := range left {
		for _, e := range m.Row(w) {
			left[w] += int64(e.Count)
		}
		left[w] -= int64(m.pseudo.WordTokens(w))
	}
	for w, n := range frequencies(docs) {
		left[w] -= int64(n)
	}
	for w, n := range left {
		if n != 0 {
			return fmt.Errorf("the row of word %d has %d tokens more than %s", w, n, documentsName)
		}
	}
	return nil
}

// frequencies counts the tokens of every word.
func frequencies(docs *corpus.Corpus) []uint64 {
	const piece = 1 << 22
	sum := make([]uint64, docs.NumWords())
	for lo := 0; lo < docs.NumTokens(); lo += piece {
		for _, w := range docs.TokensBetween(lo, min(docs.NumTokens(), lo+piece)) {
			sum[w]++
		}
		docs.Release(lo, min(docs.NumTokens(), lo+piece))
	}
	return sum
}
