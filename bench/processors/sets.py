"""Compares tomotopy's own instruction sets, as the comparison avx2/CORPUS does for topoi.

    sets.py UCI-FILE TOPICS SWEEPS ROUNDS

Trains in turns with AVX-512 and AVX2 (TOMOTOPY_ISA), one worker each, and prints the seconds of a sweep and their ratio.
The file may be packed by gzip or zstd.
"""

import gzip
import os
import statistics
import subprocess
import sys
import time


def documents(path):
    """Returns the words of each document of a file in UCI's format."""
    if path.endswith(".zst"):
        lines = subprocess.Popen(["zstd", "-qdc", path], stdout=subprocess.PIPE, text=True).stdout
    else:
        lines = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
    for _ in range(3):  # documents, words, lines
        next(lines)
    found = {}
    for line in lines:
        document, word, count = line.split()
        found.setdefault(document, []).extend([word] * int(count))
    return found.values()


def sweep(path, topics, sweeps):
    """Trains, and prints the seconds of a sweep."""
    import tomotopy

    model = tomotopy.LDAModel(k=topics, alpha=0.1, eta=0.01, seed=1)
    model.optim_interval = 0
    for words in documents(path):
        model.add_doc(words)
    model.train(1, workers=1)
    begin = time.process_time()
    model.train(sweeps, workers=1)
    print(tomotopy.isa, (time.process_time() - begin) / sweeps)


def main():
    path, topics, sweeps, rounds = sys.argv[1], *map(int, sys.argv[2:5])
    if os.environ.get("SETS_CHILD"):
        return sweep(path, topics, sweeps)
    seconds = {"avx512": [], "avx2": []}
    for _ in range(rounds):
        for isa in seconds:
            environment = dict(os.environ, TOMOTOPY_ISA=isa, SETS_CHILD="1")
            line = subprocess.run(
                [sys.executable, *sys.argv],
                env=environment,
                check=True,
                capture_output=True,
                text=True,
            ).stdout
            used, value = line.split()
            if used != isa:
                sys.exit(f"tomotopy used {used}, not {isa}")
            seconds[isa].append(float(value))
    ratios = [b / a for a, b in zip(seconds["avx512"], seconds["avx2"])]
    wide, narrow = (statistics.median(seconds[isa]) for isa in ("avx512", "avx2"))
    print(
        f"tomotopy, K = {topics}: {wide:.4f} s a sweep with AVX-512, {narrow:.4f} s with AVX2,"
        f" ratio {statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})"
    )


main()
