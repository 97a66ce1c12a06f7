"""Topics of the partitions of a Spark frame, and workers of a job on Spark's executors.

>>> import topoi.spark
>>> topics = topoi.spark.infer("/shared/news.model", spark.read.parquet("s3a://news/articles/"), text="body")
>>> topics.write.partitionBy("date").parquet("s3a://news/topics/")

The program and the model must be on every machine, or on a disk that they share.
"""

from __future__ import annotations

from typing import Any, Iterator

from . import _partitions
from ._model import Model, PathLike

__all__ = ["infer", "work"]


def infer(
    model: PathLike, frame: Any, text: str = "text", prefix: str = "topic_", **options: Any
) -> Any:
    """Return the frame with a column for each topic: its share of each document."""
    opened = Model(model)
    path = str(opened.path)
    options.setdefault("threads", 1)
    columns = ", ".join(
        [f"`{name}` {kind}" for name, kind in frame.dtypes]
        + [f"`{name}` float" for name in _partitions.names(opened, prefix)]
    )

    def parts(frames: Iterator[Any]) -> Iterator[Any]:
        for part in frames:
            yield _partitions.infer(part, path, text, prefix, options)

    return frame.mapInPandas(parts, columns)


def work(spark: Any, store: str, job: str, workers: int, **options: Any) -> None:
    """Have so many tasks of Spark work on a job of ``topoi cluster submit``, and wait until its model is complete."""

    def part(_: Any) -> Iterator[int]:
        yield _partitions.work(store, job, options)

    spark.sparkContext.parallelize(range(workers), workers).barrier().mapPartitions(part).collect()
