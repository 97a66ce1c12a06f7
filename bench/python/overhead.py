"""What Python adds to the command line: processor time, seconds and memory of one training.

    overhead.py CORPUS [SWEEPS [ROUNDS]]

The command line trains on the .npz file of the corpus, Python on the matrix in memory, in
turns; the model must be the same. On a machine that others use the two differ by chance
more than by anything else, so what Python itself spends is measured, too: its processor
time, and the seconds in which the program does not run. Needs /proc.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import scipy.sparse

import topoi
from matrices import as_csr
from topoi import _train

TOPICS = 100
in_program = 0.0  # seconds in which the program has run for Python


def timed(run):
    """Return run with its seconds added up."""

    def wrapper(*args):
        global in_program
        begin = time.perf_counter()
        try:
            return run(*args)
        finally:
            in_program += time.perf_counter() - begin

    return wrapper


def spent() -> "tuple[float, float]":
    """Return the processor seconds of this process and of its children."""
    own, children = (
        resource.getrusage(resource.RUSAGE_SELF),
        resource.getrusage(resource.RUSAGE_CHILDREN),
    )
    return own.ru_utime + own.ru_stime, children.ru_utime + children.ru_stime


def memory(field: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    raise KeyError(field)


def measure(call):
    """Return what the call returns, seconds, own and children's processor seconds, and by how much the peak of memory rose."""
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    before, (own, children), begin = memory("VmRSS"), spent(), time.perf_counter()
    result = call()
    seconds, (own2, children2) = time.perf_counter() - begin, spent()
    return result, seconds, own2 - own, children2 - children, memory("VmHWM") - before


def main() -> None:
    global in_program
    _train._run.run = timed(_train._run.run)
    sweeps = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    counts, words = as_csr(sys.argv[1], "int32")
    tokens, docs = int(counts.sum()), counts.shape[0]
    print(
        f"{docs} documents, {counts.shape[1]} words, {tokens} tokens, {TOPICS} topics, {sweeps} sweeps, load {os.getloadavg()[0]:.1f}"
    )
    with tempfile.TemporaryDirectory() as folder:
        saved = f"{folder}/corpus.npz"
        scipy.sparse.save_npz(saved, counts, compressed=False)
        Path(saved + ".vocab").write_text("\n".join(words) + "\n", encoding="utf-8")
        how = ["--iterations", str(sweeps), "--tolerance", "0", "--quiet", "-k", str(TOPICS)]
        print(f"{'':14}{'seconds':>9}{'CPU s':>9}{'of Python':>11}{'peak of Python rises by':>25}")
        sums = {"command line": np.zeros(2), "Python": np.zeros(2)}
        own_seconds = own_cpu = 0.0
        for number in range(rounds):
            in_program = 0.0
            command = [topoi.find_binary(), "train", saved, *how, "-o", f"{folder}/m{number}"]
            rows = {
                "command line": measure(
                    lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
                )
            }
            rows["Python"] = measure(
                lambda: topoi.train(
                    counts, TOPICS, vocabulary=words, iterations=sweeps, tolerance=0, progress=False
                )
            )
            own_seconds += rows["Python"][1] - in_program
            own_cpu += rows["Python"][2]
            assert rows["Python"][0].fingerprint == topoi.load(f"{folder}/m{number}").fingerprint
            for name, (_, seconds, own, children, rose) in rows.items():
                sums[name] += [seconds, own + children]
                print(
                    f"{name:14}{seconds:9.2f}{own + children:9.2f}{own:11.2f}{rose / 2**20:21.1f} MiB"
                )
        ratio = sums["Python"] / sums["command line"]
        print(
            f"Python against the command line: {100 * (ratio[1] - 1):+.1f} % of processor time, {100 * (ratio[0] - 1):+.1f} % of seconds"
        )
        part = 100 * own_cpu / sums["Python"][1], 100 * own_seconds / sums["Python"][0]
        print(
            f"spent in Python itself: {part[0]:.2f} % of processor time, {part[1]:.2f} % of seconds (goal: below 3 %)"
        )
        model = rows["Python"][0]
        _, seconds, own, _, rose = measure(lambda: np.asarray(model.theta))
        print(
            f"then theta, {docs} × {TOPICS}: {seconds:.2f} s, peak rises by {rose / 2**20:.1f} MiB, of which the matrix is {docs * TOPICS * 4 / 2**20:.1f}"
        )
        print(f"a copy of all tokens would be {tokens * 4 / 2**20:.1f} MiB")


main()
