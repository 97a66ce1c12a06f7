#!/usr/bin/env python3
"""Measures how many copies an import finds, in real texts into which copies were put.

Texts are reduced to words of letters and no stop words are dropped, so that the import has the words that are counted
here. Every corpus of $DATA (default ../shared/data) first loses the copies that it has itself. Then it gets 5 % exact copies
and 5 % near copies, which share 60 to 65 % of the sequences of three words of the longer text: random words are replaced
by words of other documents. Prints how many of them `--duplicates drop` leaves out, and how many other documents.

    go build -o topoi ./cmd/topoi && bench/copies.py ./topoi | tee bench/results/copies.txt
"""

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
data = os.environ.get("DATA", "../shared/data")
random.seed(1)


def table(path, column, delimiter="\t"):
    """Yields a column of a table as texts."""
    if path.endswith(".zst"):
        raw = subprocess.run(["zstd", "-dcq", path], capture_output=True, check=True).stdout
    elif path.endswith(".gz"):
        raw = gzip.open(path).read()
    else:
        raw = open(path, "rb").read()
    lines = raw.decode("utf-8", "replace").splitlines()
    if delimiter == "\t":
        yield from (line.split("\t")[column] for line in lines)
    else:
        yield from (row[column] for row in list(csv.reader(lines))[1:])


def shingles(words):
    return {tuple(words[i : i + 3]) for i in range(len(words) - 2)}


def near(words, pool):
    """Returns words with some replaced, so that 60 to 65 % of the shingles are shared."""
    own, changed, last = shingles(words), list(words), None
    for place in random.sample(range(len(words)), len(words)):
        changed[place] = random.choice(pool)
        other = shingles(changed)
        share = len(own & other) / max(len(own), len(other))
        if share < 0.6:
            return last
        last = list(changed) if share <= 0.65 else None
    return None


def copies(texts, folder):
    """Returns the numbers of the texts that an import takes for copies."""
    path = os.path.join(folder, "texts.jsonl")
    with open(path, "w", encoding="utf-8") as f:
        for i, text in enumerate(texts):
            f.write(json.dumps({"id": f"t{i}", "text": text}, ensure_ascii=False) + "\n")
    reading = [path, "--language", "none"]
    out = os.path.join(folder, "corpus.topoi")
    command = [
        topoi,
        "import",
        *reading,
        "-o",
        out,
        "--overwrite",
        "--quiet",
        "--duplicates",
        "drop",
    ]
    subprocess.run(command, check=True)
    table = os.path.join(folder, "ids.txt")
    command = [
        topoi,
        "train",
        out,
        "-k",
        "2",
        "--iterations",
        "1",
        "--draws",
        "1",
        "--quiet",
        "--overwrite",
    ]
    subprocess.run([*command, "-o", os.path.join(folder, "model")], check=True, capture_output=True)
    command = [
        topoi,
        "export",
        os.path.join(folder, "model"),
        "--format",
        "csv-doc-topics",
        "--top",
        "1",
        "--quiet",
    ]
    subprocess.run([*command, "--overwrite", "-o", table], check=True)
    kept = {row["id"] for row in csv.DictReader(open(table, encoding="utf-8"))}
    return [i for i in range(len(texts)) if f"t{i}" not in kept]


corpora = {
    "20news": list(table(f"{data}/20news/20news.tsv.zst", 2)),
    "amazon10k": list(table(f"{data}/amazon/amazon10k.csv.gz", 5, ",")),
    "elife600": list(table(f"{data}/elife/papers600.tsv.zst", 2)),
    "bbc": list(table(f"{data}/bbc/corpus.tsv", 0)),
    "gadarian": list(table(f"{data}/gadarian/gadarian.csv", 3, ",")),
}
print(f"{'corpus':10} {'documents':>9} {'own copies':>10} {'exact':>13} {'near':>13} {'others':>6}")
for name, texts in corpora.items():
    with tempfile.TemporaryDirectory() as folder:
        texts = [" ".join(re.findall("[a-z]{2,60}", text.lower())) for text in texts]
        own = copies(texts, folder)
        out = set(own)
        clean = [text for i, text in enumerate(texts) if i not in out and len(text.split()) >= 20]
        pool = [word for text in clean for word in text.split()[:200]]
        picked = random.sample(range(len(clean)), len(clean) // 10)
        half = len(picked) // 2
        exact = [clean[i] for i in picked[:half]]
        almost = [near(clean[i].split()[:3000], pool) for i in picked[half:]]
        whole = list(clean)
        for i, other in zip(picked[half:], almost):
            if other and len(clean[i].split()) > 3000:
                whole[i] = " ".join(clean[i].split()[:3000])
        almost = [" ".join(words) for words in almost if words]
        dropped = copies(whole + exact + almost, folder)
        n, m = len(whole), len(whole) + len(exact)
        got = [
            sum(i < n for i in dropped),
            sum(n <= i < m for i in dropped),
            sum(i >= m for i in dropped),
        ]
        rates = [f"{g} of {k}" for g, k in ((got[1], len(exact)), (got[2], len(almost)))]
        print(
            f"{name:10} {len(texts):9} {len(own):10} {rates[0]:>13} {rates[1]:>13} {got[0]:6}",
            flush=True,
        )
