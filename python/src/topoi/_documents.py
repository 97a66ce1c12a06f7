"""Puts documents of any kind into a file that the program reads."""

from __future__ import annotations

import datetime
import itertools
import json
import numbers
import os
import re
import reprlib
import warnings
from collections.abc import Iterable, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np
import scipy.sparse

from . import _columns, _npz
from ._bags import bags, column_names, in_a_list, is_pair, missing
from ._errors import InputError

Names = Optional["Iterable[Any]"]


@dataclass
class Facts:
    """What is known of documents beside their words; an entry for each."""

    ids: Names = None
    labels: Names = None
    times: Names = None
    titles: Names = None
    metadata: Any = None  # a table with a row for each, or its file

    def given(self) -> Dict[str, Sequence[Any]]:
        """Return those that are there, by the name of their field."""
        fields = {"id": self.ids, "label": self.labels, "time": self.times, "title": self.titles}
        for name, values in fields.items():
            if isinstance(values, (str, bytes, Mapping, Set)):
                raise InputError(
                    f"{name}s is of type {type(values).__name__}, expected a list with an entry for each document"
                )
        return {name: list(values) for name, values in fields.items() if values is not None}


@dataclass
class Inputs:
    """What the program is to read."""

    paths: List[str]
    flags: List[str] = field(default_factory=list)


def is_texts(documents: Any) -> bool:
    """Tell whether documents are texts, lists of words or bags of words, not a matrix of counts or files."""
    if isinstance(documents, os.PathLike) or _is_frame(documents):
        return False
    if hasattr(documents, "shape") or hasattr(documents, "__array__"):
        shape = documents.shape if hasattr(documents, "shape") else np.asarray(documents).shape
        kind = getattr(getattr(documents, "dtype", None), "kind", "O")
        return len(shape) == 1 and kind not in "buifc"
    if isinstance(documents, (list, tuple)):
        first = next((d for d in documents if not missing(d)), "")
        if isinstance(first, (list, tuple, np.ndarray)):
            first = first[0] if len(first) > 0 else ""
        return not isinstance(first, (os.PathLike, numbers.Number))
    return True


def _is_matrix(x: Any) -> bool:
    if isinstance(x, np.ndarray):
        return x.ndim == 2 and x.dtype.kind in "buif"
    return (
        scipy.sparse.issparse(x)
        or hasattr(x, "format_str")
        or hasattr(x, "_group")
        or type(x).__module__.startswith("h5py")
    )


def _is_frame(x: Any) -> bool:
    """Tell whether x is a table of pandas or polars."""
    return hasattr(x, "columns") and (hasattr(x, "itertuples") or hasattr(x, "iter_rows"))


def prepare(
    documents: Any,
    folder: Path,
    facts: Facts,
    vocabulary: Any = None,
    round_counts: Union[bool, str] = False,
    one_text: bool = False,
) -> Inputs:
    """Write documents below folder, unless they are files already.

    They may be a path or several (``pathlib.Path``), texts, lists of words, a dict of
    these by id, bags of words, a matrix of counts (SciPy, NumPy, AnnData's in memory or
    on disk) or a table of pandas or polars. A ``str`` names a file; with one_text it is
    a text, unless there is such a file.
    """
    documents, paths = _paths(in_a_list(documents, vocabulary), one_text)
    if paths:
        return _files(paths, folder, facts, vocabulary)
    if hasattr(documents, "obs_names") and hasattr(documents, "var_names"):
        if documents.X is None:
            raise InputError(
                "the AnnData has no X: use fit_anndata(adata, …, layer=…) for counts in a layer"
            )
        names = documents.var_names if vocabulary is None else vocabulary
        ids = documents.obs_names if facts.ids is None else facts.ids
        obs = documents.obs if facts.metadata is None else facts.metadata
        return _matrix(
            documents.X, folder, replace(facts, ids=ids, metadata=obs), names, round_counts
        )
    if _is_frame(documents):
        return _frame(documents, folder, facts, vocabulary, round_counts)
    if _is_matrix(documents):
        return _matrix(documents, folder, facts, vocabulary, round_counts)
    if isinstance(documents, Mapping):
        documents, facts = _by_id(documents, facts)
    if not is_texts(documents):
        return _matrix(np.asarray(documents), folder, facts, vocabulary, round_counts)
    if facts.ids is None:
        facts = replace(facts, ids=_index(documents))
    return _texts(documents, folder, facts, vocabulary, round_counts)


def _paths(documents: Any, one_text: bool) -> Tuple[Any, List[Path]]:
    """Return documents, and the files that they name, if they do."""
    if isinstance(documents, (bytes, bytearray)):
        raise InputError("documents is of type bytes: decode it first, documents.decode('utf-8')")
    if isinstance(documents, Set):
        raise InputError(
            f"documents is of type {type(documents).__name__}, whose order differs from run to run: give sorted(documents)"
        )
    if isinstance(documents, str):
        if _exists(documents) and not (one_text and os.path.isdir(documents)):
            return documents, [Path(documents)]
        if not one_text or _FILE_NAME.fullmatch(documents):
            raise InputError(
                f"there is no file {reprlib.repr(documents)}; a text is given in a list: [text]"
            )
        return [documents], []
    if isinstance(documents, os.PathLike):
        return documents, [Path(documents)]
    if isinstance(documents, (list, tuple)) and documents:
        if all(isinstance(d, os.PathLike) for d in documents) or all(
            isinstance(d, str) and _exists(d) for d in documents
        ):
            return documents, [Path(d) for d in documents]
    return documents, []


_FILE_NAME = re.compile(
    r"\S+\.(csv|tsv|txt|jsonl?|ndjson|xlsx|parquet|mm|mtx|npz|h5ad|topoi|svm|mallet)(\.(gz|bz2|xz|zst))?"
)


def _exists(name: str) -> bool:
    """Tell whether a text names a file; one with several lines or of many letters does not."""
    return 0 < len(name) < 1000 and "\n" not in name and "\0" not in name and os.path.exists(name)


def _by_id(documents: Mapping[Any, Any], facts: Facts) -> Tuple[Any, Facts]:
    """Return the documents of a dict, and its keys as their ids."""
    if hasattr(documents, "token2id"):
        raise InputError(
            "documents is a gensim Dictionary: give the bags of words, and the Dictionary as vocabulary"
        )
    if isinstance(documents.get("text"), (list, tuple, np.ndarray)):
        raise InputError("documents is a dict of columns: give pandas.DataFrame(documents)")
    if facts.ids is not None:
        raise InputError(
            "a dict has its own ids, which are its keys: leave ids out, or give list(documents.values())"
        )
    return list(documents.values()), replace(facts, ids=list(documents))


def _index(documents: Any) -> Names:
    """Return the index of a Series or table of pandas, if it tells more than the order."""
    index = getattr(documents, "index", None)
    if (
        not hasattr(index, "is_unique")
        or getattr(index, "start", None) == 0
        and getattr(index, "step", None) == 1
    ):
        return None
    return index


def _files(paths: Sequence[Any], folder: Path, facts: Facts, vocabulary: Names) -> Inputs:
    if facts.given():
        raise InputError(
            f"files have their own {', '.join(facts.given())}: name the columns with id_field, label_field and so on"
        )
    if vocabulary is not None:
        raise InputError("the vocabulary of a file is a file, too: name it with vocab='…'")
    return Inputs([os.fspath(p) for p in paths], _columns.write(facts.metadata, None, None, folder))


def _texts(
    documents: Iterable[Any],
    folder: Path,
    facts: Facts,
    vocabulary: Any,
    round_counts: Union[bool, str],
) -> Inputs:
    kind, rest = _kind(documents)
    if kind == "bag":
        matrix, names = bags(rest, vocabulary)
        return _matrix(matrix, folder, facts, names, round_counts)
    if vocabulary is not None:
        raise InputError(
            "vocabulary names the columns of a matrix of counts or the ids of bags of words; the words of texts are found in them"
        )
    given = facts.given()
    number, whole = 0, 0  # documents, and those that are one word with blanks inside

    def rows() -> Iterator[Dict[str, Any]]:
        nonlocal number, whole
        for number, document in enumerate(rest, 1):
            row = {kind: _content(document, kind, number - 1)}
            whole += kind == "tokens" and len(row[kind]) == 1 and len(row[kind][0].split()) > 2
            for name, values in given.items():
                if number > len(values):
                    raise InputError(f"there are only {len(values)} {name}s, but more documents")
                row[name] = _plain(values[number - 1])
            yield row

    path = folder / "documents.jsonl"
    _write_lines(path, rows())
    if number == 0:
        raise InputError("there are no documents")
    if whole == number:
        raise InputError(
            "every document is a list with one text in it: give the texts themselves, [d[0] for d in documents]"
        )
    for name, values in given.items():
        if len(values) != number:
            raise InputError(
                f"there are {len(values)} {name}s for {number} documents: give one for each"
            )
    flags = ["--format=jsonl", f"--{kind}-field={kind}"] + [
        f"--{name}-field={name}" for name in given
    ]
    return Inputs(
        [str(path)], flags + _columns.write(facts.metadata, given.get("id"), number, folder)
    )


def _kind(documents: Iterable[Any]) -> Tuple[str, Iterator[Any]]:
    """Tell by the first document that is not empty whether documents are texts, lists of words
    (tokens) or bags of words; return them all."""
    try:
        rest = iter(documents)
    except TypeError:
        raise InputError(
            f"documents is of type {type(documents).__name__}, expected texts, lists of words, counts, a table or a file"
        ) from None
    seen: List[Any] = []
    for document in rest:
        seen.append(document)
        if not missing(document) and (not hasattr(document, "__len__") or len(document) > 0):
            break
    last = seen[-1] if seen else ""
    kind = "tokens" if any(_is_words(d) for d in seen) else "text"
    if (
        kind == "tokens"
        and hasattr(last, "__len__")
        and len(last) > 0
        and is_pair(next(iter(last)))
    ):
        kind = "bag"
    return kind, itertools.chain(seen, rest)


def _is_words(document: Any) -> bool:
    """Tell whether a document is a list of words or the like. The order of a set is not the same in every run."""
    return isinstance(document, Iterable) and not isinstance(
        document, (str, bytes, bytearray, Mapping, Set)
    )


def _content(document: Any, kind: str, number: int) -> Any:
    """Return a document as JSON has it: text, or a list of words."""
    if missing(document):
        return "" if kind == "text" else []
    if kind == "text" and isinstance(document, str):
        return document
    if kind == "tokens" and _is_words(document):
        words = list(document)
        for i, word in enumerate(words):
            if not isinstance(word, str):
                raise InputError(
                    f"document {number} has at {i} a value of type {type(word).__name__}, expected a word, which is a str"
                )
        return words
    hint = (
        ": decode it first, document.decode('utf-8')"
        if isinstance(document, (bytes, bytearray))
        else ""
    )
    wanted = (
        "a text, which is a str"
        if kind == "text"
        else "a list of words, as the documents before it are"
    )
    raise InputError(
        f"document {number} is of type {type(document).__name__}, expected {wanted}{hint}"
    )


def word_file(words: Any, folder: Path) -> Any:
    """Return the name of a file of words where a list of them is given; names of files as they are."""
    if (
        not isinstance(words, (list, tuple, Set))
        or not words
        or all(isinstance(w, os.PathLike) or _exists(str(w)) for w in words)
    ):
        return words
    path = folder / "stopwords.txt"
    path.write_text("\n".join(sorted(map(str, words))) + "\n", encoding="utf-8")
    return path


@contextmanager
def naming(folder: Path) -> Iterator[None]:
    """Let faults name documents instead of the file below folder that they went through."""
    try:
        yield
    except InputError as fault:
        file = re.escape(str(folder / "documents"))
        text = re.sub(
            file + r"\.jsonl:(\d+)", lambda found: f"document {int(found[1]) - 1}", str(fault)
        )
        raise InputError(re.sub(file + r"\.(jsonl|npz)(:\d+)?", "the documents", text)) from None


def _write_lines(path: Path, rows: Iterable[Dict[str, Any]]) -> None:
    # A lone surrogate is no character; it becomes U+FFFD, as import would have it.
    with open(path, "w", encoding="utf-8", errors="replace", newline="\n") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False))
            out.write("\n")


def _frame(
    frame: Any, folder: Path, facts: Facts, vocabulary: Names, round_counts: Union[bool, str]
) -> Inputs:
    """A table of numbers is a matrix of counts; any other has a column with texts."""
    if all(map(_numeric, frame.dtypes)):
        names = frame.columns if vocabulary is None else vocabulary
        facts = facts if facts.ids is not None else replace(facts, ids=_index(frame))
        return _matrix(_values(frame), folder, facts, names, round_counts)
    if facts.given():
        raise InputError(
            "a table has its own columns: name them with text_field, id_field, label_field, time_field and title_field"
        )
    path = folder / "documents.jsonl"
    columns = [str(name) for name in frame.columns]
    rows = (
        frame.itertuples(index=False, name=None)
        if hasattr(frame, "itertuples")
        else frame.iter_rows()
    )
    made = (dict(zip(columns, map(_plain, row))) for row in rows)
    ids = _index(frame)
    if ids is not None and not any("id" in name.lower() for name in columns):
        made = ({**row, "id": _plain(i)} for row, i in zip(made, ids))
    if facts.metadata is not None:
        raise InputError(
            "a table has its own columns, which are kept: join the metadata to it first, table.join(metadata)"
        )
    _write_lines(path, made)
    return Inputs([str(path)], ["--format=jsonl"])


def _numeric(kind: Any) -> bool:
    """Tell whether a type of pandas or polars is of numbers."""
    if hasattr(kind, "kind"):
        return kind.kind in "buif"
    return hasattr(kind, "is_numeric") and bool(kind.is_numeric())


def _values(frame: Any) -> Any:
    """Return the numbers of a table, sparse where its columns are."""
    if (
        all(type(kind).__name__ == "SparseDtype" for kind in frame.dtypes)
        and len(frame.columns) > 0
    ):
        return frame.sparse.to_coo()
    values = frame.to_numpy()
    return values if values.dtype.kind != "O" else frame.to_numpy(dtype=np.float64, na_value=np.nan)


def _plain(value: Any) -> Any:
    """Return a value as JSON has it: dates as text, NumPy's numbers as numbers, what is missing as null."""
    if missing(value):
        return None
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, np.generic):
        return value.item()
    return value if isinstance(value, (str, int, float, bool, list, dict)) else str(value)


def _matrix(
    matrix: Any, folder: Path, facts: Facts, vocabulary: Names, round_counts: Union[bool, str]
) -> Inputs:
    beyond = [name for name in facts.given() if name != "id"]
    if beyond:
        raise InputError(
            f"{', '.join(beyond)}: what is known of the rows of a matrix is their ids alone; keep the rest beside it, rows keep their order"
        )
    source = _npz.as_source(matrix)
    counts = _npz.survey(source)
    judge(counts, round_counts)
    path = folder / "documents.npz"
    _npz.write(path, source, counts)
    if vocabulary is not None:
        _names(
            folder / "documents.npz.vocab",
            column_names(vocabulary, source.shape[1]),
            source.shape[1],
            "vocabulary",
            "column",
            unique=True,
        )
    if facts.ids is not None:
        _names(
            folder / "documents.npz.ids",
            [str(i) for i in facts.ids],
            source.shape[0],
            "ids",
            "row",
            unique=False,
        )
    flags = _columns.write(
        facts.metadata, None if facts.ids is None else list(facts.ids), source.shape[0], folder
    )
    return Inputs([str(path)], ["--format=npz", "--orientation=docs-rows", *flags])


def judge(counts: _npz.Counts, round_counts: Union[bool, str]) -> None:
    """Refuse, or with round_counts allow, values that are not whole."""
    if counts.fractions == 0:
        return
    row, column = counts.place
    found = f"row {row}, column {column} holds {counts.example:.6g}, but topics are found in counts, which are whole numbers"
    if not round_counts:
        raise InputError(f"{found}: give the counts before any scaling, or round_counts=True")
    if counts.rounded < counts.total / 2:
        raise InputError(
            f"{found}, and rounded they would lose more than half of their sum: give the counts before any scaling, such as TF-IDF"
        )
    if round_counts == "warn":
        warnings.warn(
            f"{found}; {counts.fractions} values are rounded (round_counts=True says that this is meant)",
            UserWarning,
            stacklevel=4,
        )


def _names(path: Path, names: List[str], expected: int, what: str, side: str, unique: bool) -> None:
    """Write a name a line."""
    if len(names) != expected:
        raise InputError(f"{what} has {len(names)} names, but the matrix has {expected} {side}s")
    for i, name in enumerate(names):
        if name.strip() != name or not name.isprintable() or (unique and name == ""):
            raise InputError(
                f"{what} has the name {name!r} for {side} {i}: a name may not be empty, have blanks around it or hold line ends"
            )
    if unique and len(set(names)) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise InputError(
            f"{what} has the name {twice!r} twice: make them unique first (AnnData: adata.var_names_make_unique())"
        )
    path.write_text("\n".join(names) + "\n", encoding="utf-8")
