"""What can go wrong. The sentences are those of the program."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

__all__ = ["InputError", "Interrupted", "TopoiError"]


class TopoiError(RuntimeError):
    """The program failed, or cannot be found."""


class InputError(TopoiError, ValueError):
    """An option, an input or an output is wrong; the message says which and what to do."""


class Interrupted(KeyboardInterrupt):
    """A run was ended by Ctrl-C.

    ``checkpoint`` is the file that keeps the run, or None where nothing is kept:
    ``train(..., resume=checkpoint)`` with the same documents and options goes on
    with it, and ends with the model of a run that was never stopped.
    """

    def __init__(self, message: str, checkpoint: Optional[Path] = None) -> None:
        super().__init__(message)
        self.checkpoint = checkpoint
