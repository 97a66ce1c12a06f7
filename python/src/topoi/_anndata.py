"""Topics of the cells of an AnnData."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._errors import InputError
from ._model import Model
from ._train import train


def fit_anndata(
    adata: Any, topics: int, *, layer: Optional[str] = None, key: str = "topoi", **options: Any
) -> Model:
    """Find the topics of cells and put them into the AnnData; return the model.

    Cells (``obs``) are documents, genes or regions (``var``) are words, and the values of
    ``adata.X``, or of a layer, are counts. Afterwards

    * ``adata.obsm["X_topoi"]`` is θ, cells × topics, float32;
    * ``adata.varm["topoi"]`` is φ, genes × topics, float32: columns add up to 1;
    * ``adata.uns["topoi"]`` has the fingerprint, α, β and the model's directory.

    The columns of ``adata.obs`` go along: ``model.effects("~ cell_type")``.
    An AnnData that is opened ``backed="r"`` is read piece by piece and never held in
    memory. Options are those of :func:`train`; ``key`` names what is filled.
    """
    if options.get("holdout"):
        raise InputError(
            "holdout leaves cells out of training, and they would have no topics: use train(adata, …, holdout=…) to score, then fit_anndata without it"
        )
    matrix = adata.X if layer is None else _layer(adata, layer)
    if matrix is None:
        raise InputError(f"the AnnData has no X: name a layer of counts, layer=…; {_layers(adata)}")
    try:
        options.setdefault("metadata", adata.obs)
        model = train(matrix, topics, ids=adata.obs_names, vocabulary=adata.var_names, **options)
    except InputError as fault:
        if layer is None and "before any scaling" in str(fault):
            raise InputError(
                f"{fault}; counts may be in a layer, layer=…: {_layers(adata)}"
            ) from None
        raise
    adata.obsm[f"X_{key}"] = np.asarray(model.theta)
    adata.varm[key] = np.asarray(model.phi).T
    adata.uns[key] = {
        "fingerprint": model.fingerprint,
        "alpha": np.array(model.alpha),
        "beta": model.beta,
        "model": str(model.path) if options.get("output") is not None else "",
    }
    return model


def _layer(adata: Any, layer: str) -> Any:
    if layer not in adata.layers:
        raise InputError(f"there is no layer {layer!r}: {_layers(adata)}")
    return adata.layers[layer]


def _layers(adata: Any) -> str:
    return f"layers are {', '.join(map(repr, adata.layers.keys())) or 'none'}"
