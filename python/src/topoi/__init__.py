"""Topic models in Python, trained by the program topoi.

>>> import topoi
>>> model = topoi.train(texts, 20)          # texts: a list of strings
>>> model.topics()                          # a table of the topics
>>> model.theta[0]                          # the topics of the first text
>>> model.infer(["a new text"])             # the topics of another one
>>> model.explore()                         # a page, inline in a notebook

:func:`train` and :func:`load` give a :class:`Model`; :class:`LDA` is a transformer for
scikit-learn, :func:`fit_anndata` puts topics into an AnnData, and :class:`Client` asks a
model that ``topoi serve`` serves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._binary import find_binary
from ._client import Client
from ._errors import InputError, Interrupted, TopoiError
from ._model import Model, load
from ._page import Page
from ._train import train

if TYPE_CHECKING:
    from ._anndata import fit_anndata
    from ._lda import LDA

__all__ = [
    "LDA",
    "Client",
    "InputError",
    "Interrupted",
    "Model",
    "Page",
    "TopoiError",
    "find_binary",
    "fit_anndata",
    "load",
    "train",
]

# What needs packages that are not required is imported when it is used.
_LATER = {"LDA": "_lda", "fit_anndata": "_anndata"}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from importlib import import_module

        return getattr(import_module(f".{_LATER[name]}", __name__), name)
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("topoi")
        except PackageNotFoundError:  # used from a checkout
            return "0"
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> "list[str]":
    return sorted(__all__)
