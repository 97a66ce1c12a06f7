"""Topics of the blocks of a Ray data set, and workers of a job on the machines of Ray.

>>> import ray, topoi.ray
>>> topics = topoi.ray.infer("/shared/news.model", ray.data.read_parquet("s3://news/articles/"), text="body")
>>> topics.write_parquet("s3://news/topics/")

The program and the model must be on every machine, or on a disk that they share.
"""

from __future__ import annotations

from typing import Any, List

from . import _partitions
from ._model import Model, PathLike

__all__ = ["infer", "work"]


def infer(
    model: PathLike, data: Any, text: str = "text", prefix: str = "topic_", **options: Any
) -> Any:
    """Return the data set with a column for each topic: its share of each document."""
    path = str(Model(model).path)
    options.setdefault("threads", 1)
    return data.map_batches(
        lambda frame: _partitions.infer(frame, path, text, prefix, options),
        batch_format="pandas",
        batch_size=None,
    )


def work(store: str, job: str, workers: int, **options: Any) -> List[Any]:
    """Have so many tasks of Ray, spread over its machines, work on a job of ``topoi cluster submit``."""
    import ray

    task = ray.remote(scheduling_strategy="SPREAD", max_retries=-1)(_partitions.work)
    return [task.remote(store, job, options) for _ in range(workers)]
