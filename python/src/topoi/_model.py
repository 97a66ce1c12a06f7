"""A model: its arrays as memory maps, and what the program tells of it."""

from __future__ import annotations

import io
import json
import os
import shutil
import tarfile
import weakref
from functools import cached_property
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Tuple, Union

import numpy as np

from . import _columns, _run, _scratch, _tables
from ._bags import in_a_list
from ._corpusfile import CorpusFile, cut
from ._documents import Facts, Names, is_texts, naming, prepare
from ._errors import InputError
from ._page import Page
from ._shares import Phi, Theta

PathLike = Union[str, "os.PathLike[str]"]

_TYPES = {"f64": "<f8", "u64": "<u8", "u32": "<u4", "u16": "<u2", "bytes": "u1"}
_VERSIONS = (1, 2, 3)


def load(path: PathLike) -> "Model":
    """Open a model directory, whoever trained it: Python, R or the command line.

    Only its description is read; arrays are mapped into memory as they are used.
    """
    return Model(path)


class Model:
    """A trained topic model of K topics over V words and D training documents.

    Topics, words and documents are numbered from 0, as in every output of the program.
    """

    def __init__(self, path: PathLike, temporary: Optional[Path] = None) -> None:
        """Open the model at path. The directory temporary is removed once nobody uses the model."""
        self.path = Path(path).absolute()
        self._temporary = temporary
        if temporary is not None:
            self._remove = weakref.finalize(self, _scratch.remove, temporary)
        try:
            self.manifest: Dict[str, Any] = json.loads(
                (self.path / "manifest.json").read_text(encoding="utf-8")
            )
        except (OSError, ValueError) as fault:
            raise InputError(f"{path} is no model of topoi: {fault}") from fault
        if self.manifest.get("format") != "topoi model":
            raise InputError(f"{path} is no model of topoi: its manifest.json does not say so")
        if self.manifest["format_version"] not in _VERSIONS:
            raise InputError(
                f"{path} is of version {self.manifest['format_version']} of the model format, this package reads 1 to 3: update it"
            )

    # The numbers of the model.

    @property
    def n_topics(self) -> int:
        """K."""
        return int(self.manifest["topics"])

    @property
    def n_words(self) -> int:
        """V."""
        return int(self.manifest["words"])

    @property
    def n_docs(self) -> int:
        """The number of documents trained on, which are the rows of ``theta``."""
        return int(self.manifest["docs"])

    @property
    def beta(self) -> float:
        """β, summed over ``draws`` as all counts of words are."""
        return float(self.manifest["beta"])

    @property
    def draws(self) -> int:
        """The number of states over which counts and β are summed, see ``topoi train --draws``."""
        return int(self.manifest.get("draws", 1))

    @cached_property
    def arrays(self) -> Dict[str, np.ndarray]:
        """The arrays of the model directory by the stem of their file, as memory maps, with no copy:
        ``alpha``, ``topic_totals``, ``row_ends``, ``rows`` (pairs of topic and count), ``topics`` (z) and so on."""
        maps: Dict[str, np.ndarray] = {}
        for entry in self.manifest["arrays"]:
            path, kind = self.path / entry["file"], np.dtype(_TYPES[entry["type"]])
            if path.stat().st_size != entry["length"] * kind.itemsize:
                raise InputError(
                    f"{path} has {path.stat().st_size} bytes, expected {entry['length'] * kind.itemsize}: the model is damaged, copy it again"
                )
            name = entry["file"].rsplit(".", 1)[0]
            maps[name] = np.memmap(path, kind, "r") if entry["length"] > 0 else np.empty(0, kind)
        maps["rows"] = maps["rows"].reshape(-1, 2)
        return maps

    @property
    def alpha(self) -> np.ndarray:
        """α_k, float64 [K]."""
        return self.arrays["alpha"]

    @cached_property
    def vocabulary(self) -> List[str]:
        """The words; word w of all arrays is ``vocabulary[w]``."""
        return cut(self.arrays["words"], self.arrays["word_ends"])

    @cached_property
    def phi(self) -> Phi:
        """φ, topics × words: computed row by row when looked at, ``.counts`` is n_wk, summed over ``draws``, as a sparse matrix."""
        a = self.arrays
        return Phi(a["rows"], a["row_ends"], a["topic_totals"], self.beta)

    @cached_property
    def theta(self) -> Theta:
        """θ, training documents × topics: computed row by row when looked at, ``.counts`` is n_dk as a sparse matrix."""
        return Theta(self.arrays["topics"], self._ends, self.alpha)

    @cached_property
    def corpus(self) -> CorpusFile:
        """The documents that the model was made from, the held-out ones included."""
        return CorpusFile(self.path / "corpus.topoi")

    @cached_property
    def docs(self) -> np.ndarray:
        """The number in the corpus of every training document, that is of every row of ``theta``."""
        if self.n_docs == self.corpus.docs:
            return np.arange(self.n_docs)
        table = _run.run(
            ["export", str(self.path), "--format=csv-doc-topics", "--top=1", "-o", "-", "--quiet"]
        )
        return np.array([int(row[0]) for row in _tables.csv_rows(table)], dtype=np.int64)

    @property
    def ids(self) -> List[str]:
        """The ids of the training documents; where the input had none, their numbers."""
        ids = self.corpus.strings("ids")
        return [ids[d] if ids is not None and ids[d] else str(d) for d in self.docs]

    def documents(self, theta: bool = False) -> Any:
        """Return a table (pandas) of the training documents, a row for each row of ``theta``.

        Its index is the number of the document in the corpus. It has the id, every
        column that the documents were imported with (numbers as float64, dates as datetime64,
        categories as Categorical, lists as lists) and the length in tokens; with theta also
        the share of every topic, in the columns ``topic_0``, ``topic_1`` and so on.
        """
        table = _columns.frame(self.corpus, self.docs)
        if theta:
            shares = table.__class__(
                np.asarray(self.theta),
                index=table.index,
                columns=[f"topic_{k}" for k in range(self.n_topics)],
            )
            table = table.join(shares)
        return table

    @cached_property
    def _ends(self) -> np.ndarray:
        """Where the topics of each training document end, and 0 before them."""
        if self.n_docs == self.corpus.docs:
            return self.corpus.offsets
        lengths = np.diff(self.corpus.offsets.astype(np.int64))[self.docs]
        return np.concatenate([[0], np.cumsum(lengths)])

    @cached_property
    def fingerprint(self) -> str:
        """The hash of what the model has learned: equal for equal corpus, options and seed, wherever it was trained."""
        return _run.run(["info", "--fingerprint", str(self.path)]).split()[0]

    # What the program tells.

    def topics(
        self,
        words: int = 10,
        order: str = "probability",
        coherence: bool = False,
        sort: str = "share",
        where: Optional[str] = None,
    ) -> Any:
        """Return a table of the topics (pandas), by falling share of the tokens.

        Its index is the number of the topic; its columns are ``topic_label`` (where
        topics have names), ``share``, ``alpha``, ``tokens``, ``words`` and, if asked
        for, the coherence of each topic: ``npmi`` and ``umass``. ``order`` of the words
        is ``probability``, ``relevance``, ``frex`` or ``lift``. ``where="party = SPD"`` counts
        the documents that satisfy a condition on their columns only.
        """
        return _tables.topics(
            self.topic_list(
                words=words, order=order, coherence=coherence or None, sort=sort, where=where
            )
        )

    def top_words(self, words: int = 10, order: str = "probability") -> Any:
        """Return a table (pandas) of topic, rank, term, count and phi."""
        return _tables.top_words(self.topic_list(words=words, order=order, sort="id"))

    def top_docs(self, docs: int = 3) -> Any:
        """Return a table (pandas) of the documents with the largest share of each topic."""
        return _tables.top_docs(self.topic_list(words=1, docs=docs, sort="id"))

    def topic_list(self, **options: Any) -> List[Dict[str, Any]]:
        """Return what ``topoi topics --json`` writes, for those without pandas. Options are its flags, ``lambda_`` for ``--lambda``."""
        return json.loads(_run.run(["topics", str(self.path), "--json", *_run.flags(options)]))

    def effects(
        self,
        formula: str,
        *,
        base: Optional[Mapping[str, str]] = None,
        where: Optional[str] = None,
        **options: Any,
    ) -> Any:
        """Return a table (pandas) of how the shares of topics depend on columns of the documents.

        The formula is written as in R: ``"~ party + s(date)"``. Columns of the table are
        topic, topic_label, term, estimate, std_error, low, high, p_value, p_holm, p_bh, df, base
        and n; a row for each topic and term. ``base={"party": "SPD"}`` names the value that others are compared with,
        ``where="date >= 2017"`` the documents. Other options are flags of ``topoi
        effects``: ``cluster``, ``interval``, ``draws``, ``seed``, ``topics``.
        """
        options.update(
            base=[f"{column}={value}" for column, value in (base or {}).items()] or None,
            where=where,
        )
        return _tables.effects(
            _run.run(
                [
                    "effects",
                    str(self.path),
                    formula,
                    "--format=csv",
                    "--quiet",
                    *_run.flags(options),
                ]
            )
        )

    def join(self, metadata: Any, **options: Any) -> "Model":
        """Add columns to the documents of the model, whose fingerprint stays, and return it.

        metadata is a table of pandas with the ids of documents in its column ``id`` or its
        index, or the name of a file; options are flags of ``topoi join``: ``on``, ``columns``.
        """
        with _scratch.folder() as folder:
            flags = _columns.write(metadata, None, None, Path(folder))
            if not flags:
                raise InputError("metadata has no columns")
            _run.run(
                ["join", str(self.path), flags[0].split("=", 1)[1], "--quiet", *_run.flags(options)]
            )
        for name in ("corpus", "docs"):
            self.__dict__.pop(name, None)
        return self

    def coherence(self, documents: Any = None, words: int = 10) -> Dict[str, float]:
        """Return how well the top words of topics belong together, the mean over topics, and the topics' diversity.

        On the training documents these are ``npmi`` and ``umass``; in windows of texts
        that are given, ``c_v``, ``npmi`` and ``uci``. ``topics(coherence=True)`` has the
        figure of every topic.
        """
        args = ["eval", str(self.path), "--json", f"--words={words}"]
        if documents is None:
            measures = json.loads(_run.run(args))
        else:
            measures = json.loads(self._with(documents, [*args, "--estimator=coherence"]))
        return {m["measure"].split()[0].lower(): m["value"] for m in measures}

    def score(
        self, documents: Any, round_counts: Union[bool, str] = False, **options: Any
    ) -> float:
        """Return how well the model predicts documents: completion, in nats per token; higher is better."""
        args = ["eval", str(self.path), "--json", "--estimator=completion", *_run.flags(options)]
        return float(json.loads(self._with(documents, args, round_counts=round_counts))[0]["value"])

    def infer(
        self,
        documents: Any,
        *,
        iterations: Optional[int] = None,
        seed: Optional[int] = None,
        threads: Optional[int] = None,
        out: Optional[PathLike] = None,
        vocabulary: Names = None,
        round_counts: Union[bool, str] = False,
        **options: Any,
    ) -> np.ndarray:
        """Return θ of new documents, float32, a row for each.

        Documents are whatever :func:`train` takes; a ``str`` is one text, unless it names
        a file that exists. Texts are cut into words as the training texts were. A matrix of counts has the model's words as columns, or
        ``vocabulary`` names them. The row of a document depends on the model and its
        words alone. With ``iterations`` topics are drawn, and depend on the ``seed`` too. ``out`` names a ``.npy`` file to write; then a memory map
        of it is returned. Other options are the flags of ``topoi infer``.
        """
        options.update(iterations=iterations, seed=seed, threads=threads)
        with _scratch.folder() as folder:
            target = Path(out) if out is not None else Path(folder) / "theta.npy"
            args = [
                "infer",
                str(self.path),
                "--as=npy",
                "--quiet",
                "-o",
                str(target),
                *_run.flags(options),
            ]
            self._with(documents, args, vocabulary, round_counts)
            return np.load(target, mmap_mode="r" if out is not None else None)

    def _with(
        self,
        documents: Any,
        args: List[str],
        vocabulary: Names = None,
        round_counts: Union[bool, str] = False,
    ) -> str:
        """Run a command of the program on documents."""
        with _scratch.folder() as folder:
            documents = in_a_list(documents, vocabulary)
            if (
                isinstance(documents, (list, tuple))
                and not is_texts(documents)
                and not isinstance(documents[0], os.PathLike)
            ):
                documents = np.asarray(documents)  # counts in lists
            shape = getattr(documents, "shape", None)
            if (
                vocabulary is None
                and shape is not None
                and len(shape) == 2
                and not hasattr(documents, "columns")
                and not hasattr(documents, "var_names")
            ):
                if shape[1] != self.n_words:
                    raise InputError(
                        f"the matrix has {shape[1]} columns, but the model has {self.n_words} words: name the columns with vocabulary"
                    )
                vocabulary = self.vocabulary
            inputs = prepare(
                documents, Path(folder), Facts(), vocabulary, round_counts, one_text=True
            )
            with naming(Path(folder)):
                return _run.run([args[0], args[1], *inputs.paths, *args[2:], *inputs.flags])

    def explore(self, height: int = 700, **options: Any) -> Page:
        """Return a page to look into the model, which a notebook shows in place.

        Options are the flags of ``topoi explore``: ``name``, ``docs``, ``interval``.
        """
        with _scratch.folder() as folder:
            path = Path(folder) / "page.html"
            if self._temporary is not None:
                options.setdefault("name", "topics")
            _run.run(["explore", str(self.path), "-o", str(path), "--quiet", *_run.flags(options)])
            return Page(path.read_text(encoding="utf-8"), height)

    def label(self, names: Mapping[int, Optional[str]]) -> None:
        """Name topics: ``model.label({3: "energy"})``. Every table and page shows the names; None takes one away."""
        changes = [f"{k}={name}" if name else f"--remove={k}" for k, name in names.items()]
        _run.run(["name", str(self.path), "--quiet", *changes])

    # Models from it.

    def update(
        self,
        documents: Any,
        *,
        output: Optional[PathLike] = None,
        round_counts: Union[bool, str] = False,
        **options: Any,
    ) -> "Model":
        """Return a model with new documents whose topics are those of this one, with their numbers and names.

        Documents are as for :func:`train`, texts or words. Options are flags of ``topoi
        update``: ``weight`` (what a token of this model counts), ``keep`` ("none", "all" or a number of old
        documents), ``new_topics``, ``min_new``, ``iterations``, ``seed``.
        """
        return self._made(
            output,
            lambda target: self._with(
                documents,
                ["update", str(self.path), f"--output={target}", "--quiet", *_run.flags(options)],
                None,
                round_counts,
            ),
        )

    def edit(
        self,
        *,
        merge: Iterable[Iterable[int]] = (),
        drop: Iterable[int] = (),
        split: Optional[Mapping[int, int]] = None,
        move: Iterable[Tuple[str, int, int]] = (),
        output: Optional[PathLike] = None,
        **options: Any,
    ) -> "Model":
        """Return a model with changed topics: ``model.edit(merge=[(3, 17)], drop=[4], split={9: 2}, move=[("tax", 3, 7)])``.

        Topics that stay keep their numbers and names. Options are ``sweeps``, ``renumber`` and ``seed``.
        """
        args = ["--merge=" + ",".join(str(k) for k in topics) for topics in merge]
        args += [f"--drop={k}" for k in drop]
        args += [f"--split={k}={n}" for k, n in (split or {}).items()]
        args += [f"--move={word}:{a}:{b}" for word, a, b in move]
        return self._made(
            output,
            lambda target: _run.run(
                [
                    "edit",
                    str(self.path),
                    f"--output={target}",
                    "--quiet",
                    *args,
                    *_run.flags(options),
                ]
            ),
        )

    def merge(self, *topics: int, **options: Any) -> "Model":
        """Return a model in which the first topic has taken the others."""
        return self.edit(merge=[topics], **options)

    def _made(self, output: Optional[PathLike], make: Callable[[Path], Any]) -> "Model":
        """Let the program make a model, at output or in a temporary directory."""
        kept = _scratch.make() if output is None else None
        target = Path(output) if output is not None else Path(str(kept)) / "model"
        try:
            make(target)
        except BaseException:
            if kept is not None:
                _scratch.remove(kept)
            raise
        return Model(target, temporary=kept)

    # Keeping it.

    def save(self, path: PathLike, overwrite: bool = False) -> "Model":
        """Copy the model directory to path and return the model there."""
        target = Path(path)
        if target.exists():
            if not overwrite:
                raise InputError(f"{target} already exists: choose another name, or overwrite=True")
            if not (target / "manifest.json").exists():
                raise InputError(f"{target} is no model, and is not replaced: choose another name")
        beside = _scratch.make(f".{target.name}-", target.absolute().parent)
        try:
            shutil.copytree(self.path, beside / "model")
            if target.exists():
                os.replace(target, beside / "before")
            os.replace(beside / "model", target)
        finally:
            _scratch.remove(beside)
        return Model(target)

    def __repr__(self) -> str:
        m = self.manifest
        return f"<Model: {m['topics']} topics, {m['words']} words, {m['docs']} documents, {m['iterations']} iterations, {self.path}>"

    def __reduce__(self) -> Any:
        # A model in a directory of the user's is its path; a temporary one travels whole.
        if self._temporary is None:
            return load, (str(self.path),)
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w") as archive:
            archive.add(self.path, arcname="model")
        return _unpack, (packed.getvalue(),)


def _unpack(packed: bytes) -> Model:
    folder = _scratch.make()
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive.getmembers():
            name = Path(member.name)
            if member.isfile() and name.parts[0] == "model" and len(name.parts) == 2:
                (folder / "model").mkdir(exist_ok=True)
                source = archive.extractfile(member)
                assert source is not None
                with source, open(folder / name, "wb") as target:
                    shutil.copyfileobj(source, target)
    return Model(folder / "model", temporary=folder)
