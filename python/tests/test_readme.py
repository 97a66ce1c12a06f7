"""What README.md and the notebook tell a newcomer works, word for word.

scikit-learn finds the 20 Newsgroups where it keeps them: here some posts of ours lie
there, so nothing is downloaded.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import corpora
import pytest

import topoi

HOME = Path(__file__).parent.parent
pytest.importorskip("sklearn")


@pytest.fixture
def posts(tmp_path, monkeypatch):
    corpora.newsgroups(tmp_path / "data")
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("page", ["README.md", "../docs/python.md"])
def test_pages(posts, page):
    """Every block of Python runs, one after the other; the last expression of each can be shown."""
    text = (HOME / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    assert len(blocks) > 3
    names: dict = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
        last = block.strip().splitlines()[-1].split("  #")[0]
        if re.match(r"[\w.]+[\[(.].*", last) and "=" not in last.split("(")[0]:
            assert repr(eval(last, names))
    if page == "README.md":
        model = names["model"]
        assert isinstance(model, topoi.Model) and model.n_topics == 20 and model.n_docs == 400
        assert "<iframe srcdoc=" in model.explore()._repr_html_()


def test_notebook(posts, tmp_path):
    pytest.importorskip("nbconvert")
    pytest.importorskip("ipykernel")
    notebook = HOME / "notebooks" / "newsgroups.ipynb"
    assert not any(cell.get("outputs") for cell in json.loads(notebook.read_text())["cells"]), (
        "commit it without outputs"
    )
    command = [
        sys.executable,
        "-m",
        "nbconvert",
        "--to=notebook",
        "--execute",
        f"--output-dir={tmp_path}",
        str(notebook),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    cells = json.loads((tmp_path / "newsgroups.ipynb").read_text())["cells"]
    html = [
        "".join(o["data"]["text/html"])
        for c in cells
        for o in c.get("outputs", [])
        if "text/html" in o.get("data", {})
    ]
    assert any("<table" in h for h in html) and any(h.startswith("<iframe srcdoc=") for h in html)
