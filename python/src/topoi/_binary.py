"""Where the program is."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import Iterator

from ._errors import TopoiError

_NAME = "topoi.exe" if os.name == "nt" else "topoi"


def find_binary() -> str:
    """Return the path of the program.

    That is ``TOPOI_BINARY`` if it is set, else the one that came with this package,
    else the first one on ``PATH``.
    """
    asked = os.environ.get("TOPOI_BINARY")
    if asked:
        if not os.access(asked, os.X_OK) or os.path.isdir(asked):
            raise TopoiError(
                f"TOPOI_BINARY is {asked}, which is no program: let it name the file topoi, or unset it"
            )
        return asked
    for place in _places():
        if os.access(place, os.X_OK):
            return str(place)
    found = shutil.which("topoi")
    if found:
        return found
    raise TopoiError(
        "the program topoi is neither beside this package nor on PATH: install the package with pip,"
        " which brings it along, or let TOPOI_BINARY name the file"
    )


def _places() -> Iterator[Path]:
    """Yield where an installer puts scripts of this package, the one that only this package has first."""
    package = Path(__file__).resolve().parent
    yield package.parent / "bin" / _NAME  # pip install --target
    yield Path(sysconfig.get_path("scripts")) / _NAME
    user = f"{os.name}_user"
    if sys.platform == "darwin" and sys._framework:  # type: ignore[attr-defined]
        user = "osx_framework_user"
    if user in sysconfig.get_scheme_names():
        yield Path(sysconfig.get_path("scripts", user)) / _NAME
    for parent in list(package.parents)[:4]:  # pip install --prefix
        yield parent / ("Scripts" if os.name == "nt" else "bin") / _NAME
