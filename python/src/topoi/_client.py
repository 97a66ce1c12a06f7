"""Asks a model that ``topoi serve`` serves."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Union

import numpy as np

from ._errors import InputError, TopoiError

Document = Union[str, Sequence[str], Mapping[str, Any]]

_BATCH = 256  # documents of one request


class Client:
    """A client of a server of topics (docs/serving.md). It needs no model and no program here.

    url
        where the server is, such as ``http://127.0.0.1:8080``.
    model
        the name of the model to ask; by default the server's first one.
    token
        the bearer token, if the server wants one.
    timeout
        seconds to wait for an answer.
    retries
        how often to come back to a server that is busy, after the time it asks for.
    context
        an ``ssl.SSLContext``, for certificates of one's own.
    """

    def __init__(
        self,
        url: str,
        *,
        model: Optional[str] = None,
        token: Optional[str] = None,
        timeout: float = 60,
        retries: int = 5,
        context: Any = None,
    ) -> None:
        if not url.startswith(("http://", "https://")):
            raise InputError(f"the address {url!r} does not begin with http:// or https://")
        self.url = url.rstrip("/")
        self.model, self.timeout, self.retries = model, timeout, retries
        self._token, self._context = token, context

    def infer(self, documents: Iterable[Document], **options: Any) -> np.ndarray:
        """Return θ of documents, float32, a row for each: what ``Model.infer`` gives, to the bit.

        A document is a text, a list of words, or an object with ``text``, ``tokens`` or
        ``counts``. Options are ``iterations``, ``burn_in`` and ``seed``.
        """
        theta = np.zeros((0, self._topics()), np.float32)
        rows = []
        for answer in self.ask(documents, **options):
            row = np.zeros(theta.shape[1], np.float32)
            for share in answer["topics"]:
                row[share["topic"]] = share["theta"]
            rows.append(row)
        return np.stack(rows) if rows else theta

    def ask(self, documents: Iterable[Document], **options: Any) -> Iterator[Dict[str, Any]]:
        """Yield for each document, or for one text, an object with its ``topics`` by falling ``theta``, ``doc_tokens`` and so on.

        Options are also ``top``, ``min_theta`` and ``words=True``, which tells the topic
        of each word. Documents are sent in batches; ``doc`` counts through all of them.
        """
        if isinstance(documents, str):
            documents = [documents]
        if isinstance(documents, Mapping):
            raise InputError("documents is a dict, expected a list: give list(documents.values())")
        first = 0
        for batch in _batches(documents):
            answer = self._post("/v1/infer", {**self._asked(options), "documents": batch})
            for sent, document in zip(batch, answer["documents"]):
                document["doc"] += first
                if not isinstance(sent, Mapping) or sent.get("id") is None:
                    document["id"] = str(document["doc"])
                yield document
            first += len(batch)

    def similar(self, document: Document, count: int = 10, **options: Any) -> List[Dict[str, Any]]:
        """Return the training documents whose shares of topics are nearest to those of a document."""
        answer = self._post(
            "/v1/similar", {**self._asked(options), "count": count, "documents": [_body(document)]}
        )
        return answer["documents"][0]["similar"]

    def topics(self, words: int = 10) -> List[Dict[str, Any]]:
        """Return all topics with their top words."""
        topics: List[Dict[str, Any]] = []
        while True:
            part = self._get(
                "/v1/topics",
                {**self._asked({}), "words": words, "offset": len(topics), "limit": 1000},
            )["topics"]
            topics += part
            if len(part) < 1000:
                return topics

    def models(self) -> List[Dict[str, Any]]:
        """Return names, fingerprints and sizes of the models that are served."""
        return self._get("/v1/models", {})["models"]

    def ready(self) -> bool:
        """Tell whether the server takes requests."""
        try:
            self._send("/readyz", None, 0)
        except TopoiError:
            return False
        return True

    def _topics(self) -> int:
        for model in self.models():
            if self.model in (None, model["name"]):
                return int(model["topics"])
        raise InputError(f"the server has no model {self.model!r}")

    def _asked(self, options: Mapping[str, Any]) -> Dict[str, Any]:
        return {
            name: value
            for name, value in {"model": self.model, **options}.items()
            if value is not None
        }

    def _get(self, path: str, query: Mapping[str, Any]) -> Any:
        return json.loads(
            self._send(
                f"{path}?{urllib.parse.urlencode(query)}" if query else path, None, self.retries
            )
        )

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        return json.loads(self._send(path, json.dumps(body).encode(), self.retries))

    def _send(self, path: str, body: Optional[bytes], retries: int) -> bytes:
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        request = urllib.request.Request(self.url + path, body, headers)
        for left in range(retries, -1, -1):
            try:
                with urllib.request.urlopen(
                    request, timeout=self.timeout, context=self._context
                ) as answer:
                    return answer.read()
            except urllib.error.HTTPError as fault:
                if fault.code not in (429, 503) or left == 0:
                    raise _refused(fault) from None
                time.sleep(_pause(fault))
            except (OSError, urllib.error.URLError) as fault:
                raise TopoiError(
                    f"{self.url} cannot be reached: {getattr(fault, 'reason', fault)}"
                ) from fault
        raise AssertionError("not reached")


def _batches(documents: Iterable[Document]) -> Iterator[List[Any]]:
    batch: List[Any] = []
    for document in documents:
        batch.append(_body(document))
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _body(document: Document) -> Any:
    if document is None or isinstance(document, (str, Mapping)):
        return document
    if isinstance(document, Iterable) and not isinstance(document, (bytes, bytearray)):
        words = list(document)
        if all(isinstance(word, str) for word in words):
            return {"tokens": words}
    raise InputError(
        f"a document is of type {type(document).__name__}, expected a text, a list of words or a dict"
    )


def _pause(fault: urllib.error.HTTPError) -> float:
    """Return how long to wait, as the server asks."""
    try:
        return min(30.0, float(fault.headers.get("Retry-After", "1")))
    except ValueError:
        return 1.0


def _refused(fault: urllib.error.HTTPError) -> TopoiError:
    """Return the server's sentence as an exception."""
    try:
        said = json.loads(fault.read())
        sentence = said["error"] + (f" (document {said['doc']})" if "doc" in said else "")
    except (ValueError, KeyError, TypeError):
        sentence = f"the server answered {fault.code} {fault.reason}"
    return InputError(sentence) if 400 <= fault.code < 500 else TopoiError(sentence)
