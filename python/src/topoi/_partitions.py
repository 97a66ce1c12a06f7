"""What topoi.dask, topoi.ray and topoi.spark share: the topics of one partition, and a worker on this machine."""

from __future__ import annotations

import subprocess
from typing import Any, List, Optional

from . import _run
from ._binary import find_binary
from ._model import Model


def names(model: Model, prefix: str) -> List[str]:
    """Return the names of the columns for the topics of a model."""
    return [f"{prefix}{k}" for k in range(model.n_topics)]


def infer(frame: Any, path: str, text: str, prefix: str, options: "dict[str, Any]") -> Any:
    """Return a pandas frame with a column for each topic: its share of each document. The index stays."""
    import numpy as np
    import pandas as pd

    model = Model(path)
    texts = [value if isinstance(value, str) else "" for value in frame[text]]
    theta = model.infer(texts, **options) if texts else np.zeros((0, model.n_topics), np.float32)
    topics = pd.DataFrame(
        np.asarray(theta, np.float32), index=frame.index, columns=names(model, prefix)
    )
    return pd.concat([frame, topics], axis=1)


def start_worker(store: str, job: str, options: "dict[str, Any]") -> "subprocess.Popen[bytes]":
    """Start ``topoi cluster work`` on this machine."""
    return subprocess.Popen(
        [find_binary(), "cluster", "work", "--store", store, "--job", job, *_run.flags(options)]
    )


def work(store: str, job: str, options: "Optional[dict[str, Any]]" = None) -> int:
    """Work on a job until its model is complete, and return the exit code of the program."""
    process = start_worker(store, job, options or {})
    try:
        return process.wait()
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
