"""Guided topics, and models made from models."""

from __future__ import annotations

import numpy as np
import pytest

import topoi

CARS = [
    "engine road tyre engine wheel",
    "road tyre brake wheel engine",
    "brake road tyre wheel road",
]
SPACE = [
    "orbit moon rocket star moon",
    "planet moon rocket star orbit",
    "orbit star planet rocket moon",
]
HOW = {"min_df": 1, "max_df": 1, "language": "none", "iterations": 40, "progress": False}


def guided(**more):
    return topoi.train(
        CARS * 4 + SPACE * 4,
        2,
        seeds={"space": ["orbit", "moon*"], "cars": ["engine"]},
        **HOW,
        **more,
    )


def test_seeds(tmp_path):
    """Seeded topics come first, with their names."""
    model = guided()
    assert [t["topic_label"] for t in sorted(model.topic_list(), key=lambda t: t["topic"])] == [
        "space",
        "cars",
    ]
    space = model.phi[0]
    assert space[model.vocabulary.index("rocket")] > 0.1 > space[model.vocabulary.index("wheel")]
    (tmp_path / "s.txt").write_text("space: orbit, moon\ncars: engine\n")
    assert topoi.train(CARS * 4 + SPACE * 4, 2, seeds=tmp_path / "s.txt", **HOW).n_topics == 2
    for bad in ["engine", {"a": "engine"}, ["engine"]]:
        with pytest.raises(topoi.InputError):
            topoi.train(CARS * 4, 2, seeds=bad, **HOW)


def test_priors():
    """Some priors say themselves how many topics there are."""
    labels = ["cars"] * 12 + ["space"] * 12
    model = topoi.train(CARS * 4 + SPACE * 4, labels=labels, prior="labels", free=1, **HOW)
    assert model.n_topics == 3
    assert [t["topic_label"] for t in sorted(model.topic_list(), key=lambda t: t["topic"])[:2]] == [
        "cars",
        "space",
    ]
    assert topoi.train(CARS * 4 + SPACE * 4, topics=20, prior="hdp", **HOW).n_topics <= 20
    with pytest.raises(topoi.InputError, match="number of topics is missing"):
        topoi.train(CARS * 4, **HOW)
    with pytest.raises(topoi.InputError, match="leave out topics=3"):
        topoi.train(CARS * 4, 3, labels=["cars"] * len(CARS * 4), prior="labels", **HOW)


def test_update(tmp_path):
    """New documents and words join a model whose topics stay."""
    model = guided()
    new = model.update(
        ["engine battery charger road", "battery charger wheel tyre", "orbit moon star"],
        output=tmp_path / "new",
    )
    assert new.n_docs == 3
    assert "battery" in new.vocabulary
    assert new.phi[1][new.vocabulary.index("battery")] > new.phi[0][new.vocabulary.index("battery")]
    assert new.manifest["lineage"][-1]["fingerprint"] == model.fingerprint
    with pytest.raises(topoi.InputError):
        model.update(["engine"], weight=-1)


def test_edit():
    """Topics are merged, split and moved."""
    model = guided()
    one = model.merge(0, 1)
    assert np.asarray(one.theta[0])[0] == pytest.approx(1, abs=1e-6)
    assert model.edit(split={0: 2}).n_topics == 3
    assert model.edit(merge=[(0, 1)], renumber=True).n_topics == 1
    moved = model.edit(move=[("rocket", 0, 1)])
    assert moved.phi[1][moved.vocabulary.index("rocket")] > 0.1
    with pytest.raises(topoi.InputError, match="there is no topic 9"):
        model.merge(0, 9)


def test_partial_fit():
    """The scikit-learn class learns bit by bit."""
    pytest.importorskip("sklearn")
    lda = topoi.LDA(
        n_components=2, max_iter=30, options={"min_df": 1, "max_df": 1, "language": "none"}
    )
    lda.partial_fit(CARS * 4 + SPACE * 4)
    before = lda.model_.fingerprint
    lda.partial_fit(CARS + SPACE)
    assert lda.model_.fingerprint != before
    assert lda.transform(CARS).shape == (3, 2)
