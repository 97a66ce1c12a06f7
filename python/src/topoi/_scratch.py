"""Temporary directories, which do not outlive this process, however it ends."""

import contextlib
import glob
import os
import shutil
import tempfile
from pathlib import Path
from typing import IO, Dict, Iterator, NamedTuple, Optional

try:
    import fcntl
except ImportError:  # Windows: what a killed process leaves stays there
    fcntl = None  # type: ignore[assignment]

_LOCK = ".lock"


class _Owner(NamedTuple):
    """Who made a directory. A process that was forked has all of this too, but owns none of it."""

    process: int
    lock: Optional[IO[str]]


_held: Dict[Path, _Owner] = {}


@contextlib.contextmanager
def folder() -> Iterator[str]:
    """Make a directory for texts on their way to the program."""
    path = make("topoi-texts-")
    try:
        yield str(path)
    finally:
        remove(path)


def make(prefix: str = "topoi-model-", beside: Optional[Path] = None) -> Path:
    """Make a directory, beside others or among temporary files, and remove those of processes that were killed."""
    _sweep(prefix if beside else "topoi-", beside or Path(tempfile.gettempdir()))
    path = Path(tempfile.mkdtemp(prefix=prefix, dir=beside))
    _held[path] = _Owner(os.getpid(), _lock(path))
    return path


def remove(path: Path) -> None:
    """Remove a directory that make() returned. In a process that was forked since then, do nothing."""
    owner = _held.get(path)
    if owner is not None and owner.process != os.getpid():
        return
    shutil.rmtree(path, ignore_errors=True)
    _unlock(path)


def leave(path: Path) -> None:
    """Let a directory outlive this process: somebody was told its name."""
    with contextlib.suppress(OSError):
        os.remove(path / _LOCK)
    _unlock(path)


def _lock(path: Path) -> Optional[IO[str]]:
    if fcntl is None:
        return None
    early = path / (_LOCK + "-early")
    lock = open(early, "w")
    with contextlib.suppress(OSError):  # a file system without locks
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.rename(early, path / _LOCK)  # locked before others can find it
    return lock


def _unlock(path: Path) -> None:
    owner = _held.pop(path, None)
    if owner is not None and owner.lock is not None:
        owner.lock.close()


def _sweep(prefix: str, within: Path) -> None:
    """Remove directories whose owner is gone: the system gives its lock back."""
    if fcntl is None:
        return
    for path in within.glob(f"{glob.escape(prefix)}*/{_LOCK}"):
        with contextlib.suppress(OSError), open(path) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(path.parent, ignore_errors=True)
