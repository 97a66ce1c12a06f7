"""Writes gensim_coherence.json: texts, topics and what gensim measures on them.

No word stands twice in a text longer than a window: gensim forgets a word when
its first occurrence leaves the window, even if another is still inside.
"""

import json
import os
import random

from gensim.corpora import Dictionary
from gensim.models.coherencemodel import CoherenceModel

rng = random.Random(5)
WORDS = [f"w{i}" for i in range(160)]
texts = []
for _ in range(12):
    themes = rng.sample(range(16), 16)  # words of a theme stand near each other
    words = [w for t in themes for w in WORDS[10 * t : 10 * t + 10]]
    places = [i + rng.gauss(0, 12) for i in range(len(words))]
    words = [w for _, w in sorted(zip(places, words))]
    texts.append(words[: rng.randint(115, 160)])
for _ in range(40):
    t = rng.randrange(16)
    texts.append(
        [rng.choice(WORDS[10 * t : 10 * t + 10] + WORDS[:20]) for _ in range(rng.randint(1, 9))]
    )
topics = [WORDS[0:6], WORDS[10:16], WORDS[8:14], WORDS[3:150:24], WORDS[40:50]]

dictionary = Dictionary(texts)
measures = {
    name: CoherenceModel(
        topics=topics, texts=texts, dictionary=dictionary, coherence=name, topn=10, processes=1
    ).get_coherence_per_topic()
    for name in ("c_v", "c_uci", "c_npmi")
}
number = {w: i for i, w in enumerate(WORDS)}
with open(
    os.path.join(os.path.dirname(os.path.abspath(__file__)), "gensim_coherence.json"), "w"
) as f:
    rows = ",\n".join(json.dumps([number[w] for w in text]) for text in texts)
    values = {name: [float(v) for v in values] for name, values in measures.items()}
    f.write(
        '{"topics": %s,\n"measures": %s,\n"texts": [\n%s\n]}\n'
        % (json.dumps([[number[w] for w in t] for t in topics]), json.dumps(values), rows)
    )
