"""Documents as people have them: each kind is read as what it is, or refused by a sentence."""

from __future__ import annotations

import re
from collections import OrderedDict
from pathlib import Path

import anndata
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer

import topoi

DOCS = [["cat", "dog", "cat"], ["bank", "loan"], [], ["rain", "dog", "hail", "rain"]] * 5


def train(documents, **options):
    return topoi.train(documents, 2, iterations=2, progress=False, **options)


def contents(model):
    """Return the words of every document, sorted."""
    ends = model.corpus.offsets
    return [
        sorted(model.vocabulary[w] for w in model.corpus.tokens[ends[d] : ends[d + 1]])
        for d in range(model.corpus.docs)
    ]


WANT = [sorted(d) for d in DOCS]


def test_bags_of_words_of_gensim(tmp_path):
    corpora = pytest.importorskip("gensim.corpora")
    dictionary = corpora.Dictionary(DOCS)
    bags = [dictionary.doc2bow(d) for d in DOCS]
    for vocabulary in (dictionary, dictionary.token2id, dict(dictionary.items())):
        assert contents(train(bags, vocabulary=vocabulary)) == WANT
        assert contents(train((b for b in bags), vocabulary=vocabulary)) == WANT
    dictionary.filter_tokens(
        bad_ids=[dictionary.token2id["dog"]]
    )  # leaves a gap where it is not compact
    bags = [dictionary.doc2bow(d) for d in DOCS]
    assert contents(train(bags, vocabulary=dictionary)) == [
        [w for w in d if w != "dog"] for d in WANT
    ]
    model = train(bags, vocabulary=dictionary, ids=[f"d{i}" for i in range(len(bags))])
    assert model.ids[1] == "d1"
    assert model.infer(bags, vocabulary=dictionary).shape == (20, 2)
    assert np.array_equal(
        model.infer(bags[0], vocabulary=dictionary), model.infer(bags[:1], vocabulary=dictionary)
    )  # lda[bow] of gensim
    corpora.MmCorpus.serialize(str(tmp_path / "bags.mm"), bags)
    assert contents(
        train(corpora.MmCorpus(str(tmp_path / "bags.mm")), vocabulary=dictionary)
    ) == contents(model)


def test_words_behind_columns():
    """A dict of words has the columns as its values, in whatever order its keys are."""
    vectorizer = CountVectorizer().fit(" ".join(d) for d in DOCS)
    matrix = vectorizer.transform(" ".join(d) for d in DOCS)
    assert list(vectorizer.vocabulary_) != sorted(
        vectorizer.vocabulary_
    )  # the order of its keys says nothing
    for vocabulary in (
        vectorizer,
        vectorizer.vocabulary_,
        vectorizer.get_feature_names_out(),
        pd.Index(vectorizer.get_feature_names_out()),
    ):
        assert contents(train(matrix, vocabulary=vocabulary)) == WANT


@pytest.mark.parametrize("form", ["coo", "csc", "lil", "dok", "bsr", "dia"])
def test_every_sparse_form(form):
    vectorizer = CountVectorizer().fit(" ".join(d) for d in DOCS)
    matrix = vectorizer.transform(" ".join(d) for d in DOCS)
    assert contents(train(matrix.asformat(form), vocabulary=vectorizer)) == WANT


def test_entries_twice_and_zeros():
    """A CSR matrix may store an element in two parts, and zeros."""
    matrix = sp.csr_matrix(
        (np.array([1, 2, 0, 1]), np.array([1, 1, 0, 0]), np.array([0, 3, 4])), shape=(2, 2)
    )
    assert contents(train(matrix, vocabulary=["a", "b"])) == [["b"] * 3, ["a"]]


def test_dicts_are_documents_by_id():
    texts = {f"id {i}": " ".join(d) for i, d in enumerate(DOCS)}
    for documents in (texts, OrderedDict(texts), {k: v.split() for k, v in texts.items()}):
        model = (
            train(documents, min_df=1, max_df=1)
            if isinstance(documents["id 0"], str)
            else train(documents)
        )
        assert contents(model) == WANT and model.ids[:2] == ["id 0", "id 1"]


def test_an_index_is_ids():
    texts = pd.Series([" ".join(d) for d in DOCS], index=[f"i{i}" for i in range(20)])
    assert train(texts).ids[3] == "i3"
    assert train(texts.reset_index(drop=True)).corpus.strings("ids") is None
    assert train(texts.reset_index(drop=True)[5:]).ids[:2] == ["5", "6"]
    assert train(pd.DataFrame({"text": texts})).ids[3] == "i3"
    counts = pd.DataFrame(np.eye(20, 3, dtype=int), index=texts.index, columns=["a", "b", "c"])
    assert train(counts).ids[3] == "i3"
    assert (
        contents(train(counts.astype("Int64")))
        == contents(train(counts))
        == contents(train(counts.astype(pd.SparseDtype(int, 0))))
    )


def test_iterables_of_many_kinds():
    texts = [" ".join(d) for d in DOCS]
    for documents in (
        np.array(texts),
        tuple(texts),
        (t for t in texts),
        pd.Series(texts, dtype="category"),
        pd.Index(texts),
    ):
        assert contents(train(documents, min_df=1, max_df=1)) == WANT
    for documents in (
        [tuple(d) for d in DOCS],
        [np.array(d, dtype=str) for d in DOCS],
        (iter(d) for d in DOCS),
        pd.Series(DOCS),
    ):
        assert contents(train(documents)) == WANT
    assert contents(train([None, float("nan"), *texts], min_df=1, max_df=1)) == [[], [], *WANT]
    assert contents(train([None, [], *DOCS])) == [[], [], *WANT]


class Frame:
    """A table with what polars.DataFrame has: columns, dtypes, iter_rows and to_numpy."""

    class Type:
        def __init__(self, numeric):
            self.is_numeric = lambda: numeric

    def __init__(self, columns):
        self._columns = columns
        self.columns, self.shape = list(columns), (len(next(iter(columns.values()))), len(columns))
        self.dtypes = [self.Type(not isinstance(values[0], str)) for values in columns.values()]

    def iter_rows(self):
        return zip(*self._columns.values())

    def to_numpy(self):
        return np.array(list(self.iter_rows()))


def test_tables_of_polars():
    assert contents(train(Frame({"text": [" ".join(d) for d in DOCS]}), min_df=1, max_df=1)) == WANT
    assert contents(train(Frame({"a": [1, 0, 2], "b": [0, 1, 0]}))) == [["a"], ["b"], ["a", "a"]]


def test_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = []
    for i in range(3):
        names.append(f"{i}.txt")
        Path(names[-1]).write_text("\n".join(" ".join(d) for d in DOCS) + "\n")
    for documents in (names, tuple(map(Path, names))):
        assert train(documents, format="lines", min_df=1, max_df=1).n_docs == 60
    assert train("0.txt", format="lines", min_df=1, max_df=1).n_docs == 20


def test_one_text_is_one_document(model, texts, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    theta = model.infer("cat dog kitten")
    assert theta.shape == (1, 5) and np.array_equal(theta, model.infer(["cat dog kitten"]))
    assert model.score(texts[0]) == model.score([texts[0]])
    Path("new.txt").write_text("cat dog\nrain wind\n")
    assert model.infer("new.txt", format="lines").shape == (2, 5)
    Path("cat").mkdir()
    assert model.infer("cat").shape == (1, 5)


def test_counts_in_lists_have_the_words_of_the_model(model):
    counts = np.zeros((2, model.n_words), int)
    counts[0, :5] = 3
    assert np.array_equal(model.infer(counts.tolist()), model.infer(counts))


BAGS = [[(0, 1), (3, 2)], [(1, 1)]]


@pytest.mark.parametrize(
    "documents, options, message",
    [
        (BAGS, {}, r"^documents are bags of words .*: give it as vocabulary=dictionary"),
        (
            BAGS,
            {"vocabulary": ["a", "b"]},
            "^document 0 has the id 3, for which the vocabulary has no word$",
        ),
        (
            [*BAGS, ["word"]],
            {"vocabulary": list("abcd")},
            "^document 2 holds 'word', expected a pair",
        ),
        (BAGS, {"vocabulary": "abcd"}, "^vocabulary is of type str"),
        (BAGS, {"vocabulary": {"a": "b"}}, "neither its keys nor its values are whole numbers"),
        (np.eye(2), {"vocabulary": {"a": 0, "b": 2}}, "^vocabulary has no word for column 1$"),
        ({"a": 3, "b": 4}, {}, "two dimensions|document 0 is of type int"),
        (
            {"text": ["a text", "another"]},
            {},
            "^documents is a dict of columns: give pandas.DataFrame",
        ),
        ({"a": "text"}, {"ids": ["b"]}, "^a dict has its own ids"),
        (["a text", 3], {}, "^document 1 is of type int, expected a text"),
        (["a text", {"text": "b"}], {}, "^document 1 is of type dict, expected a text"),
        ([{"text": "b"}], {}, "^document 0 is of type dict, expected a text"),
        ([{"a", "b"}], {}, "^document 0 is of type set, expected a text"),
        ([["a", 3]], {}, "^document 0 has at 1 a value of type int, expected a word"),
        (
            [["a"], ["b", None]],
            {},
            "^document 1 has at 1 a value of type NoneType, expected a word",
        ),
        ([["a"], "b"], {}, "^document 1 is of type str, expected a list of words"),
        (
            [["one whole text"], ["another whole text"]],
            {},
            "^every document is a list with one text in it",
        ),
        (b"bytes", {}, "^documents is of type bytes: decode it first"),
        (np.array([b"a", b"b"]), {}, "^document 0 is of type bytes.*decode"),
        (None, {}, "^documents is of type NoneType, expected texts"),
        (7, {}, "^documents is of type int, expected texts"),
        ([1, 2], {}, "two dimensions"),
        (
            "one text that is no file",
            {},
            r"^there is no file 'one text that is no file'; a text is given in a list: \[text\]$",
        ),
        (["a b"] * 3, {"labels": "abc"}, "^labels is of type str, expected a list"),
        (
            ["a b"] * 3,
            {"labels": {0: "a", 1: "b", 2: "c"}},
            "^labels is of type dict, expected a list",
        ),
        (
            {"a b", "c d"},
            {},
            r"^documents is of type set, whose order differs .* sorted\(documents\)",
        ),
        (["a b", "c \0 d"], {}, r"^document 1: a string holds \\u0000"),
        (pd.DataFrame({"a": [1], "b": ["x"]}), {}, "^document 0: no field holds text or tokens"),
        (
            np.array([[1, np.nan]]),
            {},
            r"^Missing values \(NaN\) in data, .* row 0, column 1 holds nan",
        ),
        (np.array([[1, np.inf]]), {}, "^Infinite values in data: row 0, column 1 holds inf"),
        (np.array([[1, -np.inf]]), {}, "^Negative values in data: row 0, column 1 holds -inf"),
        (
            sp.coo_matrix(np.array([[1, -1]])),
            {},
            "^Negative values in data: row 0, column 1 holds -1",
        ),
        (pd.DataFrame({"a": pd.array([1, None], "Int64")}), {}, r"^Missing values \(NaN\)"),
        (
            np.ma.masked_array(np.eye(2, dtype=int), mask=np.eye(2)),
            {},
            "^the matrix has masked values",
        ),
        (np.array([["a text"], ["another"]]), {}, "but counts are numbers"),
        (
            anndata.AnnData(obs=pd.DataFrame(index=["a"]), var=pd.DataFrame(index=["g"])),
            {},
            "^the AnnData has no X",
        ),
    ],
)
def test_what_is_no_document_is_refused(documents, options, message):
    with pytest.raises(topoi.InputError, match=message):
        train(documents, **options)


def test_stop_words_may_be_words(tmp_path):
    texts = [" ".join(d) for d in DOCS]
    words = train(texts, min_df=1, max_df=1, stopwords=["cat", "dog"]).vocabulary
    assert "cat" not in words and "dog" not in words and "bank" in words
    (tmp_path / "words.txt").write_text("bank\n")
    assert (
        "bank"
        not in train(texts, min_df=1, max_df=1, stopwords=[str(tmp_path / "words.txt")]).vocabulary
    )


@pytest.mark.parametrize("topics", [2.5, "3", [2, 3], True, float("nan")])
def test_topics_are_a_number(topics):
    with pytest.raises(topoi.InputError, match="^topics is .*, expected the number of topics"):
        topoi.train(["a b"], topics)
    with pytest.raises(topoi.InputError, match="^the number of topics is missing: topics=20$"):
        topoi.train(["a b"])
    assert topoi.train([["a", "b"]], 2.0, iterations=2, progress=False).n_topics == 2


def test_a_label_is_taken_away(texts):
    model = topoi.train(texts, 2, iterations=2, progress=False)
    model.label({0: "first", 1: "second"})
    model.label({0: None, 1: "other"})
    assert [t.get("topic_label") for t in model.topic_list(sort="id")] == [None, "other"]


def test_a_gensim_dictionary_is_no_corpus():
    corpora = pytest.importorskip("gensim.corpora")
    with pytest.raises(
        topoi.InputError, match="^documents is a gensim Dictionary: give the bags of words"
    ):
        train(corpora.Dictionary(DOCS))


@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda m: m.infer("nowhere.csv"),
            r"^there is no file 'nowhere.csv'; a text is given in a list",
        ),
        (lambda m: m.infer(["a"], top=0.5), r"top='0.5'|top=0.5|unknown argument top"),
        (lambda m: m.topic_list(words=0), "^words is 0: it must be at least 1$"),
        (
            lambda m: m.topic_list(lambda_=2, order="relevance"),
            "^lambda_ is 2: it must be between 0 and 1$",
        ),
        (lambda m: m.topics(order="best"), "order"),
        (lambda m: m.label({99: "x"}), "99"),
        (lambda m: train(["cat"] * 3, resume="x", force=True), "no checkpoint x"),
        (lambda m: train(["cat dog"] * 3, sampler="wrap"), r"sampler"),
        (lambda m: train(["cat dog"] * 3, device="tpu"), "device"),
        (lambda m: train(["the"] * 3), r"text_field|min_df|language"),
        (lambda m: train(m.path, min_df=3), r"topoi|Model.infer\(\)"),
        (lambda m: topoi.LDA(0).fit(np.eye(3, dtype=int)), "n_components"),
        (lambda m: topoi.LDA(2, max_iter=-1).fit(np.eye(3, dtype=int)), "max_iter"),
        (lambda m: topoi.LDA(2, topic_word_prior=-1).fit(np.eye(3, dtype=int)), "topic_word_prior"),
        (
            lambda m: topoi.LDA(2, options={"mh_step": 3}).fit(np.eye(3, dtype=int)),
            "^unknown argument mh_step: did you mean mh_steps",
        ),
    ],
)
def test_messages_speak_python(model, call, message):
    with pytest.raises(ValueError, match=message) as fault:
        call(model)
    assert not re.search(r"(^|\s)--?[a-z]", str(fault.value)), fault.value
