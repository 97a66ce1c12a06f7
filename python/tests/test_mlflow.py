"""The folder for MLflow, by what its pyfunc does with it and, where it is installed, by MLflow itself; lineage."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import topoi
import topoi.mlflow

TEXTS = ["cat dog kitten", "bank loan debt", ""]


@pytest.fixture
def folder(model, tmp_path):
    return topoi.mlflow.save_model(model, tmp_path / "news.mlflow")


def test_the_folder_is_loaded_as_mlflow_does(folder, model):
    description = json.loads((folder / "MLmodel").read_text())
    how = description["flavors"]["python_function"]
    loaded = importlib.import_module(how["loader_module"])._load_pyfunc(str(folder / how["data"]))
    want = model.infer(TEXTS)
    frame = pd.DataFrame({"text": TEXTS, "id": [1, 2, 3]}, index=[7, 8, 9])
    for data in (TEXTS, pd.Series(TEXTS), frame, frame[["text"]]):
        assert np.array_equal(loaded.predict(data).to_numpy(), want)
    assert list(loaded.predict(frame).index) == [7, 8, 9]
    assert [c["name"] for c in json.loads(description["signature"]["outputs"])] == list(
        loaded.predict(TEXTS).columns
    )
    assert np.array_equal(
        loaded.predict(TEXTS, {"iterations": 20, "seed": 3}).to_numpy(),
        model.infer(TEXTS, iterations=20, seed=3),
    )
    for wrong in (pd.DataFrame({"a": TEXTS, "b": TEXTS}), pd.DataFrame({"id": TEXTS})):
        with pytest.raises(topoi.InputError, match="name that of the texts text"):
            loaded.predict(wrong)
    with pytest.raises(topoi.InputError, match="already exists"):
        topoi.mlflow.save_model(model, folder)
    assert description["flavors"]["topoi"]["fingerprint"] == model.fingerprint


def test_the_folder_of_the_program(model, tmp_path, command):
    command("export", model.path, "--format", "mlflow", "-o", tmp_path / "out")
    written = json.loads((tmp_path / "out" / "MLmodel").read_text())
    description = json.loads(
        (topoi.mlflow.save_model(model, tmp_path / "ours") / "MLmodel").read_text()
    )
    for key in ("model_uuid", "metadata"):
        assert written[key] == description[key]
    assert {key: json.loads(text) for key, text in written["signature"].items()} == {
        key: json.loads(text) for key, text in description["signature"].items()
    }
    loaded = topoi.mlflow._load_pyfunc(
        str(tmp_path / "out" / written["flavors"]["python_function"]["data"])
    )
    assert np.array_equal(loaded.predict(TEXTS).to_numpy(), model.infer(TEXTS))


@pytest.fixture
def mlflow(tmp_path, monkeypatch):
    """MLflow itself, which keeps its runs in a folder of the test."""
    if os.environ.get("TOPOI_REQUIRE_MLFLOW"):
        module = importlib.import_module("mlflow")
    else:
        module = pytest.importorskip("mlflow")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    module.set_tracking_uri(f"file://{tmp_path}/runs")
    return module


def test_mlflow_predicts(folder, model, mlflow):
    loaded = mlflow.pyfunc.load_model(str(folder))
    want = model.infer(TEXTS)
    frame = pd.DataFrame({"text": TEXTS})
    for data in (TEXTS, pd.Series(TEXTS), frame, frame.assign(id=[1, 2, 3]), np.array(TEXTS)):
        assert np.array_equal(np.asarray(loaded.predict(data)), want)
    assert np.array_equal(
        np.asarray(loaded.predict(frame, params={"iterations": 20, "seed": 3})),
        model.infer(TEXTS, iterations=20, seed=3),
    )
    with pytest.raises(topoi.InputError, match="put it first"):
        loaded.predict(pd.DataFrame({"title": TEXTS, "text": TEXTS}))


def test_mlflow_logs_and_registers(model, mlflow):
    with mlflow.start_run():
        logged = topoi.mlflow.log_model(model, "topics", registered_model_name="news")
    for uri in (logged.model_uri, "models:/news/1"):
        loaded = mlflow.pyfunc.load_model(uri)
        assert np.array_equal(np.asarray(loaded.predict(TEXTS)), model.infer(TEXTS))
        assert loaded.metadata.metadata["topics"] == 5


def test_mlflow_serves(folder, model, mlflow):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # The program that MLflow starts lies beside the interpreter, or beside MLflow.
    beside = [Path(sys.executable).parent, Path(mlflow.__file__).parents[1] / "bin"]
    env = dict(
        os.environ,
        PYTHONPATH=os.pathsep.join(sys.path),
        PATH=os.pathsep.join([*map(str, beside), os.environ["PATH"]]),
    )
    command = ["models", "serve", "-m", str(folder), "--env-manager", "local", "-p", str(port)]
    server = subprocess.Popen(
        [sys.executable, "-m", "mlflow", *command, "-w", "1"], env=env, start_new_session=True
    )
    try:
        body = json.dumps({"inputs": TEXTS, "params": {"iterations": 20, "seed": 3}}).encode()
        answer = None
        for _ in range(600):
            request = urllib.request.Request(
                f"http://127.0.0.1:{port}/invocations",
                body,
                {"Content-Type": "application/json"},
            )
            try:
                answer = json.load(urllib.request.urlopen(request, timeout=60))
                break
            except urllib.error.URLError:
                assert server.poll() is None
                time.sleep(0.2)
        assert answer is not None
        got = np.array([list(row.values()) for row in answer["predictions"]], np.float32)
        assert np.array_equal(got, model.infer(TEXTS, iterations=20, seed=3))
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, 15)
        server.wait()


def test_lineage(model, tmp_path):
    source = tmp_path / "texts.csv"
    source.write_text("text\nx\n")
    event = json.loads(
        json.dumps(topoi.mlflow.openlineage(model, [source, "s3://news/articles/"], job="nightly"))
    )
    assert event["eventType"] == "COMPLETE" and event["job"]["name"] == "nightly"
    file, remote = event["inputs"]
    assert file["facets"]["topoi_file"]["sha256"] == hashlib.sha256(b"text\nx\n").hexdigest()
    assert remote == {"namespace": "s3://news", "name": "articles/", "facets": {}}
    assert event["outputs"][0]["facets"]["version"]["datasetVersion"] == model.fingerprint
    assert event["run"]["facets"]["topoi_run"]["options"]["topics"] == 5
