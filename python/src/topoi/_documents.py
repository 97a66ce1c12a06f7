"""Puts documents of any kind into a file that the program reads."""

from __future__ import annotations

import datetime
import json
import numbers
import os
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Union

import numpy as np
import scipy.sparse

from . import _npz
from ._errors import InputError

Names = Optional[Iterable[Any]]


@dataclass
class Facts:
    """What is known of documents beside their words; an entry for each."""

    ids: Names = None
    labels: Names = None
    times: Names = None
    titles: Names = None

    def given(self) -> Dict[str, Sequence[Any]]:
        """Return those that are there, by the name of their field."""
        fields = {"id": self.ids, "label": self.labels, "time": self.times, "title": self.titles}
        return {name: list(values) for name, values in fields.items() if values is not None}


@dataclass
class Inputs:
    """What the program is to read."""

    paths: List[str]
    flags: List[str] = field(default_factory=list)


def is_texts(documents: Any) -> bool:
    """Tell whether documents are texts or lists of words, not counts or files."""
    if isinstance(documents, (str, os.PathLike)) or _is_frame(documents):
        return False
    if hasattr(documents, "shape") or hasattr(documents, "__array__"):
        shape = documents.shape if hasattr(documents, "shape") else np.asarray(documents).shape
        kind = getattr(getattr(documents, "dtype", None), "kind", "O")
        return len(shape) == 1 and kind not in "buifc"
    first = documents[0] if isinstance(documents, (list, tuple)) and documents else ""
    if isinstance(first, (list, tuple)):
        first = first[0] if first else ""
    return not isinstance(first, (os.PathLike, numbers.Number, np.ndarray))


def _is_matrix(x: Any) -> bool:
    if isinstance(x, np.ndarray):
        return x.ndim == 2 and x.dtype.kind in "buif"
    return scipy.sparse.issparse(x) or hasattr(x, "format_str") or hasattr(x, "_group") or type(x).__module__.startswith("h5py")


def _is_frame(x: Any) -> bool:
    return hasattr(x, "columns") and hasattr(x, "itertuples")


def prepare(documents: Any, folder: Path, facts: Facts, vocabulary: Names = None, round_counts: Union[bool, str] = False) -> Inputs:
    """Write documents below folder, unless they are files already.

    They may be a path or several (``pathlib.Path``), texts, lists of words, a matrix of
    counts (SciPy, NumPy, AnnData's in memory or on disk) or a table of pandas.
    """
    if isinstance(documents, (str, os.PathLike)):
        documents = [Path(documents)]
    if isinstance(documents, (list, tuple)) and documents and all(isinstance(d, os.PathLike) for d in documents):
        return _files(documents, facts, vocabulary)
    if hasattr(documents, "obs_names") and hasattr(documents, "var_names"):
        names = documents.var_names if vocabulary is None else vocabulary
        ids = documents.obs_names if facts.ids is None else facts.ids
        return _matrix(documents.X, folder, Facts(ids, facts.labels, facts.times, facts.titles), names, round_counts)
    if _is_frame(documents):
        return _frame(documents, folder, facts, vocabulary, round_counts)
    if _is_matrix(documents):
        return _matrix(documents, folder, facts, vocabulary, round_counts)
    if not is_texts(documents):
        return _matrix(np.asarray(documents), folder, facts, vocabulary, round_counts)
    if vocabulary is not None:
        raise InputError("vocabulary names the columns of a matrix of counts; the words of texts are found in them")
    return _texts(documents, folder, facts)


def _files(paths: Sequence[Any], facts: Facts, vocabulary: Names) -> Inputs:
    if facts.given():
        raise InputError(f"files have their own {', '.join(facts.given())}: name the columns with id_field, label_field and so on")
    if vocabulary is not None:
        raise InputError("the vocabulary of a file is a file, too: name it with vocab='…'")
    return Inputs([os.fspath(p) for p in paths])


def _texts(documents: Iterable[Any], folder: Path, facts: Facts) -> Inputs:
    given = facts.given()
    number, kind = 0, "text"

    def rows() -> Iterator[Dict[str, Any]]:
        nonlocal number, kind
        for number, document in enumerate(documents, 1):
            if number == 1 and isinstance(document, (list, tuple)):
                kind = "tokens"
            row = {kind: _content(document, kind, number - 1)}
            for name, values in given.items():
                if number > len(values):
                    raise InputError(f"there are only {len(values)} {name}s, but more documents")
                row[name] = _plain(values[number - 1])
            yield row

    path = folder / "documents.jsonl"
    _write_lines(path, rows())
    if number == 0:
        raise InputError("there are no documents")
    for name, values in given.items():
        if len(values) != number:
            raise InputError(f"there are {len(values)} {name}s for {number} documents: give one for each")
    flags = ["--format=jsonl", f"--{kind}-field={kind}"] + [f"--{name}-field={name}" for name in given]
    return Inputs([str(path)], flags)


def _content(document: Any, kind: str, number: int) -> Any:
    """Return a document as JSON has it: text, or a list of words."""
    if _missing(document):
        return "" if kind == "text" else []
    if kind == "text" and isinstance(document, (str, bytes)):
        if isinstance(document, bytes):
            raise InputError(f"document {number} is made of bytes: decode it first, document.decode('utf-8')")
        return document
    if kind == "tokens" and isinstance(document, (list, tuple)):
        return [str(word) for word in document]
    raise InputError(f"document {number} is of type {type(document).__name__}, expected {'a text' if kind == 'text' else 'a list of words'} as document 0 is")


def _write_lines(path: Path, rows: Iterable[Dict[str, Any]]) -> None:
    # A lone surrogate is no character; it becomes U+FFFD, as import would have it.
    with open(path, "w", encoding="utf-8", errors="replace", newline="\n") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False))
            out.write("\n")


def _frame(frame: Any, folder: Path, facts: Facts, vocabulary: Names, round_counts: Union[bool, str]) -> Inputs:
    """A table of numbers is a matrix of counts; any other has a column with texts."""
    if all(getattr(kind, "kind", "O") in "buif" for kind in frame.dtypes):
        names = frame.columns if vocabulary is None else vocabulary
        return _matrix(frame.to_numpy(), folder, facts, names, round_counts)
    if facts.given():
        raise InputError("a table has its own columns: name them with text_field, id_field, label_field, time_field and title_field")
    path = folder / "documents.jsonl"
    columns = [str(name) for name in frame.columns]
    _write_lines(path, (dict(zip(columns, map(_plain, row))) for row in frame.itertuples(index=False, name=None)))
    return Inputs([str(path)], ["--format=jsonl"])


def _missing(value: Any) -> bool:
    """Tell whether a value stands for none: None, NaN, and NaT and NA of pandas."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or isinstance(value, (float, np.floating)) and value != value


def _plain(value: Any) -> Any:
    """Return a value as JSON has it: dates as text, NumPy's numbers as numbers, what is missing as null."""
    if _missing(value):
        return None
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, np.generic):
        return value.item()
    return value if isinstance(value, (str, int, float, bool, list, dict)) else str(value)


def _matrix(matrix: Any, folder: Path, facts: Facts, vocabulary: Names, round_counts: Union[bool, str]) -> Inputs:
    beyond = [name for name in facts.given() if name != "id"]
    if beyond:
        raise InputError(f"{', '.join(beyond)}: what is known of the rows of a matrix is their ids alone; keep the rest beside it, rows keep their order")
    source = _npz.as_source(matrix)
    counts = _npz.survey(source)
    judge(counts, round_counts)
    path = folder / "documents.npz"
    _npz.write(path, source, counts)
    if vocabulary is not None:
        _names(folder / "documents.npz.vocab", [str(word) for word in vocabulary], source.shape[1], "vocabulary", "column", unique=True)
    if facts.ids is not None:
        _names(folder / "documents.npz.ids", [str(i) for i in facts.ids], source.shape[0], "ids", "row", unique=False)
    return Inputs([str(path)], ["--format=npz", "--orientation=docs-rows"])


def judge(counts: _npz.Counts, round_counts: Union[bool, str]) -> None:
    """Refuse, or with round_counts allow, values that are not whole."""
    if counts.fractions == 0:
        return
    row, column = counts.place
    found = f"row {row}, column {column} holds {counts.example:.6g}, but topics are found in counts, which are whole numbers"
    if not round_counts:
        raise InputError(f"{found}: give the counts before any scaling, or round_counts=True")
    if counts.rounded < counts.total / 2:
        raise InputError(f"{found}, and rounded they would lose more than half of their sum: give the counts before any scaling, such as TF-IDF")
    if round_counts == "warn":
        warnings.warn(f"{found}; {counts.fractions} values are rounded (round_counts=True says that this is meant)", UserWarning, stacklevel=4)


def _names(path: Path, names: List[str], expected: int, what: str, side: str, unique: bool) -> None:
    """Write a name a line."""
    if len(names) != expected:
        raise InputError(f"{what} has {len(names)} names, but the matrix has {expected} {side}s")
    for i, name in enumerate(names):
        if name.strip() != name or not name.isprintable() or (unique and name == ""):
            raise InputError(f"{what} has the name {name!r} for {side} {i}: a name may not be empty, have blanks around it or hold line ends")
    if unique and len(set(names)) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise InputError(f"{what} has the name {twice!r} twice: make them unique first (AnnData: adata.var_names_make_unique())")
    path.write_text("\n".join(names) + "\n", encoding="utf-8")
