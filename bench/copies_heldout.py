#!/usr/bin/env python3
"""Compares held-out scores of reviews without copies with those of the same reviews with 15 % exact and 20 % near ones.

Near copies are reviews of which one word in ten was replaced. The reviews are those of $DATA/amazon (default
../shared/data), without their own copies, and with words alone that 20 or more of them and at most a fifth have, so that
all runs have the same vocabulary and their scores can be compared.

    go build -o topoi ./cmd/topoi && bench/copies_heldout.py ./topoi | tee bench/results/copies-heldout.txt
"""

import collections
import csv
import gzip
import json
import os
import random
import re
import subprocess
import sys
import tempfile

topoi = os.path.abspath(sys.argv[1])
random.seed(2)
with gzip.open(
    f"{os.environ.get('DATA', '../shared/data')}/amazon/amazon10k.csv.gz", "rt", encoding="utf-8"
) as f:
    texts = sorted({row["text"] for row in csv.DictReader(f) if len(row["text"].split()) >= 20})
random.shuffle(texts)
texts = texts[:5000]
rows = [re.findall("[a-z]{3,}", text.lower()) for text in texts]
docs = collections.Counter(word for row in rows for word in set(row))
common = {word for word, n in docs.items() if 20 <= n <= len(rows) / 5}
texts = sorted({" ".join(word for word in row if word in common) for row in rows})
texts = [text for text in texts if len(text.split()) >= 12]
random.shuffle(texts)
pool = [word for text in texts for word in text.split()]
copies = random.sample(texts, len(texts) * 15 // 100)
for text in random.sample(texts, len(texts) * 20 // 100):
    words = text.split()
    for place in random.sample(range(len(words)), len(words) // 10):
        words[place] = random.choice(pool)
    copies.append(" ".join(words))
with_copies = texts + copies
random.shuffle(with_copies)

print(f"{'reviews':24} {'--duplicates':>12} {'documents':>9} {'held out, nats per token':>25}")
for name, documents, duplicates in (
    ("without copies", texts, "group"),
    ("with copies", with_copies, "keep"),
    ("with copies", with_copies, "group"),
    ("with copies", with_copies, "drop"),
):
    with tempfile.TemporaryDirectory() as folder:
        path, model = os.path.join(folder, "texts.jsonl"), os.path.join(folder, "model")
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(json.dumps({"text": text}) + "\n" for text in documents)
        scores = []
        for seed in ("1", "2"):
            command = [
                topoi,
                "train",
                path,
                "-k",
                "20",
                "--seed",
                seed,
                "--holdout",
                "0.1",
                "-o",
                model,
                "--overwrite",
            ]
            command += [
                "--quiet",
                "--max-df",
                "1",
                "--min-df",
                "1",
                "--language",
                "none",
                "--duplicates",
                duplicates,
            ]
            subprocess.run(command, check=True)
            with open(os.path.join(model, "manifest.json"), encoding="utf-8") as f:
                history = json.load(f)["history"]
            scores.append([h for h in history if "heldout_per_token" in h][-1]["heldout_per_token"])
        mean = sum(scores) / len(scores)
        print(f"{name:24} {duplicates:>12} {len(documents):9} {mean:25.3f}", flush=True)
