"""Columns of documents go in and come out as tables of pandas."""

from __future__ import annotations

import anndata
import numpy as np
import pandas
import pytest
import scipy.sparse

import topoi


@pytest.fixture(scope="module")
def columns(texts) -> pandas.DataFrame:
    n = len(texts)
    return pandas.DataFrame(
        {
            "party": pandas.Categorical([["SPD", "CDU", None][i % 3] for i in range(n)]),
            "rating": [1.5 * (i % 5) if i % 7 else np.nan for i in range(n)],
            "date": pandas.to_datetime([f"20{10 + i % 9}-03-0{1 + i % 9}" for i in range(n)]),
            "themes": [
                [
                    name
                    for j, name in enumerate(["tax", "war", "school", "health", "sea", "art"])
                    if i >> j & 1
                ]
                for i in range(n)
            ],
        }
    )


def same(got: pandas.DataFrame, want: pandas.DataFrame) -> None:
    assert (
        got["party"].astype(object).where(got["party"].notna(), None).tolist()
        == want["party"].astype(object).where(want["party"].notna(), None).tolist()
    )
    np.testing.assert_array_equal(got["rating"], want["rating"])
    assert (got["date"].to_numpy() == want["date"].to_numpy()).all()
    assert got["themes"].tolist() == want["themes"].tolist()
    assert (
        str(got["party"].dtype) == "category"
        and got["date"].dtype.kind == "M"
        and got["rating"].dtype == np.float64
    )


def test_metadata_of_texts(texts, columns, model):
    labels = [f"label {i % 3}" for i in range(len(texts))]
    got = topoi.train(texts, 5, iterations=60, labels=labels, metadata=columns, progress=False)
    assert got.fingerprint == model.fingerprint  # columns change nothing that is trained
    table = got.documents(theta=True)
    same(table, columns)
    assert table["label"].tolist() == labels and table["id"].tolist() == got.ids
    assert (table["length"].to_numpy() == np.diff(got.corpus.offsets.astype(int))).all()
    np.testing.assert_allclose(table[[f"topic_{k}" for k in range(5)]], np.asarray(got.theta))


def test_a_table_with_columns(texts, columns):
    table = columns.assign(text=texts, number=[f"doc-{i}" for i in range(len(texts))])
    got = topoi.train(
        table, 3, iterations=10, id_field="number", text_field="text", holdout=0.2, progress=False
    )
    documents = got.documents()
    assert len(documents) == got.n_docs < len(texts)
    same(documents, columns.iloc[documents.index])
    assert documents["id"].tolist() == [f"doc-{i}" for i in documents.index]


def test_a_matrix_and_an_anndata(columns):
    rng = np.random.default_rng(1)
    counts = scipy.sparse.csr_matrix(rng.poisson(0.5, (len(columns), 40)))
    want = columns.drop(columns="themes").assign(themes=[[] for _ in range(len(columns))])
    got = topoi.train(
        counts, 3, iterations=5, metadata=columns.drop(columns="themes"), progress=False
    ).documents()
    same(got.assign(themes=want["themes"].tolist()), want)
    cells = anndata.AnnData(
        counts.astype("float32"),
        obs=columns.drop(columns="themes").set_axis([f"cell{i}" for i in range(len(columns))]),
    )
    for trained in (
        topoi.train(cells, 3, iterations=5, progress=False),
        topoi.fit_anndata(cells, 3, iterations=5, progress=False),
    ):
        table = trained.documents()
        same(table.assign(themes=want["themes"].tolist()), want)
        assert table["id"].tolist() == cells.obs_names.tolist()


def test_files_and_joins(texts, columns, tmp_path):
    for i, text in enumerate(texts[:20]):
        (tmp_path / f"doc{i}.txt").write_text(text, encoding="utf-8")
    table = columns.iloc[:20].set_axis([f"doc{i}" for i in range(20)])
    got = topoi.train(tmp_path, 2, iterations=5, metadata=table, progress=False)
    documents = got.documents().sort_values(
        "id", key=lambda ids: ids.str.extract(r"(\d+)")[0].astype(int)
    )
    same(documents, table)
    plain = topoi.train(tmp_path, 2, iterations=5, progress=False)
    before = plain.fingerprint
    assert "party" not in plain.documents()
    joined = plain.join(table)
    assert joined is plain and plain.documents()["party"].notna().sum() == 14
    assert topoi.load(plain.path).fingerprint == before
    table.to_csv(tmp_path / "table.csv", index_label="file")
    assert (
        "party"
        in topoi.train(
            tmp_path,
            2,
            iterations=5,
            metadata=tmp_path / "table.csv",
            pattern="*.txt",
            progress=False,
        ).documents()
    )


def test_effects_and_conditions(texts, columns):
    party = ["red" if i % 2 else "blue" for i in range(len(texts))]
    biased = [
        t + (" sword sword sword sword" if p == "red" else " shield shield shield shield")
        for t, p in zip(texts, party)
    ]
    model = topoi.train(
        biased,
        4,
        iterations=60,
        metadata={"party": party, "rating": columns["rating"].tolist()},
        min_df=1,
        max_df=1,
        progress=False,
    )
    table = model.effects("~ party", base={"party": "blue"}, interval=0.8)
    assert list(table.columns) == [
        "topic",
        "topic_label",
        "term",
        "estimate",
        "std_error",
        "low",
        "high",
        "p_value",
        "p_holm",
        "p_bh",
        "df",
        "base",
        "n",
    ]
    assert table["term"].unique().tolist() == ["(Intercept)", "party[red]"] and len(table) == 8
    assert (table["low"] < table["high"]).all()
    other = model.effects("~ party", base={"party": "red"})
    np.testing.assert_allclose(
        table[table.term == "party[red]"]["estimate"].to_numpy(),
        -other[other.term == "party[blue]"]["estimate"].to_numpy(),
        atol=1e-12,
    )
    red = model.topics(words=4, where="party = red")
    assert "sword" in " ".join(red["words"]) and "shield" not in " ".join(
        model.topics(words=30, where="party = red")["words"]
    )
    assert red["tokens"].sum() < model.topics()["tokens"].sum()
    assert model.effects("~ rating", where="party = red")["estimate"].notna().all()


@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda texts, m: topoi.train(texts, 2, metadata=m.iloc[:3], progress=False),
            "metadata has 3 rows for 150 documents",
        ),
        (
            lambda texts, m: topoi.train(texts, 2, metadata=5, progress=False),
            "metadata is of type int, expected a table",
        ),
        (
            lambda texts, m: topoi.train(
                texts, 2, metadata={"a": [1], "b": [1, 2]}, progress=False
            ),
            "columns of metadata have 1 to 2 entries",
        ),
        (
            lambda texts, m: topoi.train(
                m.assign(text=texts), 2, text_field="text", metadata=m, progress=False
            ),
            "a table has its own columns",
        ),
    ],
)
def test_faults(texts, columns, call, message):
    with pytest.raises(topoi.InputError, match=message):
        call(texts, columns)


def test_faults_of_formulas(model):
    with pytest.raises(topoi.InputError, match="there is no column"):
        model.effects("~ nothing")
    with pytest.raises(topoi.InputError, match="no document satisfies the condition"):
        model.topics(where="label = none")
