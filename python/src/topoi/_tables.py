"""Tables for people, by pandas where it is installed."""

from __future__ import annotations

import csv
import io
from typing import Any, Dict, Iterator, List

Topics = List[Dict[str, Any]]


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as fault:
        raise ImportError(
            "tables need pandas: pip install pandas; model.topic_list() has the same without it"
        ) from fault
    return pandas


def topics(topics: Topics) -> Any:
    """Return a row for every topic."""
    rows = []
    for t in topics:
        row = {
            name: t[name]
            for name in ("topic", "topic_label", "share", "alpha", "tokens")
            if name in t
        }
        row["words"] = " ".join(w["term"] for w in t["words"])
        row.update({name: t[name] for name in ("npmi", "umass") if name in t})
        rows.append(row)
    order = [
        name
        for name in ("topic", "topic_label", "share", "alpha", "tokens", "words", "npmi", "umass")
        if any(name in row for row in rows)
    ]
    return _pandas().DataFrame(rows, columns=order).set_index("topic")


def top_words(topics: Topics) -> Any:
    """Return a row for every topic and word."""
    rows = [
        (t["topic"], rank, w["term"], w["count"], w["phi"])
        for t in topics
        for rank, w in enumerate(t["words"])
    ]
    return _pandas().DataFrame(rows, columns=["topic", "rank", "term", "count", "phi"])


def top_docs(topics: Topics) -> Any:
    """Return a row for every topic and document."""
    rows = [
        {"topic": t["topic"], "rank": rank, **doc}
        for t in topics
        for rank, doc in enumerate(t.get("docs", []))
    ]
    known = ["topic", "rank", "doc", "id", "theta", "tokens", "label", "time", "title", "snippet"]
    return _pandas().DataFrame(rows, columns=[c for c in known if any(c in row for row in rows)])


def effects(table: str) -> Any:
    """Return a row for every topic and term."""
    return _pandas().read_csv(
        io.StringIO(table),
        dtype={"topic_label": str, "term": str, "base": str},
        keep_default_na=False,
        na_values={
            c: [""]
            for c in (
                "estimate",
                "std_error",
                "low",
                "high",
                "p_value",
                "p_holm",
                "p_bh",
                "df",
                "base",
                "topic_label",
            )
        },
    )


def csv_rows(table: str) -> Iterator[List[str]]:
    """Return the records of a CSV table without its header."""
    rows = csv.reader(io.StringIO(table))
    next(rows)
    return rows
