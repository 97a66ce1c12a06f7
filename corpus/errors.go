package corpus

import "errors"

// What [Open], [Corpus.Verify] and [Corpus.Unchanged] may find wrong with a corpus file. Errors
// wrap one of these and name the file.
var (
	// ErrNotCorpus: the file is something else, most often an input that was
	// never imported.
	ErrNotCorpus = errors.New("not a corpus file")

	// ErrVersion: the file was written by a program that uses another major
	// version of the format.
	ErrVersion = errors.New("unknown version of the corpus file")

	// ErrDamaged: the file is cut short, altered or contradicts itself, most
	// often after an interrupted copy.
	ErrDamaged = errors.New("damaged corpus file")

	// ErrChanged: the file was written to while it was in use.
	ErrChanged = errors.New("the corpus file was changed while it was in use")
)

// Why [Import] writes no corpus although nothing is wrong with its input: a model
// cannot be trained on one without words.
var (
	// ErrNoWords: the documents have no words.
	ErrNoWords = errors.New("there are no words")

	// ErrNoWordLeft: they have, but all fell away by frequency.
	ErrNoWordLeft = errors.New("no word is left")
)
