"""From AnnData to θ: the peak of memory beside the size of the corpus file.

    cells.py CORPUS FOLDER [TOPICS [SWEEPS [MEMORY]]]

CORPUS is a generated corpus file of cells and regions. Each way runs in a process of its
own; the resident memory of this process and the program, mapped files included, is added
up every 20 ms. Needs /proc.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path


def resident(pid: int) -> "tuple[int, int]":
    """Return the resident memory of a process and its descendants in bytes: all of it, and without mapped files.

    A process that has just been made is still its parent and does not count.
    """
    try:
        rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
        sizes = {row.split(":")[0]: int(row.split()[1]) * 1024 for row in rows}
        every, anonymous = sizes["Pss"], sizes["Pss_Anon"]
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (OSError, KeyError):
        return 0, 0
    for child in children:
        more = resident(int(child)) if program(int(child)) != program(pid) else (0, 0)
        every, anonymous = every + more[0], anonymous + more[1]
    return every, anonymous


def program(pid: int) -> str:
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


def watched(command: "list[str]") -> "tuple[float, int, int, str]":
    """Run a command; return seconds, peaks of memory and what it wrote."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    peaks = [0, 0]

    def watch() -> None:
        while process.poll() is None:
            for i, now in enumerate(resident(process.pid)):
                peaks[i] = max(peaks[i], now)
            time.sleep(0.02)

    watcher = threading.Thread(target=watch)
    watcher.start()
    out = process.communicate()[0]
    watcher.join()
    if process.returncode != 0:
        raise SystemExit(f"{command} failed")
    return time.perf_counter() - begin, peaks[0], peaks[1], out.strip()


def make(corpus: str, path: str) -> None:
    import anndata

    from matrices import as_csr

    counts, words = as_csr(corpus)
    cells = anndata.AnnData(counts)
    cells.obs_names = [f"cell-{i:06d}" for i in range(counts.shape[0])]
    cells.var_names = [f"chr{1 + i % 22}:{500 * i}-{500 * i + 499}" for i in range(counts.shape[1])]
    cells.write_h5ad(path)
    print(
        f"{counts.shape[0]} cells × {counts.shape[1]} regions, {counts.nnz} entries, {int(counts.sum())} fragments"
    )


def fit(path: str, backed: str, topics: int, sweeps: int, memory: str) -> None:
    import anndata

    import topoi

    cells = anndata.read_h5ad(path, backed="r" if backed == "disk" else None)
    model = topoi.fit_anndata(
        cells, topics, iterations=sweeps, memory=memory or None, progress=False
    )
    assert cells.obsm["X_topoi"].shape == (cells.n_obs, topics)
    print(model.fingerprint, os.path.getsize(model.path / "corpus.topoi"))


def main() -> None:
    if sys.argv[1] == "make":
        return make(*sys.argv[2:])
    if sys.argv[1] == "fit":
        return fit(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]), sys.argv[6])
    corpus, folder, topics, sweeps, memory = (
        sys.argv[1:] + ["50", "10", "300MB"][len(sys.argv) - 3 :]
    )[:5]
    path = f"{folder}/cells.h5ad"
    again = [sys.executable, __file__]
    print(
        watched([*again, "make", corpus, path])[3],
        f"{topics} topics, {sweeps} sweeps, load {os.getloadavg()[0]:.1f}",
    )
    print(
        f"{'AnnData':10}{'memory=':>9}{'seconds':>9}{'peak MB':>9}{'anonymous':>11}{'of corpus file':>16}"
    )
    for backed, budget in (("disk", memory), ("memory", memory)):
        seconds, peak, anonymous, out = watched(
            [*again, "fit", path, backed, topics, sweeps, budget]
        )
        fingerprint, size = out.split()
        print(
            f"{'on ' if backed == 'disk' else 'in '}{backed:7}{budget:>9}{seconds:9.1f}{peak / 1e6:9.0f}{anonymous / 1e6:11.0f}{peak / int(size):14.2f} ×",
            flush=True,
        )
    print(
        f"the corpus file has {int(size) / 1e6:.0f} MB (goal: below 2.5 of it); fingerprint {fingerprint}"
    )


main()
