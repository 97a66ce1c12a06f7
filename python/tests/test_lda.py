"""The transformer of scikit-learn."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import topoi


@pytest.fixture(scope="module")
def counts(texts):
    vectorizer = CountVectorizer()
    return vectorizer.fit_transform(texts), vectorizer.get_feature_names_out()


# No check is left out and none is expected to fail. The defaults are those of LDA, but
# for the number of sweeps: the checks train some hundred models.
@parametrize_with_checks([topoi.LDA(max_iter=20)])
def test_what_scikit_learn_expects(estimator, check):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*values are rounded", category=UserWarning)
        check(estimator)


def test_attributes(counts):
    X, _ = counts
    lda = topoi.LDA(5, max_iter=60).fit(X)
    assert lda.components_.shape == (5, X.shape[1]) and lda.doc_topic_.shape == (X.shape[0], 5)
    assert np.allclose(lda.components_.sum(), X.sum() + 5 * X.shape[1] * lda.topic_word_prior_)
    assert np.allclose(lda.phi_.sum(axis=1), 1) and np.allclose(lda.doc_topic_.sum(axis=1), 1)
    assert lda.n_iter_ <= 60 and lda.n_features_in_ == X.shape[1]
    assert list(lda.get_feature_names_out()) == ["lda0", "lda1", "lda2", "lda3", "lda4"]
    assert list(lda.vocabulary_[:2]) == ["x0", "x1"]
    theta = lda.transform(X)
    assert (
        np.array_equal(theta, topoi.LDA(5, max_iter=60).fit_transform(X))
        and theta.dtype == np.float32
    )
    assert (theta.argmax(1) == lda.doc_topic_.argmax(1)).mean() > 0.9


def test_the_same_model_as_train(counts):
    X, words = counts
    lda = topoi.LDA(4, max_iter=20, random_state=3, doc_topic_prior=0.1, topic_word_prior=0.02).fit(
        pd.DataFrame.sparse.from_spmatrix(X, columns=words)
    )
    model = topoi.train(
        X, 4, vocabulary=words, iterations=20, seed=3, alpha_sum=0.1 * 4, beta=0.02, progress=False
    )
    assert lda.model_.fingerprint == model.fingerprint
    assert list(lda.feature_names_in_) == list(words)


def test_pandas_out(counts):
    X, words = counts
    lda = topoi.LDA(3, max_iter=10).set_output(transform="pandas")
    out = lda.fit(X).transform(X)
    assert list(out.columns) == ["lda0", "lda1", "lda2"] and len(out) == X.shape[0]


def test_texts(texts):
    lda = topoi.LDA(5, max_iter=60).fit(texts)
    assert lda.transform(["cat dog kitten"]).shape == (1, 5)
    assert lda.fit_transform(pd.Series(texts)).shape == (len(texts), 5)
    with pytest.raises(ValueError, match="fitted on texts, and this is counts"):
        lda.transform(sp.csr_matrix((1, 3)))
    lda.fit(np.ones((3, 2)))
    with pytest.raises(ValueError, match="fitted on counts, and this is texts"):
        lda.transform(texts)


def test_choosing_the_number_of_topics(texts):
    search = GridSearchCV(
        make_pipeline(CountVectorizer(), topoi.LDA(max_iter=100)),
        {"lda__n_components": [1, 5]},
        cv=2,
    )
    assert search.fit(texts).best_params_ == {"lda__n_components": 5}


def test_pickle_carries_the_model(counts):
    X, _ = counts
    lda = topoi.LDA(3, max_iter=10).fit(X)
    packed, want = pickle.dumps(lda), lda.transform(X[:5])
    del lda
    assert np.array_equal(pickle.loads(packed).transform(X[:5]), want)
    with pytest.raises(NotFittedError):
        clone(pickle.loads(packed)).transform(X)


def test_weights_are_refused(texts):
    with pytest.raises(topoi.InputError, match="such as TF-IDF"):
        topoi.LDA(3).fit(TfidfVectorizer().fit_transform(texts))
    with pytest.raises(topoi.InputError, match="round_counts=True"):
        topoi.LDA(3, round_counts=False).fit(np.full((4, 3), 1.2))


def test_seed_threads_and_directory(counts, tmp_path):
    X, _ = counts
    first = topoi.LDA(3, max_iter=10, n_jobs=1, model_dir=tmp_path / "m").fit(X)
    again = topoi.LDA(3, max_iter=10, n_jobs=-1, model_dir=tmp_path / "m", random_state=0).fit(X)
    assert (
        first.model_.fingerprint
        == again.model_.fingerprint
        == topoi.load(tmp_path / "m").fingerprint
    )
    other = topoi.LDA(
        3,
        max_iter=10,
        random_state=np.random.RandomState(1),
        options={"sampler": "warp"},
        learn_priors=False,
    )
    with pytest.raises(TypeError):  # sampler twice
        other.fit(X)
    assert (
        topoi.LDA(3, max_iter=10, random_state=np.random.RandomState(1), learn_priors=False)
        .fit(X)
        .model_.fingerprint
        != first.model_.fingerprint
    )


def test_the_names_of_scikit_learn(counts):
    """What people read from scikit-learn's LDA is there, and means the same."""
    from scipy.special import psi

    X, _ = counts
    lda = topoi.LDA(
        4,
        max_iter=30,
        learning_method="batch",
        evaluate_every=10,
        max_doc_update_iter=20,
        n_jobs=-2,
    ).fit(X)
    assert (
        lda.perplexity(X) == pytest.approx(np.exp(-lda.score(X)))
        and lda.n_batch_iter_ == lda.n_iter_
    )
    assert lda.bound_ == pytest.approx(lda.perplexity(X))
    assert (
        np.array_equal(lda.doc_topic_prior_, lda.model_.alpha)
        and lda.topic_word_prior_ == lda.model_.beta
    )
    expected = np.exp(psi(lda.components_) - psi(lda.components_.sum(axis=1, keepdims=True)))
    assert np.allclose(lda.exp_dirichlet_component_, expected, rtol=1e-4) and expected.shape == (
        4,
        X.shape[1],
    )
    assert np.array_equal(
        lda.transform(X[:3]),
        lda.set_params(max_doc_update_iter=None, transform_iter=20).transform(X[:3]),
    )
    for name in (
        "bound_",
        "doc_topic_prior_",
        "topic_word_prior_",
        "exp_dirichlet_component_",
        "n_batch_iter_",
    ):
        with pytest.raises(NotFittedError):
            getattr(topoi.LDA(), name)


@pytest.mark.parametrize(
    "name",
    [
        "learning_decay",
        "learning_offset",
        "batch_size",
        "total_samples",
        "perp_tol",
        "mean_change_tol",
    ],
)
def test_names_without_a_meaning_are_refused(counts, name):
    lda = topoi.LDA(3).set_params(**{name: 0.7})
    assert clone(lda).get_params()[name] == 0.7
    with pytest.raises(ValueError, match=f"^{name} is .*: leave it out$"):
        lda.fit(counts[0])


def test_online_learning_is_refused(counts):
    lda = topoi.LDA(3, learning_method="online")
    assert pickle.loads(pickle.dumps(lda)).learning_method == "online"
    with pytest.raises(
        ValueError, match="^learning_method='online' is not there: .* as 'batch' does"
    ):
        lda.fit(counts[0])
    with pytest.raises(ValueError, match="^sub_sampling is of online learning"):
        topoi.LDA(2, max_iter=2).fit(counts[0]).perplexity(counts[0], sub_sampling=True)


def test_one_text_is_refused(texts):
    with pytest.raises(ValueError, match="^X is of type str, expected a list of texts"):
        topoi.LDA(2).fit("one text")
    with pytest.raises(ValueError, match="^X is of type str, expected a list of texts"):
        topoi.LDA(2, max_iter=2).fit(texts).transform("one text")


def test_a_generator_of_random_numbers_is_asked_once(counts):
    """transform gives the same rows again, whatever random_state is."""
    lda = topoi.LDA(3, max_iter=5, random_state=np.random.RandomState(1)).fit(counts[0])
    assert np.array_equal(lda.transform(counts[0]), lda.transform(counts[0]))
