"""Temporary files do not outlive the process, however that ends."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import topoi
from topoi import _scratch

pytest.importorskip("fcntl")

TEXTS = [
    f"{word} {other} sea"
    for word in ("ship", "sail", "wave", "boat")
    for other in ("bread", "butter", "cheese", "wine")
]


def killed(folder, code):
    """Run code that ends by kill -9 and has folder for temporary files."""
    env = dict(os.environ, TMPDIR=str(folder), PYTHONPATH=os.pathsep.join(sys.path))
    end = subprocess.run(
        [
            sys.executable,
            "-c",
            "import os, topoi, topoi._scratch as s\n" + code + "\nos.kill(os.getpid(), 9)",
        ],
        env=env,
    )
    assert end.returncode == -9


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_texts_of_a_killed_process(temporary):
    killed(temporary, "f = s.folder(); open(f.__enter__() + '/texts', 'w').write('secret')")
    assert len(list(temporary.glob("*/texts"))) == 1
    with _scratch.folder() as mine:
        assert [str(p) for p in temporary.iterdir()] == [mine]
        with _scratch.folder():  # which leaves those that are in use
            assert Path(mine).exists()
    assert not list(temporary.iterdir())


def test_models_of_a_killed_process(temporary):
    train = f"model = topoi.train({TEXTS!r}, 2, iterations=2, min_df=1, progress=False)"
    killed(temporary, train)
    killed(temporary, train + "; import pickle; other = pickle.loads(pickle.dumps(model))")
    # The second process has removed the model of the first.
    assert len(list(temporary.glob("*/model/manifest.json"))) == 2
    model = topoi.train(TEXTS, 2, iterations=2, min_df=1, progress=False)
    assert list(temporary.glob("*/model/manifest.json")) == [Path(model.path) / "manifest.json"]
    del model
    assert not list(temporary.iterdir())


@pytest.mark.parametrize(
    "child",
    [
        "sys.exit(0)",  # runs what was registered for the end of the process
        "del model; import gc; gc.collect(); os._exit(0)",
        "topoi.train(texts, 2, iterations=2, min_df=1, progress=False).infer(texts); sys.exit(0)",
    ],
)
def test_a_forked_process_removes_only_what_it_made(temporary, child):
    code = f"""
import os, sys, topoi
texts = {TEXTS!r}
model = topoi.train(texts, 2, iterations=2, min_df=1, progress=False)
before = model.infer(texts)
child = os.fork()
if child == 0:
    {child}
_, status = os.waitpid(child, 0)
assert status == 0, status
assert (model.infer(texts) == before).all()
"""
    env = dict(os.environ, TMPDIR=str(temporary), PYTHONPATH=os.pathsep.join(sys.path))
    subprocess.run([sys.executable, "-c", code], env=env, check=True)
    assert not list(temporary.iterdir())


def test_copy_of_a_killed_process(temporary):
    code = "import shutil; shutil.copytree = lambda *a: os.kill(os.getpid(), 9)\n"
    saved = temporary / "here"
    saved.mkdir()
    model = topoi.train(TEXTS, 2, iterations=2, min_df=1, progress=False)
    killed(temporary, code + f"topoi.load({str(model.path)!r}).save({str(saved / 'kept')!r})")
    assert len(list(saved.iterdir())) == 1
    assert model.save(saved / "kept").n_topics == 2
    assert [p.name for p in saved.iterdir()] == ["kept"]


def test_what_was_named_stays(temporary):
    path = _scratch.make()
    _scratch.leave(path)
    _scratch.remove(_scratch.make())
    assert path.exists()
