"""A model as a folder that MLflow loads, and as an OpenLineage event.

>>> import topoi, topoi.mlflow
>>> topoi.mlflow.save_model(topoi.load("news.model"), "news.mlflow")
>>> mlflow.pyfunc.load_model("news.mlflow").predict(["a new text"])

Writing the folder needs no MLflow, only reading it does. The module is named in the folder: the package topoi must
be installed where the model is loaded.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Dict, Iterable, Optional

from ._errors import InputError
from ._model import Model, PathLike

__all__ = ["openlineage", "save_model"]


def save_model(model: Model, path: PathLike, overwrite: bool = False) -> Path:
    """Write a model into a folder that ``mlflow.pyfunc.load_model`` opens, and return its path.

    ``predict`` of what is loaded takes texts (a list, a column, or a frame with one column of texts) and returns a
    frame with the share of every topic in every text. Its parameters are those of :meth:`Model.infer`.
    """
    folder = Path(path)
    if folder.exists() and not overwrite:
        raise InputError(f"{folder} already exists: choose another name, or give overwrite=True")
    folder.mkdir(parents=True, exist_ok=True)
    model.save(folder / "model", overwrite=overwrite)
    python = ".".join(map(str, sys.version_info[:3]))
    requirements = ["topoi", "numpy", "pandas", "scipy"]
    (folder / "requirements.txt").write_text("\n".join(requirements) + "\n", encoding="utf-8")
    (folder / "python_env.yaml").write_text(
        f"python: {python}\ndependencies:\n- -r requirements.txt\n", encoding="utf-8"
    )
    inputs = json.dumps([{"type": "string", "name": "text", "required": True}])
    outputs = json.dumps(
        [{"type": "float", "name": f"topic_{k}", "required": True} for k in range(model.n_topics)]
    )
    description: Dict[str, Any] = {
        "artifact_path": "model",
        "flavors": {
            "python_function": {
                "loader_module": "topoi.mlflow",
                "data": "model",
                "env": {"virtualenv": "python_env.yaml"},
                "python_version": python,
            },
            "topoi": {
                "data": "model",
                "fingerprint": model.fingerprint,
                "program": model.manifest["program"],
            },
        },
        "metadata": {
            "topics": model.n_topics,
            "words": model.n_words,
            "documents": model.n_docs,
            "options": model.manifest["options"],
        },
        "model_uuid": uuid.uuid5(uuid.NAMESPACE_URL, "topoi:" + model.fingerprint).hex,
        "signature": {"inputs": inputs, "outputs": outputs},
        "utc_time_created": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S.%f"),
    }
    (folder / "MLmodel").write_text(
        json.dumps(description, indent=2) + "\n", encoding="utf-8"
    )  # JSON is YAML, too
    return folder


class _Function:
    """What MLflow calls."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def predict(self, data: Any, params: Optional[Dict[str, Any]] = None) -> Any:
        import pandas as pd

        if isinstance(data, pd.DataFrame):
            if len(data.columns) != 1 and "text" not in data.columns:
                raise InputError(
                    f"the frame has the columns {', '.join(map(str, data.columns))}: name one of them text"
                )
            data = data["text"] if "text" in data.columns else data.iloc[:, 0]
        index = data.index if isinstance(data, pd.Series) else None
        texts = [data] if isinstance(data, str) else [t if isinstance(t, str) else "" for t in data]
        theta = self.model.infer(texts, **(params or {}))
        return pd.DataFrame(
            theta, index=index, columns=[f"topic_{k}" for k in range(self.model.n_topics)]
        )


def _load_pyfunc(path: str) -> _Function:
    """Open what :func:`save_model` wrote; MLflow calls it."""
    return _Function(Model(path))


def openlineage(
    model: Model, inputs: Iterable[PathLike] = (), *, job: str = "train", namespace: str = "topoi"
) -> Dict[str, Any]:
    """Return an OpenLineage event that says from what a model was made: files, options, program, corpus.

    Files get their size and SHA-256; objects of a store (``s3://…``) are named only. Post the event as JSON to the
    service that collects them.
    """
    schema = "https://openlineage.io/spec/2-0-2/OpenLineage.json"
    producer = "https://github.com/topoi-lda/topoi"
    facet = {"_producer": producer, "_schemaURL": schema}

    def dataset(path: PathLike) -> Dict[str, Any]:
        name = os.fspath(path)
        if "://" in name:
            place, _, key = name.partition("://")[2].partition("/")
            return {"namespace": f"{name.partition('://')[0]}://{place}", "name": key, "facets": {}}
        content = Path(name).read_bytes() if Path(name).is_file() else b""
        facets = (
            {
                "topoi_file": {
                    **facet,
                    "bytes": len(content),
                    "sha256": hashlib.sha256(content).hexdigest(),
                }
            }
            if content
            else {}
        )
        return {"namespace": "file", "name": str(Path(name).absolute()), "facets": facets}

    run = {
        "options": model.manifest["options"],
        "program": model.manifest["program"],
        "iterations": model.manifest["iterations"],
    }
    corpus = {
        "corpus": model.manifest["corpus_fingerprint"],
        "documents": model.n_docs,
        "tokens": model.manifest["tokens"],
    }
    made = dataset(model.path)
    made["facets"] = {
        "version": {**facet, "datasetVersion": model.fingerprint},
        "topoi_model": {**facet, "topics": model.n_topics, "words": model.n_words},
    }
    return {
        "eventType": "COMPLETE",
        "eventTime": datetime.fromtimestamp(
            (model.path / "manifest.json").stat().st_mtime, timezone.utc
        ).isoformat(),
        "producer": producer,
        "schemaURL": schema + "#/$defs/RunEvent",
        "job": {"namespace": namespace, "name": job, "facets": {}},
        "run": {
            "runId": str(uuid.uuid5(uuid.NAMESPACE_URL, "topoi:" + model.fingerprint)),
            "facets": {"topoi_run": {**facet, **run, **corpus}},
        },
        "inputs": [dataset(path) for path in inputs],
        "outputs": [made],
    }
