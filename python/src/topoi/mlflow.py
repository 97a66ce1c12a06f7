"""A model as a folder that MLflow loads, and as an OpenLineage event.

>>> import topoi, topoi.mlflow
>>> topoi.mlflow.save_model(topoi.load("news.model"), "news.mlflow")
>>> mlflow.pyfunc.load_model("news.mlflow").predict(["a new text"])

Writing the folder needs no MLflow, reading and logging it does. The module is named in the folder: the package topoi
must be installed where the model is loaded.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Dict, Iterable, Optional

from ._errors import InputError
from ._model import Model, PathLike

__all__ = ["log_model", "openlineage", "save_model"]


def save_model(
    model: Model, path: PathLike, overwrite: bool = False, mlflow_model: Optional[Any] = None
) -> Path:
    """Write a model into a folder that ``mlflow.pyfunc.load_model`` opens, and return its path.

    ``predict`` of what is loaded takes texts (a list, a column, or a frame whose first column is named ``text``) and
    returns a frame with the share of every topic in every text. Its parameters are ``iterations``, ``seed`` and
    ``threads``, as :meth:`Model.infer` has them. MLflow gives ``mlflow_model`` when it logs the model.
    """
    folder = Path(path)
    if folder.exists() and not overwrite and mlflow_model is None:
        raise InputError(f"{folder} already exists: choose another name, or give overwrite=True")
    folder.mkdir(parents=True, exist_ok=True)
    model.save(folder / "model", overwrite=overwrite)
    python = ".".join(map(str, sys.version_info[:3]))
    requirements = ["topoi", "numpy", "pandas", "scipy"]
    (folder / "requirements.txt").write_text("\n".join(requirements) + "\n", encoding="utf-8")
    (folder / "python_env.yaml").write_text(
        f"python: {python}\ndependencies:\n- -r requirements.txt\n", encoding="utf-8"
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
        "signature": _signature(model),
        "utc_time_created": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S.%f"),
    }
    if mlflow_model is not None:
        _describe(mlflow_model, description)
        mlflow_model.save(str(folder / "MLmodel"))
        return folder
    (folder / "MLmodel").write_text(
        json.dumps(description, indent=2) + "\n", encoding="utf-8"
    )  # JSON is YAML, too
    return folder


def log_model(model: Model, name: str = "model", **options: Any) -> Any:
    """Log a model to MLflow's active run, and return what MLflow says about it.

    Options are those of ``mlflow.models.Model.log``: ``registered_model_name="news"`` registers the model, too.
    """
    from mlflow.models import Model as Logged

    if "name" in inspect.signature(Logged.log).parameters:
        options.update(name=name, artifact_path=None)
    else:  # before MLflow 3
        options.update(artifact_path=name)
    return Logged.log(flavor=sys.modules[__name__], model=model, **options)


def _signature(model: Model) -> Dict[str, str]:
    """Return what predict takes and returns. The text has no name, so that lists are taken as well as frames."""
    outputs = [
        {"type": "float", "name": f"topic_{k}", "required": True} for k in range(model.n_topics)
    ]
    params = [
        {"name": name, "type": "long", "default": None, "shape": None}
        for name in ("iterations", "seed", "threads")
    ]
    return {
        "inputs": json.dumps([{"type": "string", "required": True}]),
        "outputs": json.dumps(outputs),
        "params": json.dumps(params),
    }


def _describe(mlflow_model: Any, description: Dict[str, Any]) -> None:
    """Tell MLflow's description of a model what ours says."""
    from mlflow.models import ModelSignature

    for name, flavor in description["flavors"].items():
        mlflow_model.add_flavor(name, **flavor)
    mlflow_model.signature = ModelSignature.from_dict(description["signature"])
    mlflow_model.metadata = {**(mlflow_model.metadata or {}), **description["metadata"]}


class _Function:
    """What MLflow calls."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def predict(self, data: Any, params: Optional[Dict[str, Any]] = None) -> Any:
        import pandas as pd

        if isinstance(data, pd.DataFrame):
            # MLflow hands on the first column, whatever it is named; that of a list has the number 0.
            if "text" not in data.columns and list(data.columns) != [0]:
                raise InputError(
                    f"the frame has the columns {', '.join(map(str, data.columns))}: name that of the texts text, and put it first"
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
