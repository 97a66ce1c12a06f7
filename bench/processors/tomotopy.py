"""Trains tomotopy on a corpus in UCI's format for some sweeps, for bench/processors.sh to count the instructions."""

import gzip
import sys

import tomotopy

path, sweeps = sys.argv[1], int(sys.argv[2])
documents = {}
with gzip.open(path, "rt") as lines:
    for _ in range(3):  # documents, words, lines
        next(lines)
    for line in lines:
        document, word, count = line.split()
        documents.setdefault(document, []).extend([word] * int(count))
model = tomotopy.LDAModel(k=100, alpha=0.05, eta=0.01, seed=1)
model.optim_interval = 0
for words in documents.values():
    model.add_doc(words)
model.train(0)
model.train(sweeps, workers=1)
print("tomotopy", tomotopy.__version__, tomotopy.isa, model.ll_per_word, file=sys.stderr)
