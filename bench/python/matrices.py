"""Corpus files as matrices, to measure with."""

from __future__ import annotations

import numpy as np
import scipy.sparse

from topoi._corpusfile import CorpusFile


def as_csr(path: str, dtype: str = "float32") -> "tuple[scipy.sparse.csr_matrix, list[str]]":
    """Return the counts of a corpus file, and its words."""
    corpus = CorpusFile(path)
    data, indices, lengths = [], [], []
    step = 5000
    for first in range(0, corpus.docs, step):
        ends = corpus.offsets[first : first + step + 1].astype(np.int64)
        tokens = corpus.tokens[ends[0] : ends[-1]]
        begins = np.ones(len(tokens), bool)  # of a run of equal words
        begins[1:] = tokens[1:] != tokens[:-1]
        begins[(ends[:-1] - ends[0])[np.diff(ends) > 0]] = True
        places = np.flatnonzero(begins)
        indices.append(tokens[places].astype(np.int32))
        data.append(np.diff(np.append(places, len(tokens))).astype(dtype))
        lengths.append(np.diff(np.searchsorted(places, ends - ends[0])))
    indptr = np.concatenate([[0], np.cumsum(np.concatenate(lengths))])
    shape = (corpus.docs, corpus.words)
    return scipy.sparse.csr_matrix(
        (np.concatenate(data), np.concatenate(indices), indptr), shape=shape
    ), corpus.strings("words")
