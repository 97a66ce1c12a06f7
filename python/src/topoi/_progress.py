"""Shows how far a run is, from its events."""

from __future__ import annotations

import importlib.util
import sys
import warnings
from typing import Any, Optional, Union

from ._run import Event, Listener

Progress = Union[bool, Listener, None]


def listener(progress: Progress) -> Listener:
    """Return what listens to the events of a run.

    ``progress`` is a function that gets every event; True for a bar; False for
    nothing; None for a bar where somebody can see it and tqdm is installed.
    """
    if callable(progress):
        return progress
    tqdm = importlib.util.find_spec("tqdm") is not None
    if progress is None:
        progress = _somebody_looks() and tqdm
    if not progress:
        return lambda event: None
    if tqdm:
        return Bar()
    return Lines()


def _somebody_looks() -> bool:
    return sys.stderr is not None and (sys.stderr.isatty() or _in_notebook())


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    ipython = shell.get_ipython() if shell is not None else None
    return ipython is not None and "IPKernelApp" in getattr(ipython, "config", {})


class Bar:
    """A bar by tqdm."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._phase = ""  # what the bar shows before training begins
        self._training = False

    def __call__(self, event: Event) -> None:
        kind = event.get("event")
        if kind == "start":
            self._training = True
            self._open("training", event["iterations"], event.get("iteration", 0), "sweep")
        elif kind == "phase" and event.get("total") and not self._training:
            if self._phase != event["phase"]:
                self._open(event["phase"], event["total"], 0, "")
                self._phase = event["phase"]
            self._to(event.get("done", 0))
        elif kind == "iteration":
            self._to(event["iteration"])
            if self._bar is not None and "log_likelihood_per_token" in event:
                self._bar.set_postfix_str(scores(event))
        elif kind in ("done", "saved"):
            self._close()

    def _open(self, what: str, total: int, done: int, unit: str) -> None:
        self._close()
        self._bar = _tqdm()(
            desc=what, total=total, initial=done, unit=unit or "it", leave=unit != ""
        )

    def _to(self, done: int) -> None:
        if self._bar is not None:
            self._bar.update(done - self._bar.n)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._bar, self._phase = None, ""


def _tqdm() -> Any:
    """Return the bar of notebooks where it works, else the one of terminals."""
    if _in_notebook() and importlib.util.find_spec("ipywidgets") is not None:
        from tqdm.notebook import tqdm
    else:
        from tqdm import tqdm
    return tqdm


class Lines:
    """A line for every evaluation, where there is no tqdm."""

    def __call__(self, event: Event) -> None:
        if event.get("event") == "iteration" and "log_likelihood_per_token" in event:
            print(f"iteration {event['iteration']}  {scores(event)}", file=sys.stderr)


def scores(event: Event) -> str:
    """Return the scores of an evaluation as people read them."""
    names = {
        "log_likelihood_per_token": "log-likelihood",
        "heldout_per_token": "held-out",
        "heldout_sample_per_token": "held-out sample",
        "sample_per_token": "sample",
    }
    return (
        ", ".join(f"{name} {event[key]:.4f}" for key, name in names.items() if key in event)
        + " nats/token"
    )


class Watch:
    """Listens on behalf of :func:`train`: keeps what the exception and the model need, and passes warnings on."""

    def __init__(self, then: Listener) -> None:
        self.then = then
        self.checkpoint: Optional[str] = None  # the last one that reached the disk
        self.iteration = 0
        self.fingerprint = ""

    def __call__(self, event: Event) -> None:
        kind = event.get("event")
        if kind == "checkpoint":
            self.checkpoint = event["path"]
        elif kind == "iteration":
            self.iteration = event["iteration"]
        elif kind == "saved":
            self.fingerprint = event["fingerprint"]
        for text in event.get("warnings") or ([event["text"]] if kind == "warning" else []):
            warnings.warn(text, UserWarning, stacklevel=5)  # the caller of train
        self.then(event)
