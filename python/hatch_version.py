"""The version of the package: that of a release, which its build names, or a version before the first one."""

import os

__version__ = os.environ.get("TOPOI_WHEEL_VERSION", "0.1.0.dev0").lstrip("v")
