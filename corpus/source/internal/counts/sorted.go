package counts

import "io"

// sorted makes documents of the entries of a matrix that come in any order.
type sorted struct {
	filled  bool
	entries *spill
	ahead   entry // the first entry of a later document
	more    bool  // ahead is set
	bag     Bag
}

// fill takes all entries that read hands to add. What does not fit in memory
// goes to a temporary file in dir. After the first time it does nothing.
func (s *sorted) fill(dir string, read func(add func(entry) error) error) error {
	if s.filled {
		return nil
	}
	s.filled = true
	s.entries = newSpill(dir)
	if err := read(s.entries.add); err != nil {
		return err
	}
	if err := s.entries.finish(); err != nil {
		return err
	}
	return s.advance()
}

// document fills doc with the entries of document d; the documents are asked
// for in order.
func (s *sorted) document(d uint64, doc *Document) error {
	s.bag.Reset()
	for s.more && uint64(s.ahead.doc) == d {
		s.bag.Add(s.ahead.word, s.ahead.count)
		if err := s.advance(); err != nil {
			return err
		}
	}
	doc.Words, doc.Counts = s.bag.Words, s.bag.Counts
	return nil
}

func (s *sorted) advance() error {
	var err error
	s.ahead, err = s.entries.next()
	s.more = err == nil
	if err == io.EOF {
		return nil
	}
	return err
}

// close removes what was written.
func (s *sorted) close() error {
	if s.entries == nil {
		return nil
	}
	err := s.entries.close()
	s.entries = nil
	return err
}
