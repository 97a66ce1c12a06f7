"""A model: memory maps, shares, tables, inference, keeping it."""

from __future__ import annotations

import json
import pickle
import shutil

import numpy as np
import pytest
import scipy.sparse as sp

import topoi


@pytest.fixture(scope="module")
def held(texts):
    """A model that was trained on a sample of the documents."""
    return topoi.train(texts, 4, iterations=20, holdout=0.3, progress=False)


@pytest.mark.parametrize("which", ["model", "held"])
def test_theta_is_what_the_program_exports(which, tmp_path, request, command):
    model = request.getfixturevalue(which)
    command("export", model.path, "--format", "npy-doc-topics", "-o", tmp_path / "out")
    want = np.load(tmp_path / "out" / "theta.npy")
    docs = [
        int(line.split(",")[0])
        for line in (tmp_path / "out" / "docs.csv").read_text().splitlines()[1:]
    ]
    assert model.docs.tolist() == docs
    assert model.theta[3].tobytes() == want[3].tobytes()  # a row alone
    assert (model.theta[[5, 1]] == want[[5, 1]]).all() and (
        model.theta[2:9, 1] == want[2:9, 1]
    ).all()
    assert np.asarray(model.theta).tobytes() == want.tobytes()
    command("export", model.path, "--format", "npz-doc-topics", "-o", tmp_path / "n.npz")
    assert (model.theta.counts != sp.load_npz(tmp_path / "n.npz")).nnz == 0


def test_phi_is_what_the_program_exports(model, tmp_path, command):
    command("export", model.path, "--format", "npz-topic-words", "-o", tmp_path / "n.npz")
    last = sp.load_npz(tmp_path / "n.npz")
    assert (
        model.draws > 1
        and last.sum() == model.manifest["tokens"]
        and (model.phi.counts < last).nnz == 0
    )
    command("export", model.path, "--format", "npy-topic-words", "-o", tmp_path / "phi")
    want = np.load(tmp_path / "phi" / "phi.npy")
    assert np.allclose(model.phi, want, rtol=1e-6) and np.allclose(model.phi[2], want[2], rtol=1e-6)
    table = model.top_words(3)
    for topic, term, phi in zip(table.topic, table.term, table.phi):
        assert model.phi[topic, model.vocabulary.index(term)] == pytest.approx(phi, rel=1e-6)


def test_blocks_of_documents_do_not_show(model):
    whole = np.asarray(model.theta)
    small = type(model.theta)(model.arrays["topics"], model._ends, model.alpha)
    small._blocks = lambda dense: ((i, min(i + 7, len(small))) for i in range(0, len(small), 7))
    assert np.array_equal(small.toarray(), whole)
    assert (small.counts != model.theta.counts).nnz == 0


def test_shares_behave_like_arrays(model):
    theta = topoi.load(model.path).theta
    assert theta.shape == (150, 5) and len(theta) == 150 and theta.ndim == 2
    assert (
        theta[0].shape == (5,)
        and theta[0, 2].shape == ()
        and theta[..., 1].shape == (150,)
        and theta[-1].shape == (5,)
    )
    assert theta._whole is None or theta[..., 1].shape == (150,)
    with pytest.raises(IndexError):
        theta[150]
    assert np.allclose(theta.sum(axis=1), 1) and np.allclose(theta @ np.ones(5), 1)
    assert (theta * 2).max() == 2 * theta.max() and theta.T.shape == (5, 150)
    assert theta.argmax(axis=1).shape == (150,) and sum(1 for _ in theta) == 150
    assert "150 × 5" in repr(theta)
    with pytest.raises(ValueError):
        theta.toarray()[0, 0] = 1
    assert model.phi[np.arange(5) < 2].shape == (2, model.n_words)


def test_arrays_are_memory_maps(model):
    for name in ("alpha", "topic_totals", "row_ends", "rows", "topics", "words", "word_ends"):
        assert isinstance(model.arrays[name], np.memmap), name
        assert not model.arrays[name].flags.writeable
    assert isinstance(model.corpus.tokens, np.memmap) and isinstance(
        model.corpus.offsets, np.memmap
    )
    assert (
        model.arrays["topic_totals"].sum()
        == model.draws * len(model.arrays["topics"])
        == model.draws * model.manifest["tokens"]
    )
    words = {model.vocabulary[w] for w in model.corpus.tokens[: int(model.corpus.offsets[1])]}
    assert words <= set(model.corpus.strings("snippets")[0].split()) | words


def test_tables(model):
    table = model.topics(words=4, coherence=True)
    assert list(table.columns) == ["share", "alpha", "tokens", "words", "npmi", "umass"] and sorted(
        table.index
    ) == [0, 1, 2, 3, 4]
    assert table.share.is_monotonic_decreasing and all(len(w.split()) == 4 for w in table.words)
    docs = model.top_docs(2)
    assert len(docs) == 10 and {"topic", "rank", "doc", "theta", "label", "snippet"} <= set(
        docs.columns
    )
    assert model.theta[docs.doc[0], docs.topic[0]] == pytest.approx(docs.theta[0], rel=1e-6)
    assert set(model.coherence()) == {"npmi", "umass", "diversity"}
    assert set(model.coherence(["cat dog pet fur", "bank money loan stock"] * 5)) == {
        "c_v",
        "npmi",
        "uci",
        "diversity",
    }


def test_labels_are_shown(model, tmp_path):
    named = model.save(tmp_path / "m")
    named.label({2: "pets", 3: "money = power"})
    assert named.topics().topic_label.loc[[2, 3]].tolist() == ["pets", "money = power"]
    assert named.fingerprint == model.fingerprint


def test_infer_is_what_the_program_infers(model, tmp_path, command):
    new = ["cat dog kitten", "bank loan debt and a comet", "", "nothing known"]
    got = model.infer(new)
    (tmp_path / "new.jsonl").write_text("".join(json.dumps({"text": t}) + "\n" for t in new))
    lines = command(
        "infer", model.path, tmp_path / "new.jsonl", "--as", "jsonl", "--quiet"
    ).splitlines()
    for row, line in zip(got, lines):
        for share in json.loads(line)["topics"]:
            assert row[share["topic"]] == np.float32(share["theta"])
    assert got.dtype == np.float32 and np.allclose(got.sum(axis=1), 1)
    assert np.array_equal(model.infer(new[1:2])[0], got[1])
    assert np.allclose(got[3], model.alpha / model.alpha.sum())
    mapped = model.infer(new, out=tmp_path / "theta.npy")
    assert isinstance(mapped, np.memmap) and np.array_equal(mapped, got)


def test_infer_counts(model):
    new = sp.lil_matrix((2, model.n_words))
    new[0, model.vocabulary.index("cat")], new[0, model.vocabulary.index("dog")] = 2, 1
    new[1, model.vocabulary.index("bank")] = 4
    got = model.infer(new.tocsr())
    assert np.array_equal(got, model.infer(["cat dog cat", "bank bank bank bank"]))
    assert np.array_equal(model.infer(np.array([[1, 2]]), vocabulary=["dog", "cat"])[0], got[0])
    with pytest.raises(topoi.InputError, match="the matrix has 2 columns, but the model has"):
        model.infer(np.array([[1, 2]]))


def test_score(model, texts):
    assert model.score(texts) > model.score(["rocket kitten debt hail inning vet frost"] * 30)


def test_pickle_and_save(model, tmp_path):
    back = pickle.loads(pickle.dumps(model))
    assert back.path != model.path and back.fingerprint == model.fingerprint
    assert np.array_equal(back.infer(["cat dog"]), model.infer(["cat dog"]))
    kept = back.save(tmp_path / "m")
    del back
    assert pickle.loads(pickle.dumps(kept)).path == tmp_path / "m"
    with pytest.raises(topoi.InputError, match="already exists"):
        model.save(tmp_path / "m")
    model.save(tmp_path / "m", overwrite=True)
    (tmp_path / "other").mkdir()
    with pytest.raises(topoi.InputError, match="is no model, and is not replaced"):
        model.save(tmp_path / "other", overwrite=True)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["m", "other"]


def test_damage_is_told(model, tmp_path):
    for name, damage, message in [
        ("topics.u16", b"", "topics.u16 has 0 bytes, expected"),
        ("manifest.json", b"{}", "is no model"),
        ("manifest.json", b"oops", "is no model"),
        (
            "manifest.json",
            json.dumps({**model.manifest, "format_version": 9}).encode(),
            "version 9 of the model format",
        ),
        ("corpus.topoi", b"x" * 100, "is no corpus file"),
    ]:
        shutil.copytree(model.path, tmp_path / "m")
        (tmp_path / "m" / name).write_bytes(damage)
        with pytest.raises(topoi.InputError, match=message):
            topoi.load(tmp_path / "m").theta[0]
        shutil.rmtree(tmp_path / "m")


def test_the_page_is_a_frame_of_its_own(model, tmp_path):
    page = model.explore(height=300)
    shown = page._repr_html_()
    assert (
        shown.startswith('<iframe srcdoc="&lt;!')
        and 'sandbox="allow-scripts allow-downloads"' in shown
        and "height: 300px" in shown
    )
    assert shown.count('"') == 2 * 4  # nothing of the page escapes from the attribute
    assert page.save(tmp_path / "p.html").read_text(encoding="utf-8") == page.html
    assert "Content-Security-Policy" in page.html
