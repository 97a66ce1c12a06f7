"""Topics of cells."""

from __future__ import annotations

import anndata
import numpy as np
import pytest
import scipy.sparse as sp

import topoi


@pytest.fixture
def adata():
    draw = np.random.default_rng(0)
    counts = sp.random(
        120,
        40,
        0.2,
        "csr",
        dtype=np.float32,
        random_state=0,
        data_rvs=lambda n: draw.integers(1, 6, n),
    )
    a = anndata.AnnData(counts)
    a.obs_names = [f"cell{i}" for i in range(120)]
    a.var_names = [f"chr1:{i}00-{i}99" for i in range(40)]
    return a


def test_topics_come_into_the_anndata(adata, tmp_path):
    model = topoi.fit_anndata(adata, 4, iterations=20, progress=False)
    theta, phi = adata.obsm["X_topoi"], adata.varm["topoi"]
    assert (
        theta.shape == (120, 4)
        and phi.shape == (40, 4)
        and np.allclose(theta.sum(1), 1)
        and np.allclose(phi.sum(0), 1)
    )
    assert (
        np.array_equal(theta, np.asarray(model.theta))
        and model.vocabulary == list(adata.var_names)
        and model.ids == list(adata.obs_names)
    )
    assert adata.uns["topoi"]["fingerprint"] == model.fingerprint
    adata.write_h5ad(tmp_path / "a.h5ad")  # with everything that was added
    back = anndata.read_h5ad(tmp_path / "a.h5ad")
    assert (
        np.array_equal(back.obsm["X_topoi"], theta)
        and back.uns["topoi"]["fingerprint"] == model.fingerprint
    )


@pytest.mark.parametrize("form", ["csr", "csc", "dense"])
def test_from_the_disk_and_from_memory(adata, tmp_path, form):
    want = topoi.fit_anndata(adata, 4, iterations=20, progress=False).fingerprint
    adata.X = adata.X.toarray() if form == "dense" else adata.X.asformat(form)
    assert topoi.fit_anndata(adata, 4, iterations=20, progress=False).fingerprint == want
    adata.write_h5ad(tmp_path / "a.h5ad")
    backed = anndata.read_h5ad(tmp_path / "a.h5ad", backed="r")
    assert topoi.fit_anndata(backed, 4, iterations=20, progress=False).fingerprint == want
    assert topoi.train(backed, 4, iterations=20, progress=False).fingerprint == want


def test_views_layers_and_inference(adata):
    adata.layers["counts"] = adata.X.copy()
    adata.X = adata.X * 0.5
    model = topoi.fit_anndata(adata, 3, layer="counts", key="t3", iterations=20, progress=False)
    assert adata.obsm["X_t3"].shape == (120, 3) and "t3" in adata.varm
    half = adata[:50].copy()
    half.X = half.layers["counts"]
    assert model.infer(half).shape == (50, 3)
    with pytest.raises(topoi.InputError, match="there is no layer 'raw': layers are 'counts'"):
        topoi.fit_anndata(adata, 3, layer="raw")
    with pytest.raises(topoi.InputError, match="before any scaling, or round_counts=True"):
        topoi.fit_anndata(adata, 3)
    with pytest.raises(topoi.InputError, match="holdout leaves cells out"):
        topoi.fit_anndata(adata, 3, layer="counts", holdout=0.1)
    adata.var_names = ["same"] * 40
    with pytest.raises(topoi.InputError, match="var_names_make_unique"):
        topoi.fit_anndata(adata, 3, layer="counts")


def test_where_counts_may_be_is_told(adata):
    adata.layers["counts"] = adata.X.copy()
    adata.X = adata.X / 7
    with pytest.raises(
        topoi.InputError, match="counts may be in a layer, layer=…: layers are 'counts'"
    ):
        topoi.fit_anndata(adata, 3)
    with pytest.raises(topoi.InputError, match="^there is no layer 'raw': layers are 'counts'$"):
        topoi.fit_anndata(adata, 3, layer="raw")
    empty = anndata.AnnData(obs=adata.obs, var=adata.var, layers={"counts": adata.layers["counts"]})
    with pytest.raises(topoi.InputError, match="^the AnnData has no X: name a layer"):
        topoi.fit_anndata(empty, 3)
    assert topoi.fit_anndata(empty, 3, layer="counts", iterations=2, progress=False).n_docs == 120
