"""Bags of words as gensim has them, and the words behind numbers."""

from __future__ import annotations

import numbers
import reprlib
from array import array
from collections.abc import Iterable, Mapping
from typing import Any, Dict, List, Tuple

import numpy as np
import scipy.sparse

from ._errors import InputError


def missing(value: Any) -> bool:
    """Tell whether a value stands for none: None, NaN, and NaT and NA of pandas."""
    return (
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or isinstance(value, (float, np.floating))
        and value != value
    )


def is_pair(entry: Any) -> bool:
    return (
        isinstance(entry, (tuple, list, np.ndarray))
        and len(entry) == 2
        and all(isinstance(x, numbers.Number) for x in entry)
    )


def in_a_list(documents: Any, vocabulary: Any) -> Any:
    """Return a single bag of words, which only its Dictionary tells from a matrix with two columns, in a list."""
    single = (
        hasattr(vocabulary, "token2id")
        and isinstance(documents, list)
        and documents
        and all(isinstance(d, tuple) and is_pair(d) for d in documents)
    )
    return [documents] if single else documents


def bags(documents: Iterable[Any], vocabulary: Any) -> Tuple[scipy.sparse.csr_matrix, List[str]]:
    """Return bags of words, which are lists of pairs of id and count as gensim has them, as a matrix, and its words."""
    if vocabulary is None:
        raise InputError(
            "documents are bags of words (pairs of id and count), whose words only their Dictionary knows: give it as vocabulary=dictionary, or the words by id"
        )
    words = _words_by_id(vocabulary)
    column = {i: c for c, i in enumerate(sorted(words))}
    indptr, indices, data = array("q", [0]), array("i"), array("d")
    for number, document in enumerate(documents):
        for entry in [] if missing(document) else document:
            if not is_pair(entry):
                raise InputError(
                    f"document {number} holds {reprlib.repr(entry)}, expected a pair of id and count, as the documents before it have"
                )
            if entry[0] not in column:
                raise InputError(
                    f"document {number} has the id {entry[0]}, for which the vocabulary has no word"
                )
            indices.append(column[entry[0]])
            data.append(entry[1])
        indptr.append(len(indices))
    matrix = scipy.sparse.csr_matrix(
        (np.array(data), np.array(indices), np.array(indptr)), shape=(len(indptr) - 1, len(words))
    )
    return matrix, [words[i] for i in sorted(words)]


def _words_by_id(vocabulary: Any) -> Dict[int, Any]:
    """Return the words of a list, a dict in either direction, a gensim Dictionary or a vectorizer of scikit-learn."""
    if isinstance(vocabulary, (str, bytes)):
        raise InputError(
            f"vocabulary is of type {type(vocabulary).__name__}, expected a list of words; vocab='…' names a file of them"
        )
    if hasattr(vocabulary, "get_feature_names_out"):
        vocabulary = vocabulary.get_feature_names_out()
    vocabulary = getattr(vocabulary, "token2id", vocabulary)
    if not isinstance(vocabulary, Mapping):
        return dict(enumerate(vocabulary))
    if all(isinstance(i, numbers.Integral) for i in vocabulary.values()):
        return {int(i): word for word, i in vocabulary.items()}
    if all(isinstance(i, numbers.Integral) for i in vocabulary):
        return {int(i): word for i, word in vocabulary.items()}
    raise InputError(
        "vocabulary is a dict, but neither its keys nor its values are whole numbers: expected id → word or word → id"
    )


def column_names(vocabulary: Any, columns: int) -> List[str]:
    """Return the words behind the columns of a matrix."""
    words = _words_by_id(vocabulary)
    if (
        isinstance(vocabulary, Mapping)
        and len(words) == columns
        and any(i not in words for i in range(columns))
    ):
        raise InputError(
            f"vocabulary has no word for column {next(i for i in range(columns) if i not in words)}"
        )
    return [str(words[i]) for i in sorted(words)]
