"""Writes matrices of counts in scipy's .npz format, piece by piece.

``scipy.sparse.save_npz`` would do for a CSR matrix in memory. Here the pieces may come
from a dense matrix or from a file of AnnData, counts are checked and made as narrow as
they are on the way, and no array of the size of the matrix is ever copied.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Iterator, Tuple

import numpy as np
import scipy.sparse

from ._errors import InputError

CHUNK = 1 << 20  # elements that are looked at or written at a time


class Compressed:
    """A CSR or CSC matrix by its three arrays, which may lie in memory or in an HDF5 file."""

    def __init__(
        self, data: Any, indices: Any, indptr: Any, shape: Tuple[int, int], format: str
    ) -> None:
        self._data, self._indices, self._indptr = data, indices, indptr
        self.shape, self.format = (int(shape[0]), int(shape[1])), format
        self.nonzero = int(indptr[len(indptr) - 1])
        self.index_type = np.dtype(indices.dtype)

    def indptr(self) -> Iterator[np.ndarray]:
        return _pieces(self._indptr, self.outer + 1)

    def indices(self) -> Iterator[np.ndarray]:
        return _pieces(self._indices, self.nonzero)

    def data(self) -> Iterator[np.ndarray]:
        return _pieces(self._data, self.nonzero)

    @property
    def outer(self) -> int:
        """The number of rows of a CSR matrix, of columns of a CSC matrix."""
        return self.shape[0] if self.format == "csr" else self.shape[1]

    def place(self, element: int) -> Tuple[int, int]:
        """Return row and column of a stored element."""
        outer = int(np.searchsorted(np.asarray(self._indptr), element, side="right")) - 1
        inner = int(self._indices[element])
        return (outer, inner) if self.format == "csr" else (inner, outer)


class Dense:
    """A dense matrix, whose rows become those of a CSR matrix a block at a time."""

    format = "csr"
    index_type = np.dtype(np.int32)

    def __init__(self, rows: Any) -> None:
        self._rows = rows
        self.shape = (int(rows.shape[0]), int(rows.shape[1]))
        counts = [np.count_nonzero(block, axis=1) for block in self._blocks()]
        self._ends = np.cumsum(np.concatenate([[0], *counts]), dtype=np.int64)
        self.nonzero = int(self._ends[-1])
        self.outer = self.shape[0]

    def _blocks(self) -> Iterator[np.ndarray]:
        step = max(1, CHUNK // max(1, self.shape[1]))
        for first in range(0, self.shape[0], step):
            yield np.asarray(self._rows[first : first + step])

    def indptr(self) -> Iterator[np.ndarray]:
        return _pieces(self._ends, self.outer + 1)

    def indices(self) -> Iterator[np.ndarray]:
        return (np.nonzero(block)[1] for block in self._blocks())

    def data(self) -> Iterator[np.ndarray]:
        return (block[np.nonzero(block)] for block in self._blocks())

    def place(self, element: int) -> Tuple[int, int]:
        row = int(np.searchsorted(self._ends, element, side="right")) - 1
        columns = np.nonzero(np.asarray(self._rows[row]))[0]
        return row, int(columns[element - self._ends[row]])


def _pieces(array: Any, length: int) -> Iterator[np.ndarray]:
    for first in range(0, length, CHUNK):
        yield np.asarray(array[first : min(first + CHUNK, length)])


def as_source(matrix: Any) -> Any:
    """Return the matrix in a form that can be read piece by piece."""
    if isinstance(matrix, np.ma.MaskedArray):
        raise InputError(
            "the matrix has masked values, which are no counts: fill them first, matrix.filled(0)"
        )
    if scipy.sparse.issparse(matrix):
        if matrix.format not in ("csr", "csc"):
            matrix = matrix.tocsr()
        return Compressed(matrix.data, matrix.indices, matrix.indptr, matrix.shape, matrix.format)
    group = getattr(matrix, "group", None) or getattr(matrix, "_group", None)
    if group is not None and "indptr" in group:  # sparse, in a file of AnnData
        form = str(getattr(matrix, "format_str", None) or getattr(matrix, "format", "csr"))
        return Compressed(group["data"], group["indices"], group["indptr"][:], matrix.shape, form)
    if getattr(matrix, "ndim", 0) != 2:
        raise InputError(
            "a matrix of counts must have two dimensions, a row for every document and a column for every word"
        )
    return Dense(matrix)


@dataclass
class Counts:
    """What the values of a matrix are."""

    largest: float = 0
    total: float = 0  # sum of all values
    rounded: float = 0  # their sum after rounding
    fractions: int = 0  # how many are not whole
    example: float = 0  # the first of them
    place: Tuple[int, int] = (0, 0)  # its row and column


def survey(source: Any) -> Counts:
    """Look at all values; refuse those that are no counts at all."""
    counts, first = Counts(), 0
    for piece in source.data():
        if piece.dtype.kind not in "buif":
            raise InputError(
                f"the values of the matrix are of type {piece.dtype}, but counts are numbers"
            )
        if piece.size == 0:
            continue
        low, high = piece.min(), piece.max()
        if not (low >= 0 and np.isfinite(high)):
            bad = int(np.flatnonzero(~(np.isfinite(piece) & (piece >= 0)))[0])
            row, column = source.place(first + bad)
            raise InputError(
                f"{_no_count(piece[bad])} row {row}, column {column} holds {piece[bad]}, but counts are whole numbers from 0 on"
            )
        if high > 2**31 - 1:
            raise InputError(f"the matrix holds {high}: counts may go up to {2**31 - 1}")
        counts.largest = max(counts.largest, float(high))
        counts.total += float(piece.sum(dtype=np.float64))
        if piece.dtype.kind == "f":
            _survey_fractions(counts, source, piece, first)
        else:
            counts.rounded = counts.total
        first += piece.size
    return counts


def _no_count(value: Any) -> str:
    """Say what is wrong with a value that cannot be a count."""
    if value != value:
        return "Missing values (NaN) in data, where a word that does not occur has the count 0:"
    return "Infinite values in data:" if value > 0 else "Negative values in data:"


def _survey_fractions(counts: Counts, source: Any, piece: np.ndarray, first: int) -> None:
    whole = np.rint(piece)
    fractions = np.flatnonzero(whole != piece)
    counts.rounded += float(whole.sum(dtype=np.float64))
    if len(fractions) > 0 and counts.fractions == 0:
        counts.example = float(piece[fractions[0]])
        counts.place = source.place(first + int(fractions[0]))
    counts.fractions += len(fractions)


def write(path: Path, source: Any, counts: Counts) -> None:
    """Write the matrix, its values rounded to whole numbers, as ``scipy.sparse.save_npz(compressed=False)`` does."""
    narrow = np.dtype(
        np.uint8
        if counts.largest < 2**8 - 1
        else np.uint16
        if counts.largest < 2**16 - 1
        else np.int32
    )
    wide = np.dtype(np.int64)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        _member(archive, "indices", source.index_type, (source.nonzero,), source.indices())
        _member(archive, "indptr", wide, (source.outer + 1,), source.indptr())
        _member(archive, "format", np.dtype("S3"), (), iter([np.array(source.format.encode())]))
        _member(archive, "shape", wide, (2,), iter([np.array(source.shape)]))
        values = (np.rint(piece) if piece.dtype.kind == "f" else piece for piece in source.data())
        _member(archive, "data", narrow, (source.nonzero,), values)


def _member(
    archive: zipfile.ZipFile,
    name: str,
    dtype: np.dtype,
    shape: Tuple[int, ...],
    pieces: Iterator[np.ndarray],
) -> None:
    with archive.open(name + ".npy", "w", force_zip64=True) as out:
        _header(out, dtype, shape)
        for piece in pieces:
            if piece.size > 0:
                out.write(np.ascontiguousarray(piece, dtype=dtype).reshape(-1).view(np.uint8).data)


def _header(out: IO[bytes], dtype: np.dtype, shape: Tuple[int, ...]) -> None:
    descr = np.lib.format.dtype_to_descr(dtype)
    np.lib.format.write_array_header_1_0(
        out, {"descr": descr, "fortran_order": False, "shape": shape}
    )
