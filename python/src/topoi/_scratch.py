"""Directories for texts on their way to the program, which do not outlive this process."""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import Iterator

try:
    import fcntl
except ImportError:  # Windows: what a killed process leaves stays there
    fcntl = None  # type: ignore[assignment]

_PREFIX, _LOCK = "topoi-texts-", ".lock"


@contextlib.contextmanager
def folder() -> Iterator[str]:
    """Make a temporary directory, and remove those of processes that were killed."""
    _sweep()
    with tempfile.TemporaryDirectory(prefix=_PREFIX) as name:
        if fcntl is None:
            yield name
            return
        early = os.path.join(name, _LOCK + "-early")
        with open(early, "w") as lock:
            with contextlib.suppress(OSError):  # a file system without locks
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.rename(early, os.path.join(name, _LOCK))  # locked before others can find it
            yield name


def _sweep() -> None:
    """Remove directories whose owner is gone: the system gives its lock back."""
    if fcntl is None:
        return
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*/{_LOCK}"):
        with contextlib.suppress(OSError), open(path) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(path.parent, ignore_errors=True)
