"""Small corpora for tests: texts about known themes, drawn with a fixed seed."""

from __future__ import annotations

import codecs
import pickle
import random
from pathlib import Path
from typing import List, Tuple

THEMES = [
    "cat dog pet fur paw tail whisker kitten puppy leash collar vet".split(),
    "stock bank money loan fund rate credit share market bond price debt".split(),
    "rain wind snow storm cloud sun frost thunder weather hail fog heat".split(),
    "orbit rocket moon planet launch engine space shuttle crew comet star probe".split(),
    "pitcher batter ball game team season league coach player inning score win".split(),
]


def texts(number: int, length: int = 30, seed: int = 0) -> Tuple[List[str], List[int]]:
    """Return texts, most of whose words are of one theme, and the number of this theme."""
    draw = random.Random(seed)
    themes = [draw.randrange(len(THEMES)) for _ in range(number)]
    made = []
    for theme in themes:
        words = draw.choices(THEMES[theme], k=length) + draw.choices(
            draw.choice(THEMES), k=length // 5
        )
        draw.shuffle(words)
        made.append(" ".join(words))
    return made, themes


def newsgroups(home: Path, number: int = 400) -> None:
    """Write posts to where scikit-learn keeps the 20 Newsgroups, in the form it keeps them."""
    from sklearn.utils import Bunch

    names = [f"group.{i:02d}" for i in range(20)]
    parts = {}
    for seed, part in enumerate(("train", "test")):
        bodies, themes = texts(number, seed=seed)
        posts = [
            f"From: someone@example.org\nSubject: post {i}\n\n{body}\n"
            for i, body in enumerate(bodies)
        ]
        groups = [theme * 4 + i % 4 for i, theme in enumerate(themes)]
        parts[part] = Bunch(
            data=posts,
            target=_array(groups),
            target_names=names,
            filenames=_array([f"{part}/{i}" for i in range(number)]),
        )
    home.mkdir(parents=True, exist_ok=True)
    (home / "20news-bydate_py3.pkz").write_bytes(codecs.encode(pickle.dumps(parts), "zlib_codec"))


def _array(values: list) -> "object":
    import numpy

    return numpy.array(values)
