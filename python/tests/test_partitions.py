"""Partitions of data frames: Dask with four real processes, Ray and Spark by the calls that the modules make."""

from __future__ import annotations

import subprocess
import sys
import types

import numpy as np
import pandas as pd
import pytest

import topoi
import topoi.ray
import topoi.spark


@pytest.fixture(scope="module")
def saved(model, tmp_path_factory):
    return model.save(tmp_path_factory.mktemp("partitions") / "news.model")


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=4, threads_per_worker=1, processes=True, dashboard_address=None
    )
    with distributed.Client(cluster) as client:
        yield client
    cluster.close()


@pytest.fixture
def frame(texts):
    return pd.DataFrame(
        {"id": range(len(texts)), "body": [*texts[:-1], None]}, index=range(100, 100 + len(texts))
    )


def expected(model, frame):
    return model.infer([t if isinstance(t, str) else "" for t in frame["body"]])


def test_dask_infers_partitions(saved, client, frame):
    import dask.dataframe as dd

    import topoi.dask

    topics = topoi.dask.infer(
        saved.path, dd.from_pandas(frame, npartitions=9), text="body", prefix="t"
    )
    assert (
        list(topics.columns) == ["id", "body", "t0", "t1", "t2", "t3", "t4"]
        and topics.dtypes["t4"] == np.float32
    )
    done = topics.compute()
    assert list(done.index) == list(frame.index) and list(done["id"]) == list(frame["id"])
    assert np.array_equal(done[["t0", "t1", "t2", "t3", "t4"]].to_numpy(), expected(saved, frame))
    assert len(client.scheduler_info()["workers"]) == 4
    assert len(topics[topics["id"] < 0].compute()) == 0


def test_dask_workers_train(client, texts, tmp_path):
    import topoi.dask

    server = subprocess.Popen(
        [topoi.find_binary(), "cluster", "store", "--listen", "127.0.0.1:0", "--log", "none"],
        stdout=subprocess.PIPE,
        text=True,
    )
    store = server.stdout.readline().strip()
    try:
        (tmp_path / "texts.txt").write_text("\n".join(texts), encoding="utf-8")
        run = lambda *args: subprocess.run(
            [topoi.find_binary(), *map(str, args)], check=True, capture_output=True, text=True
        )  # noqa: E731
        run("import", tmp_path / "texts.txt", "--format", "lines", "-o", tmp_path / "c.topoi")
        options = ["-k", 5, "--iterations", 20, "--seed", 3]
        run(
            "cluster",
            "submit",
            tmp_path / "c.topoi",
            "--store",
            store,
            "--job",
            "j",
            "--workers",
            4,
            *options,
        )
        futures = topoi.dask.work(client, store, "j", threads=1)
        assert client.gather(futures) == [0, 0, 0, 0]
        run("cluster", "result", "--store", store, "--job", "j", "-o", tmp_path / "many.model")
        run("train", tmp_path / "c.topoi", *options, "-o", tmp_path / "one.model")
        assert (
            topoi.load(tmp_path / "many.model").fingerprint
            == topoi.load(tmp_path / "one.model").fingerprint
        )
    finally:
        server.terminate()
        server.communicate()


def test_ray_maps_batches(saved, frame):
    class Data:
        def map_batches(self, function, batch_format, batch_size):
            assert batch_format == "pandas" and batch_size is None
            return pd.concat([function(frame[:60]), function(frame[60:])])

    topics = topoi.ray.infer(saved.path, Data(), text="body")
    assert np.array_equal(
        topics[[f"topic_{k}" for k in range(5)]].to_numpy(), expected(saved, frame)
    )


def test_spark_maps_partitions(saved, frame):
    class Frame:
        dtypes = [("id", "bigint"), ("body", "string")]

        def mapInPandas(self, function, schema):
            assert schema == "`id` bigint, `body` string, " + ", ".join(
                f"`topic_{k}` float" for k in range(5)
            )
            return pd.concat(function(iter([frame[:60], frame[60:60], frame[60:]])))

    topics = topoi.spark.infer(saved.path, Frame(), text="body")
    assert np.array_equal(
        topics[[f"topic_{k}" for k in range(5)]].to_numpy(), expected(saved, frame)
    )


def test_ray_and_spark_start_workers(monkeypatch):
    started = []
    monkeypatch.setattr("topoi._partitions.work", lambda *args: started.append(args) or 0)
    task = types.SimpleNamespace(remote=lambda *args: started.append(args))
    monkeypatch.setitem(
        sys.modules, "ray", types.SimpleNamespace(remote=lambda **how: lambda function: task)
    )
    topoi.ray.work("redis://s", "j", 2, threads=1)
    assert started == [("redis://s", "j", {"threads": 1})] * 2

    class Parts:
        def barrier(self):
            return self

        def mapPartitions(self, function):
            self.function = function
            return self

        def collect(self):
            return list(self.function(iter([0])))

    parts = Parts()
    spark = types.SimpleNamespace(
        sparkContext=types.SimpleNamespace(parallelize=lambda items, n: parts)
    )
    topoi.spark.work(spark, "redis://s", "j", 3)
    assert started[-1] == ("redis://s", "j", {})
