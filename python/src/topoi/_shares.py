"""θ and φ as matrices that are computed from counts when they are looked at."""

from __future__ import annotations

from typing import Any, Iterator, Optional, Tuple

import numpy as np
import scipy.sparse
from numpy.lib.mixins import NDArrayOperatorsMixin


class Shares(NDArrayOperatorsMixin):
    """A matrix of shares whose rows are computed when they are asked for.

    Indexing with a row, a slice or a list of rows computes these alone.
    ``np.asarray(shares)``, and whatever NumPy is asked to do with all of it, makes the
    whole dense matrix once and keeps it. ``.counts`` are the counts behind it, sparse.
    """

    dtype = np.dtype(np.float32)
    ndim = 2

    def __init__(self, shape: Tuple[int, int]) -> None:
        self.shape = shape
        self._whole: Optional[np.ndarray] = None

    def _rows(self, rows: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def _fill(self, out: np.ndarray) -> None:
        raise NotImplementedError

    @property
    def counts(self) -> scipy.sparse.csr_matrix:
        """The counts behind the shares."""
        raise NotImplementedError

    @property
    def size(self) -> int:
        return self.shape[0] * self.shape[1]

    def toarray(self) -> np.ndarray:
        """Return the whole matrix, float32. It is kept, and must not be written to."""
        if self._whole is None:
            whole = np.empty(self.shape, self.dtype)
            self._fill(whole)
            whole.flags.writeable = False
            self._whole = whole
        return self._whole

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        whole = self.toarray()
        return (
            whole.astype(dtype)
            if dtype is not None and np.dtype(dtype) != self.dtype or copy
            else whole
        )

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return getattr(ufunc, method)(
            *[x.toarray() if isinstance(x, Shares) else x for x in inputs], **kwargs
        )

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: Any) -> Any:
        if self._whole is not None:
            return self._whole[key]
        rows, rest = (key[0], key[1:]) if isinstance(key, tuple) else (key, ())
        if rows is Ellipsis or rows is None or (isinstance(rows, np.ndarray) and rows.ndim > 1):
            return self.toarray()[key]
        wanted = np.arange(len(self))[rows]
        if wanted.ndim == 0:
            return self._rows(wanted[None])[0][rest or slice(None)]
        if (
            len(wanted) == len(self)
            and wanted.ndim == 1
            and len(wanted) > 0
            and np.array_equal(wanted, np.arange(len(self)))
        ):
            return self.toarray()[key]
        block = self._rows(wanted)
        return block[(slice(None), *rest)] if rest else block

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.toarray(), name)  # T, mean, argmax, …

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.shape[0]} × {self.shape[1]} shares, computed when looked at; np.asarray makes them all>"


class Theta(Shares):
    """θ_dk = (n_dk + α_k)/(N_d + Σα), a row for every training document."""

    def __init__(self, z: np.ndarray, ends: np.ndarray, alpha: np.ndarray) -> None:
        """Take the topics of all tokens, where each document's end (and 0 before them), and α."""
        super().__init__((len(ends) - 1, len(alpha)))
        self._z, self._ends, self._alpha = z, ends, alpha
        self._alpha_sum = float(
            sum(alpha.tolist())
        )  # one after the other, as the program adds them

    def _share(self, counts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        return (counts + self._alpha) / (lengths[:, None] + self._alpha_sum)

    def _rows(self, rows: np.ndarray) -> np.ndarray:
        out = np.empty((len(rows), self.shape[1]), self.dtype)
        for i, d in enumerate(rows):
            begin, end = int(self._ends[d]), int(self._ends[d + 1])
            counts = np.bincount(self._z[begin:end], minlength=self.shape[1])
            out[i] = self._share(counts[None], np.array([end - begin]))[0]
        return out

    def _fill(self, out: np.ndarray) -> None:
        for first, last in self._blocks(dense=True):
            keys, lengths = self._keys(first, last)
            counts = np.bincount(keys, minlength=(last - first) * self.shape[1])
            out[first:last] = self._share(counts.reshape(last - first, -1), lengths)

    @property
    def counts(self) -> scipy.sparse.csr_matrix:
        """n_dk, documents × topics."""
        indptr, indices, data = [np.zeros(1, np.int64)], [], []
        for first, last in self._blocks(dense=False):
            keys, _ = self._keys(first, last)
            keys, counts = np.unique(keys, return_counts=True)
            rows, columns = np.divmod(keys, self.shape[1])
            indices.append(columns.astype(np.int32))
            data.append(counts.astype(np.int32))
            indptr.append(indptr[-1][-1] + np.cumsum(np.bincount(rows, minlength=last - first)))
        if not data:
            return scipy.sparse.csr_matrix(self.shape, dtype=np.int32)
        return scipy.sparse.csr_matrix(
            (np.concatenate(data), np.concatenate(indices), np.concatenate(indptr)),
            shape=self.shape,
        )

    def _keys(self, first: int, last: int) -> Tuple[np.ndarray, np.ndarray]:
        """Return for every token of documents first to last its document and topic as one number, and the documents' lengths."""
        ends = self._ends[first : last + 1].astype(np.int64)
        lengths = np.diff(ends)
        keys = np.repeat(np.arange(last - first) * self.shape[1], lengths)
        keys += self._z[ends[0] : ends[-1]]
        return keys, lengths

    def _blocks(self, dense: bool, most: int = 1 << 18) -> Iterator[Tuple[int, int]]:
        """Cut the documents such that a block has about so many tokens and, for dense rows, numbers."""
        first = 0
        while first < self.shape[0]:
            last = int(np.searchsorted(self._ends, int(self._ends[first]) + most, side="right")) - 1
            if dense:
                last = min(last, first + max(1, most // self.shape[1]))
            last = min(max(last, first + 1), self.shape[0])
            yield first, last
            first = last


class Phi(Shares):
    """φ_wk = (n_wk + β)/(n_k + Vβ), a row for every topic, a column for every word."""

    def __init__(
        self, rows: np.ndarray, row_ends: np.ndarray, totals: np.ndarray, beta: float
    ) -> None:
        """Take n_wk as pairs of topic and count, where each word's pairs end, n_k, and β."""
        super().__init__((len(totals), len(row_ends)))
        self._pairs, self._row_ends, self._beta = rows, row_ends, beta
        self._below = totals.astype(np.float64) + len(row_ends) * beta
        self._counts: Optional[scipy.sparse.csr_matrix] = None

    @property
    def counts(self) -> scipy.sparse.csr_matrix:
        """n_wk, topics × words."""
        if self._counts is None:
            indptr = np.zeros(self.shape[1] + 1, np.int64)
            indptr[1:] = self._row_ends
            topics, counts = self._pairs[:, 0].astype(np.int32), self._pairs[:, 1].astype(np.int32)
            self._counts = scipy.sparse.csc_matrix(
                (counts, topics, indptr), shape=self.shape
            ).tocsr()
        return self._counts

    def _rows(self, rows: np.ndarray) -> np.ndarray:
        counts = self.counts[rows].toarray()
        return ((counts + self._beta) / self._below[rows, None]).astype(self.dtype)

    def _fill(self, out: np.ndarray) -> None:
        for k in range(self.shape[0]):
            out[k] = self._rows(np.array([k]))[0]
