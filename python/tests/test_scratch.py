"""Texts on their way to the program do not outlive the process, however that ends."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from topoi import _scratch

pytest.importorskip("fcntl")


def test_killed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code = "import os, topoi._scratch as s\nwith s.folder() as f:\n    open(f + '/texts', 'w').write('secret')\n    os.kill(os.getpid(), 9)\n"
    env = dict(os.environ, TMPDIR=str(tmp_path), PYTHONPATH=os.pathsep.join(sys.path))
    assert subprocess.run([sys.executable, "-c", code], env=env).returncode == -9
    assert len(list(tmp_path.glob("*/texts"))) == 1
    with _scratch.folder() as mine:
        assert [str(p) for p in tmp_path.iterdir()] == [mine]
        with _scratch.folder():  # which leaves those that are in use
            assert Path(mine).exists()
    assert not list(tmp_path.iterdir())
