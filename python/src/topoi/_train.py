"""Training."""

from __future__ import annotations

import json
import numbers
import os
from pathlib import Path
from typing import Any, Dict, Mapping, Optional, Sequence, Union

from . import _run, _scratch
from ._documents import Facts, Names, naming, prepare, word_file
from ._errors import InputError, Interrupted
from ._model import Model, PathLike
from ._progress import Progress, Watch, listener


def train(
    documents: Any,
    topics: Optional[int] = None,
    *,
    output: Optional[PathLike] = None,
    ids: Names = None,
    labels: Names = None,
    times: Names = None,
    titles: Names = None,
    metadata: Any = None,
    vocabulary: Any = None,
    round_counts: Union[bool, str] = False,
    seeds: Union[None, PathLike, Mapping[str, Sequence[str]]] = None,
    seed: Optional[int] = None,
    iterations: Optional[int] = None,
    sampler: Optional[str] = None,
    holdout: Optional[float] = None,
    threads: Optional[int] = None,
    memory: Optional[str] = None,
    resume: Union[bool, PathLike] = False,
    overwrite: bool = False,
    progress: Progress = None,
    **options: Any,
) -> Model:
    """Train a model of so many topics and return it.

    topics
        the number of topics. ``prior="hdp"`` finds one, at most this many (1,000 by default), and
        ``prior="labels"`` has a topic for every label: leave it out there.
    documents
        a path (``str`` or ``pathlib.Path``) of anything that ``topoi import`` reads, or a
        list of paths; an iterable of texts or of lists of words, or a dict of them by id;
        bags of words of gensim, with their Dictionary as vocabulary; a matrix of counts
        with a row for each document (SciPy, NumPy, a table of pandas or polars, AnnData);
        or a table with a column of texts. Anything else is refused.
    output
        the directory to save the model in. Without it the model lies in a temporary
        one, which is removed with the last reference to it; ``Model.save`` keeps it.
    ids, labels, times, titles
        what is known of each document beside its text. An index of pandas that tells more
        than the order, and the keys of a dict, are ids.
    metadata
        further columns for groups and effects: a table of pandas or polars with a row for
        each document, or a dict of lists; for documents in files a table that names them
        in a column such as id or file, or its file. An AnnData brings its ``obs``, and a
        table of texts its other columns.
    vocabulary
        the words behind the columns of a matrix or the ids of bags of words: a list, a
        dict of either direction, a gensim Dictionary or a fitted CountVectorizer.
    seeds
        words of topics that you know: a dict such as ``{"space": ["orbit", "moon*"]}``, or
        the path of a file of seeds. These topics come first and have their names as labels.
    round_counts
        True rounds counts that are not whole, "warn" says so, False refuses them.
    resume
        goes on with a run that was interrupted: True with its output, or the checkpoint
        that :class:`Interrupted` names.
    progress
        a function of the events (docs/cli.md), True, False, or None for a bar where
        somebody can see it and tqdm is installed.

    All other options are flags of ``topoi study``, which has those of ``topoi train`` and the
    switches of the samplers: ``min_df=5`` is ``--min-df 5``. The model depends on documents,
    options and seed alone, and is the one that the command line makes of them, byte for byte.
    """
    if topics is None:
        if options.get("prior") not in ("hdp", "labels"):
            raise InputError("the number of topics is missing: topics=20")
    elif not isinstance(topics, numbers.Real) or isinstance(topics, bool) or topics != topics // 1:
        raise InputError(f"topics is {topics!r}, expected the number of topics, a whole number")
    else:
        options["topics"] = int(topics)
    options.update(
        seed=seed,
        iterations=iterations,
        sampler=sampler,
        holdout=holdout,
        threads=threads,
        memory=memory,
    )
    _settle(options, output, resume, overwrite)
    kept = _scratch.make() if output is None else None
    target = Path(output) if output is not None else Path(str(kept)) / "model"
    watch = Watch(listener(progress))
    with _scratch.folder() as folder:
        try:
            inputs = prepare(
                documents,
                Path(folder),
                Facts(ids, labels, times, titles, metadata),
                vocabulary,
                round_counts,
            )
            options["seeds"] = _seed_file(seeds, Path(folder))
            options["stopwords"] = word_file(options.get("stopwords"), Path(folder))
            args = [
                "study",
                *inputs.paths,
                *inputs.flags,
                f"--output={target}",
                "--json",
                *_run.flags(options),
            ]
            with naming(Path(folder)):
                _run.run(args, watch)
        except KeyboardInterrupt as interrupt:
            raise _explain(interrupt, target, options, watch, kept) from None
        except BaseException:
            _discard(kept)
            raise
    model = Model(target, temporary=kept)
    if watch.fingerprint:
        model.__dict__["fingerprint"] = watch.fingerprint
    return model


def _seed_file(seeds: Any, folder: Path) -> Any:
    """Write seed words to a file."""
    if seeds is None or isinstance(seeds, (str, os.PathLike)):
        return seeds
    if not isinstance(seeds, Mapping) or any(isinstance(words, str) for words in seeds.values()):
        raise InputError(
            'seeds must be a dict of lists of words by name, such as {"space": ["orbit", "moon"]}, or the path of a file'
        )
    path = folder / "seeds.yaml"
    with open(path, "w", encoding="utf-8") as f:
        json.dump(
            {str(name): [str(w) for w in words] for name, words in seeds.items()}, f
        )  # which is YAML
    return path


def _settle(
    options: Dict[str, Any],
    output: Optional[PathLike],
    resume: Union[bool, PathLike],
    overwrite: bool,
) -> None:
    """Turn resume and overwrite into flags."""
    if resume is True and output is None:
        raise InputError(
            "resume=True needs the output of the interrupted run; without one, give the checkpoint that Interrupted names: resume=e.checkpoint"
        )
    if resume:
        options["resume"] = True
        if not isinstance(resume, bool):
            if not os.path.exists(resume):
                raise InputError(f"there is no checkpoint {os.fspath(resume)} to go on from")
            options["checkpoint"] = os.fspath(resume)
    if overwrite:
        options["overwrite"] = True


def _explain(
    interrupt: KeyboardInterrupt,
    target: Path,
    options: Dict[str, Any],
    watch: Watch,
    kept: Optional[Path],
) -> KeyboardInterrupt:
    """Say what an interrupted run has left."""
    if target.exists() and watch.fingerprint:
        _leave(kept)
        return Interrupted(f"interrupted when the run had just ended: its model is {target}")
    checkpoint = Path(options.get("checkpoint") or f"{target}.checkpoint")
    if not checkpoint.exists():
        _discard(kept)
        return Interrupted("interrupted before the first iteration was done: nothing is kept")
    _leave(kept)
    how = (
        "resume=True"
        if kept is None and "checkpoint" not in options
        else f"resume={str(checkpoint)!r}"
    )
    return Interrupted(
        f"interrupted after {watch.iteration} iterations; train() with the same documents and options and {how} goes on",
        checkpoint,
    )


def _discard(kept: Optional[Path]) -> None:
    if kept is not None:
        _scratch.remove(kept)


def _leave(kept: Optional[Path]) -> None:
    if kept is not None:
        _scratch.leave(kept)
