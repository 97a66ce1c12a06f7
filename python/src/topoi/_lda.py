"""A transformer for scikit-learn."""

from __future__ import annotations

import numbers
from typing import Any, Dict, Optional, Union

import numpy as np
import scipy.sparse
from scipy.special import psi

try:
    from joblib import effective_n_jobs
    from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.validation import check_is_fitted
except ImportError as fault:
    raise ImportError(
        "topoi.LDA is a transformer of scikit-learn and needs it: pip install scikit-learn; topoi.train() does without"
    ) from fault

from . import _run
from ._documents import is_texts
from ._errors import InputError
from ._model import Model, PathLike
from ._progress import Progress
from ._train import train


# The parameters that messages name, by the flags of the program.
_NAMES = {
    "topics": "n_components",
    "iterations": "max_iter",
    "tolerance": "tol",
    "alpha_sum": "doc_topic_prior",
    "beta": "topic_word_prior",
    "threads": "n_jobs",
    "seed": "random_state",
    "output": "model_dir",
}

_REFUSED = {
    "learning_decay": "is of online learning, which topoi does not do",
    "learning_offset": "is of online learning, which topoi does not do",
    "batch_size": "is of online learning, which topoi does not do",
    "total_samples": "is of online learning, which topoi does not do",
    "perp_tol": "is a difference of perplexities, and topoi stops by tol, in nats per token",
    "mean_change_tol": "is of scikit-learn's inference, and topoi has a limit of its own",
}


class LDA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Latent Dirichlet allocation, from counts or texts to shares of topics.

    ``fit`` takes a matrix of counts with a row for every document, sparse or dense, or a
    sequence of texts, which are then cut into words by topoi. ``transform`` takes the same
    and returns θ, documents × topics, float32; the row of a document depends on its words
    alone. ``fit_transform(X)`` is ``fit(X).transform(X)``; ``doc_topic_`` are the shares that
    training itself has given to the documents.

    n_components
        the number of topics.
    doc_topic_prior
        α of each topic at the start; by default they add up to 5.
    topic_word_prior
        β at the start; by default 0.01.
    learn_priors
        whether α and β are estimated in training.
    max_iter, tol
        the largest number of sweeps, and the gain in nats per token below which training
        stops; by default those of ``topoi train``.
    sampler
        the algorithm, see ``topoi study --list``.
    transform_iter
        sweeps that draw the topics of each document in ``transform``; None computes the
        expected topics instead.
    random_state
        the seed. None is 0, not a random one: the same data give the same model.
    n_jobs
        threads; None and -1 are all cores. It never changes the result.
    round_counts
        what to do with values that are not whole numbers: "warn" rounds them and says so,
        True rounds them, False refuses them. Weights such as TF-IDF are always refused.
    model_dir
        the directory to save the model in; by default a temporary one, which pickles
        along.
    evaluate_every
        sweeps between two evaluations, of which training stops by ``tol``.
    learning_method, max_doc_update_iter
        names of scikit-learn's LDA: ``"batch"``, which every sweep here is, and
        ``transform_iter``.
    learning_decay, learning_offset, batch_size, total_samples, perp_tol, mean_change_tol
        parameters of scikit-learn's LDA that have no meaning here; ``fit`` refuses them.
    options
        other parameters of :func:`train`, such as ``{"min_df": 5, "memory": "4GB"}``.
    verbose
        whether to show a bar; None: where somebody can see it.

    Fitted, it has ``components_`` (n_wk + β, topics × words), ``doc_topic_`` (θ of the
    training documents), ``phi_`` (φ), ``vocabulary_``, ``doc_topic_prior_`` (α),
    ``topic_word_prior_`` (β), ``exp_dirichlet_component_``, ``bound_`` (the perplexity of the
    training documents) and ``model_``, the :class:`Model` with its tables and its page.
    """

    def __init__(
        self,
        n_components: int = 10,
        *,
        doc_topic_prior: Optional[float] = None,
        topic_word_prior: Optional[float] = None,
        learn_priors: bool = True,
        max_iter: Optional[int] = None,
        tol: Optional[float] = None,
        sampler: str = "auto",
        transform_iter: Optional[int] = None,
        random_state: Any = None,
        n_jobs: Optional[int] = None,
        round_counts: Union[bool, str] = "warn",
        model_dir: Optional[PathLike] = None,
        options: Optional[Dict[str, Any]] = None,
        verbose: Progress = False,
        evaluate_every: Optional[int] = None,
        max_doc_update_iter: Optional[int] = None,
        learning_method: Optional[str] = None,
        learning_decay: Optional[float] = None,
        learning_offset: Optional[float] = None,
        batch_size: Optional[int] = None,
        total_samples: Optional[float] = None,
        perp_tol: Optional[float] = None,
        mean_change_tol: Optional[float] = None,
    ) -> None:
        self.n_components = n_components
        self.doc_topic_prior = doc_topic_prior
        self.topic_word_prior = topic_word_prior
        self.learn_priors = learn_priors
        self.max_iter = max_iter
        self.tol = tol
        self.sampler = sampler
        self.transform_iter = transform_iter
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.round_counts = round_counts
        self.model_dir = model_dir
        self.options = options
        self.verbose = verbose
        self.evaluate_every = evaluate_every
        self.max_doc_update_iter = max_doc_update_iter
        self.learning_method = learning_method
        self.learning_decay = learning_decay
        self.learning_offset = learning_offset
        self.batch_size = batch_size
        self.total_samples = total_samples
        self.perp_tol = perp_tol
        self.mean_change_tol = mean_change_tol

    def fit(self, X: Any, y: Any = None) -> "LDA":
        """Train on counts or texts. ``y`` is ignored."""
        self._check_parameters()
        texts = self._is_texts(X)
        names = None
        if texts:
            for name in ("n_features_in_", "feature_names_in_"):
                self.__dict__.pop(name, None)
        else:
            X = self._counts(X, reset=True)
            names = getattr(self, "feature_names_in_", None)
            if names is None:
                names = [f"x{i}" for i in range(X.shape[1])]
        self._seed = self._draw_seed()
        with _run.calling(**_NAMES):
            self.model_: Model = train(
                X,
                self.n_components,
                output=self.model_dir,
                overwrite=self.model_dir is not None,
                vocabulary=names,
                round_counts=self.round_counts,
                seed=self._seed,
                iterations=self.max_iter,
                sampler=self.sampler,
                threads=self._threads(),
                progress=self.verbose,
                **self._priors(),
                **(self.options or {}),
            )
        self._fitted_on_texts = texts
        return self

    def partial_fit(self, X: Any, y: Any = None) -> "LDA":
        """Train on more documents: the first call is ``fit``, each other one updates the model. ``y`` is ignored."""
        if not hasattr(self, "model_"):
            return self.fit(X, y)
        documents = self._documents(X)
        with _run.calling(**_NAMES):
            self.model_ = self.model_.update(
                documents, seed=self._seed, threads=self._threads(), round_counts=self.round_counts
            )
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Return θ of documents, a row for each, a column for each topic."""
        check_is_fitted(self, "model_")
        iterations = (
            self.transform_iter if self.transform_iter is not None else self.max_doc_update_iter
        )
        with _run.calling(**{**_NAMES, "iterations": "transform_iter"}):
            return self.model_.infer(
                self._documents(X),
                iterations=iterations,
                seed=self._seed,
                threads=self._threads(),
                round_counts=self.round_counts,
            )

    def score(self, X: Any, y: Any = None) -> float:
        """Return how well half of each document predicts the other half, in nats per token: higher is better."""
        check_is_fitted(self, "model_")
        return self.model_.score(self._documents(X), round_counts=self.round_counts)

    def perplexity(self, X: Any, sub_sampling: bool = False) -> float:
        """Return exp(-score(X)), the perplexity of the half of each document that is predicted: lower is better.

        It is no bound, and is not comparable with the perplexity of scikit-learn's LDA.
        """
        if sub_sampling:
            raise InputError(
                "sub_sampling is of online learning, which topoi does not do: leave it out"
            )
        return float(np.exp(-self.score(X)))

    @property
    def bound_(self) -> float:
        """The perplexity of the training documents; computed when it is asked for."""
        check_is_fitted(self, "model_")
        return float(np.exp(-self.model_.score(self.model_.path / "corpus.topoi")))

    @property
    def doc_topic_prior_(self) -> np.ndarray:
        """α of every topic, as training has left it."""
        check_is_fitted(self, "model_")
        return np.array(self.model_.alpha)

    @property
    def topic_word_prior_(self) -> float:
        """β, as training has left it."""
        check_is_fitted(self, "model_")
        return self.model_.beta / self.model_.draws

    @property
    def exp_dirichlet_component_(self) -> np.ndarray:
        """exp(E[log φ]) of the Dirichlet distributions whose parameters are ``components_``."""
        components = self.components_.astype(np.float64)
        return np.exp(psi(components) - psi(components.sum(axis=1, keepdims=True)))

    @property
    def components_(self) -> np.ndarray:
        """n_wk + β, topics × words, float32; made when it is asked for."""
        check_is_fitted(self, "model_")
        counts = self.model_.phi.counts.toarray().astype(np.float32)
        counts += np.float32(self.model_.beta)
        return counts / np.float32(self.model_.draws)

    @property
    def phi_(self) -> np.ndarray:
        """φ, topics × words: rows add up to 1."""
        check_is_fitted(self, "model_")
        return np.asarray(self.model_.phi)

    @property
    def doc_topic_(self) -> np.ndarray:
        """θ of the training documents, as training has left them."""
        check_is_fitted(self, "model_")
        return np.asarray(self.model_.theta)

    @property
    def vocabulary_(self) -> np.ndarray:
        """The words behind the columns of ``components_``."""
        check_is_fitted(self, "model_")
        return np.asarray(self.model_.vocabulary, dtype=object)

    @property
    def n_iter_(self) -> int:
        """The sweeps that training took."""
        check_is_fitted(self, "model_")
        return int(self.model_.manifest["iterations"])

    @property
    def n_batch_iter_(self) -> int:
        """The sweeps that training took, under the name of scikit-learn's LDA."""
        return self.n_iter_

    @property
    def _n_features_out(self) -> int:
        return self.model_.n_topics

    def _documents(self, X: Any) -> Any:
        """Return what transform was given, checked."""
        if self._is_texts(X) != self._fitted_on_texts:
            kinds = ("texts", "counts") if self._fitted_on_texts else ("counts", "texts")
            raise ValueError(
                f"the model was fitted on {kinds[0]}, and this is {kinds[1]}: give it {kinds[0]}, too"
            )
        return X if self._fitted_on_texts else self._counts(X, reset=False)

    def _is_texts(self, X: Any) -> bool:
        if isinstance(X, (str, bytes)):
            raise InputError(
                f"X is of type {type(X).__name__}, expected a list of texts or a matrix of counts: [text] is a list of one"
            )
        return is_texts(X)

    def _check_parameters(self) -> None:
        """Refuse parameters of scikit-learn's LDA that have no meaning here."""
        if not isinstance(self.n_components, numbers.Integral) or self.n_components < 1:
            raise InputError(
                f"n_components is {self.n_components!r}, expected the number of topics, a whole number from 1 on"
            )
        if self.learning_method not in (None, "batch"):
            raise InputError(
                f"learning_method={self.learning_method!r} is not there: topoi goes over all documents in every sweep, as 'batch' does; leave it out"
            )
        for name, why in _REFUSED.items():
            if getattr(self, name) is not None:
                raise InputError(f"{name} {why}: leave it out")

    def _counts(self, X: Any, reset: bool) -> Any:
        """Check a matrix of counts the way scikit-learn does, without copying it."""
        how = {"accept_sparse": ("csr", "csc"), "dtype": "numeric", "reset": reset}
        try:
            from sklearn.utils.validation import validate_data
        except ImportError:
            X = self._validate_data(X, **how)
        else:
            X = validate_data(self, X, **how)
        values = X.data if scipy.sparse.issparse(X) else X
        if values.size > 0 and values.min() < 0:
            raise ValueError(
                "Negative values in data passed to LDA: counts are whole numbers from 0 on"
            )
        return X

    def _draw_seed(self) -> int:
        if self.random_state is None:
            return 0
        if isinstance(self.random_state, numbers.Integral):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))

    def _threads(self) -> Optional[int]:
        return None if self.n_jobs in (None, -1) else effective_n_jobs(self.n_jobs)

    def _priors(self) -> Dict[str, Any]:
        flags: Dict[str, Any] = {"beta": self.topic_word_prior, "tolerance": self.tol}
        if self.doc_topic_prior is not None:
            flags["alpha_sum"] = self.doc_topic_prior * self.n_components
        if (
            self.evaluate_every is not None and self.evaluate_every > 0
        ):  # scikit-learn's -1 and 0 are none
            flags["evaluate_every"] = self.evaluate_every
        if not self.learn_priors:
            flags["optimize_interval"] = 0
        return flags

    def _more_tags(self) -> Dict[str, Any]:
        """Tell scikit-learn, up to version 1.5, what the transformer takes."""
        return {
            "requires_positive_X": True,
            "preserves_dtype": [np.float32],
            "X_types": ["2darray", "sparse", "string"],
        }

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn, from version 1.6 on."""
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.transformer_tags.preserves_dtype = ["float32"]
        return tags
