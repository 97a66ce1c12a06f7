package export

import (
	"fmt"
	"io"
)

// gensimDictionary writes the file that gensim's Dictionary.load_from_text reads: the number of documents,
// then `id TAB word TAB document frequency`.
func gensimDictionary(j *job, w io.Writer) error {
	if _, err := fmt.Fprintln(w, j.docs.NumDocs()); err != nil {
		return err
	}
	frequency := j.docFrequency()
	return j.wordText(w, func(l *line, word int) {
		l.int(word, '\t')
		l.field(j.model.Words().Bytes(word), '\t')
		l.int(int(frequency[word]), '\n')
	})
}

// gensimCorpus writes the documents as a Matrix Market file with a row per document. gensim's MmCorpus
// requires real numbers.
func gensimCorpus(j *job, w io.Writer) error {
	nonzero := uint64(0)
	for _, n := range j.docFrequency() {
		nonzero += n
	}
	_, err := fmt.Fprintf(w, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", j.docs.NumDocs(),
		j.model.NumWords(), nonzero)
	if err != nil {
		return err
	}
	var l line
	for d := range j.docs.NumDocs() {
		if err := j.step(d, j.docs.NumDocs()); err != nil {
			return err
		}
		l = l[:0]
		doc := j.docs.Doc(d)
		for i := 0; i < len(doc); {
			begin := i
			for i < len(doc) && doc[i] == doc[begin] {
				i++
			}
			l.int(d+1, ' ')
			l.int(int(doc[begin])+1, ' ')
			l.int(i-begin, '\n')
		}
		if _, err := w.Write(l); err != nil {
			return err
		}
	}
	return nil
}

// gensimScript writes the Python module that turns the files into a gensim model.
func gensimScript(j *job, w io.Writer) error {
	_, err := fmt.Fprintf(w, `"""Turns the files beside this one into a gensim LdaModel: model = load()."""
import os

import numpy as np
from gensim.corpora import Dictionary
from gensim.models import LdaModel

HERE = os.path.dirname(os.path.abspath(__file__))
ETA = %v  # the prior of topics over words


def load(directory=HERE):
    weights = np.load(os.path.join(directory, "lambda.npy"))  # topics x words: counts + ETA
    alpha = np.load(os.path.join(directory, "alpha.npy"))
    words = Dictionary.load_from_text(os.path.join(directory, "id2word.txt"))
    model = LdaModel(id2word=words, num_topics=len(alpha), alpha=alpha, eta=ETA, dtype=weights.dtype.type)
    model.state.sstats[:] = weights - model.eta
    model.sync_state()
    return model
`, j.model.Manifest().BetaPerDraw())
	return err
}
