"""Columns of documents: tables of pandas or polars in and out."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence

import numpy as np

from ._bags import missing
from ._corpusfile import CorpusFile
from ._errors import InputError

_MISSING = ("", "NA", "N/A", "#N/A", "n/a", "<NA>", "NaN", "nan", "NULL", "null", "None")
# The columns in which topoi looks for the ids or file names of documents.
_KEYS = ("id", "doc_id", "file", "filename", "file_name", "path", "name")


def metadata_rows(metadata: Any) -> List[Dict[str, Any]]:
    """Return the rows of a table of pandas or polars, or of a dict of lists, by the names of columns."""
    if isinstance(metadata, Mapping):
        columns = {str(name): list(values) for name, values in metadata.items()}
        lengths = {len(values) for values in columns.values()}
        if len(lengths) > 1:
            raise InputError(
                f"the columns of metadata have {min(lengths)} to {max(lengths)} entries: give one for each document"
            )
        return [dict(zip(columns, row)) for row in zip(*columns.values())]
    if not hasattr(metadata, "columns"):
        raise InputError(
            f"metadata is of type {type(metadata).__name__}, expected a table with a row for each document, or the name of a file with one"
        )
    names = [str(name) for name in metadata.columns]
    rows = (
        metadata.itertuples(index=False, name=None)
        if hasattr(metadata, "itertuples")
        else metadata.iter_rows()
    )
    return [dict(zip(names, row)) for row in rows]


def write(
    metadata: Any, ids: Optional[Sequence[Any]], docs: Optional[int], folder: Path
) -> List[str]:
    """Write a table with a row for each document, and return the flags that name it.

    Row i belongs to document i, whose id is ids[i], or i. Where docs is None, the documents
    are in files, and the table names them: in a column such as id or file, or by its index.
    """
    if metadata is None:
        return []
    if isinstance(metadata, (str, os.PathLike)):
        return [f"--metadata={os.fspath(metadata)}"]
    rows = metadata_rows(metadata)
    if not rows or not rows[0]:
        return []
    if docs is None:
        keys = [name for name in rows[0] if name in _KEYS]
        if not keys and not hasattr(metadata, "index"):
            raise InputError(f"metadata of files names them in a column: {', '.join(_KEYS)}")
        ids = [row[keys[0]] for row in rows] if keys else list(metadata.index)
    else:
        if len(rows) != docs:
            raise InputError(
                f"metadata has {len(rows)} rows for {docs} documents: give one for each"
            )
        ids = list(range(docs)) if ids is None else list(ids)
    path = folder / "metadata.jsonl"
    with open(path, "w", encoding="utf-8", errors="replace", newline="\n") as out:
        for key, row in zip(ids, rows):
            values = {name: as_text(value) for name, value in row.items() if name not in _KEYS}
            out.write(json.dumps({"id": str(key), **values}, ensure_ascii=False) + "\n")
    return [f"--metadata={path}"]


def as_text(value: Any) -> Optional[str]:
    """Return a value as a cell of a table has it: lists with | between their items, what is missing as None."""
    if isinstance(value, (list, tuple, set, frozenset, np.ndarray)):
        return "|".join(str(item) for item in value)
    if missing(value):
        return None
    if hasattr(value, "isoformat"):
        text = str(value.isoformat())
        return text[:10] if text.endswith("T00:00:00") else text
    return str(value)


def frame(corpus: CorpusFile, docs: Any) -> Any:
    """Return a table of pandas with a row for each of the given documents of a corpus."""
    try:
        import pandas
    except ImportError as fault:
        raise ImportError("tables need pandas: pip install pandas") from fault
    ids = corpus.strings("ids")
    table = {"id": [ids[d] if ids is not None and ids[d] else str(d) for d in docs]}
    for name, kind, values in _columns(corpus):
        if name not in table:
            table[name] = _typed(pandas, kind, [values[d] for d in docs])
    table.setdefault("length", np.diff(corpus.offsets.astype(np.int64))[docs])
    return pandas.DataFrame(table, index=pandas.Index(docs, name="doc"))


def _columns(corpus: CorpusFile) -> Iterator[Any]:
    """Yield name, kind and values of every column; labels and times have the names of their columns, or these."""
    named = set()
    for i, info in enumerate(corpus.columns()):
        role = info.get("role")
        values = corpus.strings({"label": "labels", "time": "times"}.get(role, f"c{i}"))
        if values is not None:
            named.add(role)
            yield info["name"], info["kind"], values
    for role, kind, section in (
        ("label", "category", "labels"),
        ("time", "date", "times"),
        ("title", "text", "titles"),
    ):
        values = corpus.strings(section)
        if values is not None and role not in named:
            yield role, kind, values


def _typed(pandas: Any, kind: str, values: List[str]) -> Any:
    """Return the values of a column in the type of pandas that fits its kind."""
    known = [None if v in _MISSING else v for v in values]
    if kind == "number":
        plain = [
            v.replace(",", ".", 1) if v is not None and v.count(",") == 1 and "." not in v else v
            for v in known
        ]
        return pandas.to_numeric(pandas.Series(plain, dtype=object), errors="coerce").to_numpy()
    if kind == "date":
        series = pandas.Series(known, dtype=object)
        if series.dropna().str.match(r"^\d{4}-\d\d-\d\d([T ]|$)").all():
            return (
                pandas.to_datetime(series, errors="coerce", utc=True)
                .dt.tz_localize(None)
                .to_numpy()
            )
        return known
    if kind == "category":
        return pandas.Categorical(known)
    if kind == "list":
        return [
            [item.strip() for item in v.replace(";", "|").split("|") if item.strip()]
            if v is not None
            else []
            for v in known
        ]
    return known
