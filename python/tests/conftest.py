from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Callable

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import corpora  # noqa: E402

import topoi  # noqa: E402


@pytest.fixture(scope="session")
def texts() -> "list[str]":
    return corpora.texts(150)[0]


@pytest.fixture(scope="session")
def model(texts: "list[str]") -> topoi.Model:
    return topoi.train(
        texts,
        5,
        iterations=60,
        labels=[f"label {i % 3}" for i in range(len(texts))],
        progress=False,
    )


@pytest.fixture
def command() -> Callable[..., str]:
    """Run the program as a shell would."""

    def run(*args: object) -> str:
        return subprocess.run(
            [topoi.find_binary(), *map(str, args)], check=True, capture_output=True, text=True
        ).stdout

    return run
