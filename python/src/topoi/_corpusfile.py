"""Reads corpus files (docs/formats.md, "The corpus file") through memory maps."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Dict, List, Optional, Tuple

import numpy as np

from ._errors import InputError

_MAGIC = b"\x89topoi\x1a\n"


class CorpusFile:
    """A corpus: D documents over V words, N tokens in all.

    ``offsets`` (uint64 [D + 1]) and ``tokens`` (uint32 [N]) are memory maps: document d
    is ``tokens[offsets[d]:offsets[d + 1]]``.
    """

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        with open(self.path, "rb") as f:
            head = f.read(64)
            if len(head) < 64 or head[:8] != _MAGIC:
                raise InputError(f"{path} is no corpus file of topoi")
            major, _, sections = struct.unpack_from("<HHI", head, 8)
            if major != 1:
                raise InputError(
                    f"{path} is of version {major} of the corpus format, this package reads 1: update it"
                )
            self.docs, self.words, self.num_tokens = struct.unpack_from("<QQQ", head, 16)
            self._sections: Dict[str, Tuple[int, int]] = {}
            for _ in range(sections):
                entry = f.read(64)
                name = entry[:16].rstrip(b"\0").decode("ascii")
                offset, size = struct.unpack_from("<QQ", entry, 16)
                self._sections[name] = (offset, size)
        # One map of the whole file, so that it can be read even when its name is gone.
        self._file = np.memmap(self.path, np.uint8, "r")
        self.offsets = self._map("offsets", "<u8")
        self.tokens = self._map("tokens", "<u4")

    def _map(self, section: str, dtype: str) -> np.ndarray:
        offset, size = self._sections[section]
        return self._file[offset : offset + size].view(np.dtype(dtype))

    def columns(self) -> List[Dict[str, str]]:
        """Return name, kind and, for labels and times, role of every column."""
        if "columns" not in self._sections:
            return []
        columns: List[Dict[str, str]] = json.loads(self._map("columns", "u1").tobytes())
        return columns

    def strings(self, name: str) -> Optional[List[str]]:
        """Return a list of strings: words, ids, labels, times, titles or snippets; None where there is none."""
        if name + ".ends" not in self._sections:
            return None
        return cut(self._map(name + ".bytes", "u1"), self._map(name + ".ends", "<u8"))


def cut(text: np.ndarray, ends: np.ndarray) -> List[str]:
    """Return the strings that lie one after the other in text."""
    whole = text.tobytes()
    begin, strings = 0, []
    for end in ends.tolist():
        strings.append(whole[begin:end].decode("utf-8", "replace"))
        begin = end
    return strings
