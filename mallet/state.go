package mallet

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
)

// readState reads the topics and priors of a state that MALLET or topoi wrote, for the tokens of docs. Words are
// matched by their names within documents, because a corpus keeps no order and numbers words in its own way.
func readState(path string, docs *corpus.Corpus) (*topoi.Start, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--input-state: %w", err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("--input-state %s: this is not a state that --output-state wrote: %w", path, err)
	}
	start := &topoi.Start{Topics: make([]uint32, 0, docs.NumTokens())}
	s := &stateReader{docs: docs, start: start, topics: map[string][]uint32{}}
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, 1<<26) // priors of many topics stand on one line
	for n := 1; lines.Scan(); n++ {
		if err := s.line(lines.Text()); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	if err := errors.Join(lines.Err(), s.end(docs.NumDocs())); err != nil {
		return nil, fmt.Errorf("--input-state %s: %w", path, err)
	}
	return s.start, nil
}

// stateReader gathers the lines of a document and gives them to its tokens.
type stateReader struct {
	docs   *corpus.Corpus
	start  *topoi.Start
	doc    int                 // whose lines are gathered
	topics map[string][]uint32 // by word, in the order of lines
	many   int                 // lines
}

// line takes a line.
func (s *stateReader) line(line string) error {
	if text, ok := strings.CutPrefix(line, "#alpha : "); ok {
		for _, field := range strings.Fields(text) {
			a, err := strconv.ParseFloat(field, 64)
			if err != nil {
				return fmt.Errorf("found %q, expected α of every topic", field)
			}
			s.start.Alpha = append(s.start.Alpha, a)
		}
		return nil
	}
	if text, ok := strings.CutPrefix(line, "#beta : "); ok {
		beta, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		s.start.Beta = beta
		return err
	}
	if strings.HasPrefix(line, "#") {
		return nil
	}
	f := strings.Split(line, " ")
	if len(f) < 6 {
		return fmt.Errorf("found %q, expected document, source, position, number of the word, word and topic", line)
	}
	doc, err := strconv.Atoi(f[0])
	topic, fault := strconv.ParseUint(f[len(f)-1], 10, 32)
	if err != nil || fault != nil || doc < s.doc || doc >= s.docs.NumDocs() || topic >= uint64(len(s.start.Alpha)) {
		return fmt.Errorf("found document %s and topic %s: documents must be in order and below %d, topics below %d",
			f[0], f[len(f)-1], s.docs.NumDocs(), len(s.start.Alpha))
	}
	if err := s.end(doc); err != nil {
		return err
	}
	word := f[len(f)-2]
	s.topics[word], s.many = append(s.topics[word], uint32(topic)), s.many+1
	return nil
}

// errOtherDocuments says that a state is of other documents.
var errOtherDocuments = errors.New("the state and --input do not match")

// end gives documents up to the given one their topics.
func (s *stateReader) end(next int) error {
	for ; s.doc < next; s.doc++ {
		words := s.docs.Doc(s.doc)
		if len(words) != s.many {
			return fmt.Errorf("%w: document %d has %d tokens in the state and %d in the corpus",
				errOtherDocuments, s.doc, s.many, len(words))
		}
		for _, w := range words {
			word := s.docs.Word(int(w))
			list := s.topics[word]
			if len(list) == 0 {
				return fmt.Errorf("%w: document %d has the word %q less often in the state", errOtherDocuments, s.doc, word)
			}
			s.start.Topics = append(s.start.Topics, list[0])
			s.topics[word] = list[1:]
		}
		clear(s.topics)
		s.many = 0
	}
	return nil
}
