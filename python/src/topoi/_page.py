"""The explore page of a model, inline in a notebook."""

from __future__ import annotations

import html
import os
import tempfile
import webbrowser
from pathlib import Path
from typing import Union


class Page:
    """A page to look into a model: one HTML document without any request to a network.

    A notebook shows it in place. ``save`` writes it to a file, ``open`` shows it in the
    browser.
    """

    def __init__(self, document: str, height: int = 700) -> None:
        self.html = document
        self.height = height

    def _repr_html_(self) -> str:
        # The page is a document of its own: in the frame it can run its scripts and
        # offer labels.json for download, but not reach the notebook around it. Its links
        # lead to places within it, and without a base they would lead to the notebook's.
        framed = self.html.replace("<head>", '<head><base href="about:srcdoc">', 1)
        return (
            f'<iframe srcdoc="{html.escape(framed)}" sandbox="allow-scripts allow-downloads"'
            f' style="width: 100%; height: {self.height}px; border: 0" title="topics"></iframe>'
        )

    def save(self, path: Union[str, "os.PathLike[str]"]) -> Path:
        """Write the page to a file."""
        target = Path(path)
        target.write_text(self.html, encoding="utf-8")
        return target

    def open(self) -> Path:
        """Show the page in the browser, from a temporary file, whose path is returned."""
        handle, name = tempfile.mkstemp(prefix="topoi-", suffix=".html")
        os.close(handle)
        path = self.save(name)
        webbrowser.open(path.as_uri())
        return path

    def __repr__(self) -> str:
        return f"<Page of {len(self.html)} characters: a notebook shows it, .save('topics.html') keeps it, .open() opens a browser>"
