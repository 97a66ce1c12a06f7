"""The version of the package: that of a release, which its build names, or a version before the first one."""

import os
from pathlib import Path

_file = Path(__file__).parent.parent / "cmd" / "topoi" / "VERSION"
_source = _file.read_text().strip() if _file.exists() else "0.1.0"
__version__ = os.environ.get("TOPOI_WHEEL_VERSION", _source + ".dev0").lstrip("v")
