"""Topics of the partitions of a Dask frame, and workers of a job on the workers of Dask.

>>> import dask.dataframe as dd, topoi.dask
>>> frame = dd.read_parquet("s3://news/articles/")
>>> topics = topoi.dask.infer("/shared/news.model", frame, text="body")
>>> topics.to_parquet("s3://news/topics/")

The program and the model must be on every machine, or on a disk that they share.
"""

from __future__ import annotations

from typing import Any, List

from . import _partitions
from ._model import Model, PathLike

__all__ = ["infer", "work"]


def infer(
    model: PathLike, frame: Any, text: str = "text", prefix: str = "topic_", **options: Any
) -> Any:
    """Return the Dask frame with a column for each topic: its share of each document.

    Nothing is computed yet. Each partition is inferred as a whole, so partitions should
    have thousands of documents. Options are the flags of ``topoi infer``; by default every
    process uses one thread, since Dask runs as many as there are cores.
    """
    opened = Model(model)
    options.setdefault("threads", 1)
    meta = frame._meta.assign(**dict.fromkeys(_partitions.names(opened, prefix), 0.0)).astype(
        dict.fromkeys(_partitions.names(opened, prefix), "float32")
    )
    return frame.map_partitions(
        _partitions.infer, str(opened.path), text, prefix, options, meta=meta
    )


def work(client: Any, store: str, job: str, **options: Any) -> List[Any]:
    """Have every worker of Dask work on a job of ``topoi cluster submit``, and return their futures.

    Options are the flags of ``topoi cluster work``.
    """
    workers = sorted(client.scheduler_info()["workers"])
    return [
        client.submit(
            _partitions.work,
            store,
            job,
            options,
            workers=[w],
            pure=False,
            allow_other_workers=False,
        )
        for w in workers
    ]
