"""The folder for MLflow, by what its pyfunc does with it and, where it is installed, by MLflow itself; lineage."""

from __future__ import annotations

import hashlib
import importlib
import json

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
    with pytest.raises(topoi.InputError, match="name one of them text"):
        loaded.predict(pd.DataFrame({"a": TEXTS, "b": TEXTS}))
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


def test_mlflow_loads_it(folder, model):
    pyfunc = pytest.importorskip("mlflow.pyfunc")
    loaded = pyfunc.load_model(str(folder))
    assert np.array_equal(
        np.asarray(loaded.predict(pd.DataFrame({"text": TEXTS}))), model.infer(TEXTS)
    )


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
