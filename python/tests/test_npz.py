"""The files that matrices travel in."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from topoi import InputError, _npz


def matrix(dtype: str = "int64") -> sp.csr_matrix:
    values = sp.random(23, 17, 0.3, "csr", random_state=1)
    values.data = np.arange(1, values.nnz + 1)
    return values.astype(dtype)


def written(tmp_path, source) -> sp.spmatrix:
    source = _npz.as_source(source)
    _npz.write(tmp_path / "m.npz", source, _npz.survey(source))
    return sp.load_npz(tmp_path / "m.npz")


@pytest.mark.parametrize("chunk", [1, 7, 1 << 20])
@pytest.mark.parametrize("dtype", ["int64", "int32", "uint16", "uint8", "float32", "float64"])
def test_scipy_reads_what_is_written(tmp_path, monkeypatch, chunk, dtype):
    monkeypatch.setattr(_npz, "CHUNK", chunk)
    m = matrix(dtype)
    for form in (m, m.tocsc(), m.tocoo(), m.toarray(), np.asfortranarray(m.toarray())):
        back = written(tmp_path, form)
        assert back.shape == m.shape and (back.toarray() == m.toarray()).all()


def test_counts_are_as_narrow_as_they_are(tmp_path):
    m = matrix()
    assert written(tmp_path, m).dtype == np.uint8
    assert written(tmp_path, m * 300).dtype == np.uint16
    assert written(tmp_path, m * 70000).dtype == np.int32
    assert written(tmp_path, m > 0).toarray().sum() == m.nnz


def test_empty(tmp_path):
    assert written(tmp_path, sp.csr_matrix((3, 4))).shape == (3, 4)


@pytest.mark.parametrize("form", ["csr", "csc", "dense"])
def test_what_is_no_count_is_refused_with_its_place(monkeypatch, form):
    monkeypatch.setattr(_npz, "CHUNK", 5)
    for bad in (-1, np.nan, np.inf, -np.inf):
        m = matrix("float64").toarray()
        m[4, 6] = bad
        source = _npz.as_source(m if form == "dense" else sp.csr_matrix(m).asformat(form))
        with pytest.raises(InputError, match=rf"row 4, column 6 holds {bad}"):
            _npz.survey(source)
    with pytest.raises(InputError, match="counts may go up to 2147483647"):
        _npz.survey(_npz.as_source(np.array([[2.0**31]])))
    with pytest.raises(InputError, match="of type object"):
        _npz.survey(_npz.as_source(np.array([["a", "b"]], dtype=object)))


@pytest.mark.parametrize("form", ["csr", "csc", "dense"])
def test_fractions_are_found(monkeypatch, form):
    monkeypatch.setattr(_npz, "CHUNK", 3)
    m = matrix("float64").toarray()
    m[2, 3], m[7, 1] = 1.5, 2.6
    counts = _npz.survey(_npz.as_source(m if form == "dense" else sp.csr_matrix(m).asformat(form)))
    assert (
        counts.fractions == 2 and counts.place in ((2, 3), (7, 1)) and counts.example in (1.5, 2.6)
    )
    assert counts.rounded == np.rint(m).sum()
