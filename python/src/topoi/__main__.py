"""``python -m topoi`` is the program ``topoi``."""

from __future__ import annotations

import os
import subprocess
import sys

from ._binary import find_binary
from ._errors import TopoiError


def main() -> int:
    try:
        program = find_binary()
    except TopoiError as fault:
        print(f"topoi: {fault}", file=sys.stderr)
        return 2
    if os.name == "nt":
        return subprocess.call([program, *sys.argv[1:]])
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
