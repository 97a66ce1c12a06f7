"""The client, beside a real server."""

from __future__ import annotations

import re
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import numpy as np
import pytest

import topoi
from topoi import _client


@pytest.fixture(scope="module")
def server(model, tmp_path_factory):
    """Serve two models and yield the address."""
    kept = model.save(tmp_path_factory.mktemp("serve") / "news")
    command = [
        topoi.find_binary(),
        "serve",
        str(kept.path),
        f"other={kept.path}",
        "--listen",
        "127.0.0.1:0",
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        found = re.match(r"listening on (http://\S+?)/;", line)
        if found:
            break
    yield found.group(1)
    process.terminate()
    process.communicate()


def test_infer_is_what_the_model_infers(server, model, monkeypatch):
    monkeypatch.setattr(_client, "_BATCH", 3)
    client = topoi.Client(server)
    texts = [
        "cat dog kitten",
        "bank loan debt",
        "",
        "nothing known",
        "rain and a comet",
        "probe orbit",
        "team game",
    ]
    assert np.array_equal(client.infer(texts), model.infer(texts))
    assert np.array_equal(
        client.infer([t.split() for t in texts], seed=3), model.infer(texts, seed=3)
    )
    assert client.infer([]).shape == (0, 5) and np.array_equal(
        client.infer("cat dog"), model.infer("cat dog")
    )
    answers = list(client.ask([*texts, {"id": "mine", "counts": {"cat": 2}}], top=1, words=True))
    assert (
        [a["doc"] for a in answers] == list(range(8))
        and answers[-1]["id"] == "mine"
        and answers[4]["id"] == "4"
    )
    assert all(len(a["topics"]) == 1 for a in answers) and answers[0]["words"][0]["count"] == 1


def test_everything_else(server, model):
    client = topoi.Client(server + "/", model="other")
    assert client.ready() and [m["name"] for m in client.models()] == ["news", "other"]
    assert client.models()[0]["fingerprint"] == model.fingerprint
    assert [t["topic"] for t in client.topics(words=3)] == [0, 1, 2, 3, 4]
    nearest = client.similar("cat dog kitten puppy", count=2)
    assert len(nearest) == 2 and nearest[0]["similarity"] > 0.8


def test_faults_are_sentences(server):
    client = topoi.Client(server)
    with pytest.raises(topoi.InputError, match=r"^documents is a dict, expected a list"):
        client.infer({"a": "cat"})
    with pytest.raises(topoi.InputError, match="^a document is of type int, expected a text"):
        client.infer(["cat", 3])
    with pytest.raises(
        topoi.InputError, match="^a document is of type list, expected a text, a list of words"
    ):
        client.infer([[(0, 1), (3, 2)]])
    with pytest.raises(topoi.InputError, match="iterations"):
        client.infer(["cat"], iterations=-1)
    with pytest.raises(topoi.InputError, match="no model 'nowhere'"):
        topoi.Client(server, model="nowhere").infer(["cat"])
    with pytest.raises(topoi.InputError, match="document 1"):
        client.infer(["cat", {"text": "a", "tokens": ["b"]}])


def test_no_server():
    client = topoi.Client("http://127.0.0.1:1", timeout=2)
    assert not client.ready()
    with pytest.raises(topoi.TopoiError, match="http://127.0.0.1:1 cannot be reached"):
        client.models()
    with pytest.raises(topoi.InputError, match="does not begin with http"):
        topoi.Client("localhost:8080")


def test_a_busy_server_is_asked_again():
    """What Retry-After, tokens and errors without JSON do, by a server that answers as told."""
    said = [
        (429, {"Retry-After": "0"}, b"{}"),
        (503, {"Retry-After": "0"}, b"{}"),
        (200, {}, b'{"models": []}'),
        (500, {}, b"oops"),
    ]
    seen = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.headers.get("Authorization"))
            code, headers, body = said[len(seen) - 1]
            self.send_response(code)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    httpd = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    try:
        client = topoi.Client(f"http://127.0.0.1:{httpd.server_port}", token="secret")
        assert client.models() == [] and seen == ["Bearer secret"] * 3
        with pytest.raises(topoi.TopoiError, match="the server answered 500"):
            client.models()
    finally:
        httpd.shutdown()
        httpd.server_close()
