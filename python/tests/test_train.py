"""Training: every kind of documents, the same bytes as the command line, faults."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import topoi


def counts(texts):
    """Return the documents as a matrix in the order of the words' numbers in topoi, and the words."""
    words = sorted(
        {w for t in texts for w in t.split()},
        key=lambda w: (-sum(t.split().count(w) for t in texts), w),
    )
    number = {w: i for i, w in enumerate(words)}
    m = sp.lil_matrix((len(texts), len(words)), dtype=np.int32)
    for d, t in enumerate(texts):
        for w in t.split():
            m[d, number[w]] += 1
    return m.tocsr(), words


def test_the_same_bytes_as_the_command_line(tmp_path, texts, command):
    """Texts, words, tables and matrices give the model that the command line makes of a file."""
    with open(tmp_path / "texts.csv", "w", newline="") as f:
        rows = csv.writer(f)
        rows.writerow(["text"])
        rows.writerows([t] for t in texts)
    how = ["-k", 5, "--iterations", 30, "--seed", 3, "--min-df", 1, "--max-df", 1]
    command("train", tmp_path / "texts.csv", "-o", tmp_path / "m", *how)
    want = command("info", "--fingerprint", tmp_path / "m").split()[0]
    options = {"iterations": 30, "seed": 3, "min_df": 1, "max_df": 1, "progress": False}
    matrix, words = counts(texts)
    for documents, more in [
        (texts, {}),
        (iter(texts), {}),
        (pd.Series(texts), {}),
        (np.array(texts, dtype=object), {"threads": 1}),
        ([t.split() for t in texts], {}),
        (pd.DataFrame({"text": texts, "when": pd.Timestamp("2024-01-01")}), {}),
        (str(tmp_path / "texts.csv"), {}),
        ([tmp_path / "texts.csv"], {}),
        (matrix, {"vocabulary": words}),
        (matrix.tocsc().astype(float), {"vocabulary": words}),
        (matrix.toarray(), {"vocabulary": words}),
        (pd.DataFrame(matrix.toarray(), columns=words), {}),
    ]:
        model = topoi.train(documents, 5, **options, **more)
        assert model.fingerprint == want, type(documents)
        assert command("info", "--fingerprint", model.path).split()[0] == want


def test_a_matrix_is_what_scipy_saves(tmp_path, texts, command):
    matrix, words = counts(texts)
    sp.save_npz(tmp_path / "m.npz", matrix, compressed=True)
    (tmp_path / "m.npz.vocab").write_text("\n".join(words) + "\n")
    command("train", tmp_path / "m.npz", "-k", 4, "--iterations", 20, "-o", tmp_path / "m")
    model = topoi.train(matrix, 4, vocabulary=words, iterations=20, progress=False)
    assert model.fingerprint == topoi.load(tmp_path / "m").fingerprint


def test_facts_of_documents_are_kept(texts):
    n = len(texts)
    model = topoi.train(
        texts,
        3,
        iterations=5,
        ids=[f"d{i}" for i in range(n)],
        labels=range(n),
        times=["2024-02-01"] * n,
        titles=["t"] * n,
        progress=False,
    )
    assert model.ids[:2] == ["d0", "d1"]
    assert (
        model.corpus.strings("labels")[2] == "2"
        and model.corpus.strings("times")[0] == "2024-02-01"
        and model.corpus.strings("titles")[0] == "t"
    )
    matrix, words = counts(texts)
    assert (
        topoi.train(matrix, 3, iterations=5, ids=[f"c{i}" for i in range(n)], progress=False).ids[
            -1
        ]
        == f"c{n - 1}"
    )


def test_missing_texts_are_empty_documents(texts):
    model = topoi.train([*texts, None, float("nan"), pd.NA, ""], 3, iterations=5, progress=False)
    assert model.n_docs == len(texts) + 4
    table = pd.DataFrame(
        {
            "text": pd.array([*texts, pd.NA], "string"),
            "date": [pd.NaT] * 150 + [pd.Timestamp("2024-05-06")],
            "id": range(151),
        }
    )
    assert topoi.train(table, 3, iterations=5, progress=False).corpus.strings("times")[149:] == [
        "",
        "2024-05-06T00:00:00",
    ]
    assert np.allclose(model.theta[-1], model.alpha / model.alpha.sum())


def test_output_and_overwrite(tmp_path, texts):
    model = topoi.train(texts, 3, iterations=5, output=tmp_path / "m", progress=False)
    assert model.path == tmp_path / "m" and sorted(p.name for p in tmp_path.iterdir()) == ["m"]
    with pytest.raises(topoi.InputError, match="already exists"):
        topoi.train(texts, 3, iterations=5, output=tmp_path / "m", progress=False)
    topoi.train(texts, 4, iterations=5, output=tmp_path / "m", overwrite=True, progress=False)
    assert topoi.load(tmp_path / "m").n_topics == 4


def test_a_temporary_model_goes_with_its_last_reference(texts):
    model = topoi.train(texts, 3, iterations=5, progress=False)
    path = model.path
    assert path.exists()
    del model
    assert not path.parent.exists()


def test_events_and_bars(texts, capsys):
    events = []
    topoi.train(texts, 3, iterations=20, progress=events.append)
    kinds = [e["event"] for e in events]
    assert (
        kinds.count("iteration") == 20 and kinds[-2:] == ["done", "saved"] and "imported" in kinds
    )
    topoi.train(texts, 3, iterations=20, progress=True)
    shown = capsys.readouterr().err
    assert "20/20" in shown and "nats/token" in shown
    topoi.train(texts, 3, iterations=20)  # nobody looks
    assert capsys.readouterr().err == ""


def test_a_fault_of_the_listener_ends_the_run(texts):
    def listener(event):
        if event["event"] == "iteration":
            raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="^mine$"):
        topoi.train(texts, 3, iterations=100000, tolerance=0, progress=listener)


@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda t: topoi.train(t, 3, iteration=5),
            "^unknown argument iteration: did you mean iterations",
        ),
        (lambda t: topoi.train(t, 0), "topics"),
        (lambda t: topoi.train([], 3), "^there are no documents$"),
        (lambda t: topoi.train(["the and of"], 3), "no words"),
        (lambda t: topoi.train("nowhere.csv", 3), "nowhere.csv"),
        (lambda t: topoi.train([b"bytes"], 3), "document 0 is of type bytes, .* decode"),
        (
            lambda t: topoi.train(["a text", ["words"]], 3),
            "document 1 is of type list, expected a text",
        ),
        (lambda t: topoi.train(t, 3, labels=["one"]), "only 1 labels"),
        (lambda t: topoi.train(t, 3, ids=range(len(t) + 1)), "ids for 150 documents"),
        (lambda t: topoi.train(t, 3, vocabulary=["a"]), "names the columns of a matrix"),
        (
            lambda t: topoi.train(np.ones((3, 2)), 3, vocabulary=["a"]),
            "has 1 names, but the matrix has 2 columns",
        ),
        (lambda t: topoi.train(np.ones((3, 2)), 3, vocabulary=["a", "a"]), "'a' twice"),
        (
            lambda t: topoi.train(np.ones((3, 2)), 3, vocabulary=["a", " b"]),
            "the name ' b' for column 1",
        ),
        (lambda t: topoi.train(np.ones((3, 2)), 3, labels=[1, 2, 3]), "their ids alone"),
        (
            lambda t: topoi.train(np.full((3, 2), 1.5), 3),
            "row 0, column 0 holds 1.5, .* round_counts=True",
        ),
        (lambda t: topoi.train(np.full((3, 2), 0.1), 3, round_counts=True), "TF-IDF"),
        (lambda t: topoi.train(np.zeros((3, 2)), 3), "no words|no tokens|empty|without"),
        (lambda t: topoi.train(t, 3, resume=True), "resume=True needs the output"),
        (lambda t: topoi.train(t, 3, resume="nowhere"), "no checkpoint nowhere"),
        (lambda t: topoi.load("nowhere"), "nowhere is no model"),
        (lambda t: topoi.train(Path("a.csv"), 3, labels=["x"]), "label_field"),
    ],
)
def test_faults_are_sentences(texts, call, message, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(topoi.InputError, match=message) as fault:
        call(texts)
    assert isinstance(fault.value, ValueError) and "Traceback" not in str(fault.value)
    assert list(tmp_path.iterdir()) == []


def test_rounding_is_told(texts):
    matrix, _ = counts(texts)
    with pytest.warns(UserWarning, match="values are rounded"):
        rounded = topoi.train(matrix * 1.1, 3, iterations=5, round_counts="warn", progress=False)
    assert rounded.manifest["tokens"] == np.rint(matrix.toarray() * 1.1).sum()


def test_warnings_of_the_program_are_told():
    with pytest.warns(
        UserWarning, match=r"more topics \(9\) than training documents \(3\)"
    ) as told:
        topoi.train(np.eye(3, dtype=int), 9, iterations=2, progress=False)
    assert told[0].filename == __file__


def test_without_the_program(monkeypatch, texts, tmp_path):
    monkeypatch.setenv("TOPOI_BINARY", str(tmp_path))
    with pytest.raises(topoi.TopoiError, match="TOPOI_BINARY is .*, which is no program"):
        topoi.train(texts, 3)
    monkeypatch.delenv("TOPOI_BINARY")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("topoi._binary._places", lambda: iter(()))
    with pytest.raises(topoi.TopoiError, match="neither beside this package nor on PATH"):
        topoi.train(texts, 3)


def test_a_program_that_dies_is_told(monkeypatch, texts, tmp_path):
    program = tmp_path / "topoi"
    program.write_text("#!/bin/sh\nkill -9 $$\n")
    program.chmod(0o755)
    monkeypatch.setenv("TOPOI_BINARY", str(program))
    with pytest.raises(topoi.TopoiError, match="ended by SIGKILL: most likely"):
        topoi.train(texts, 3)


def test_events_are_json(texts, command, tmp_path):
    """What the package listens to is what docs/cli.md describes."""
    (tmp_path / "t.txt").write_text("\n".join(texts))
    out = command(
        "train",
        tmp_path / "t.txt",
        "--format",
        "lines",
        "-k",
        2,
        "--iterations",
        2,
        "--json",
        "-o",
        tmp_path / "m",
    )
    assert [json.loads(line)["event"] for line in out.splitlines()][-1] == "saved"
