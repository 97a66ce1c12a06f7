#!/usr/bin/env python3
"""Compares two builds of topoi as workers of a cluster, or two stores, in turns, on one machine.

    bench/pairs.py OLD NEW [CASE...]
    bench/pairs.py --stores PROGRAM [CASE...]

The second form compares a Redis (old) with the program's own store (new). OLD and NEW are programs. Every case is trained PAIRS times (default 7) by each of them. Processor time is that of all
workers and of the store. Prints the median of the ratios new/old of the pairs, with their range. It needs redis-server.
Programs before the flag --layout take --rows, --parts and --slices; this is found out from their help.
"""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

# name: (documents, words, topics, workers, slices, rows, sweeps, options)
CASES = {
    "warp-1": (20000, 20000, 200, 2, 4, "whole", 40, "--sampler warp --staleness 1"),
    "warp-0": (20000, 20000, 200, 2, 4, "whole", 40, "--sampler warp"),
    "apart-1": (
        10000,
        100000,
        100000,
        2,
        8,
        "apart",
        12,
        "--sampler warp --staleness 1 --start-topics 8 --optimize-interval 0 --holdout 0.0005",
    ),
    "batch-4": (20000, 20000, 100, 4, 4, "whole", 12, "--sampler batch --staleness 1"),
    "batch-8": (20000, 20000, 100, 8, 8, "whole", 12, "--sampler batch --staleness 1"),
}


def spent(pid):
    """Returns the processor time that a process has taken, in seconds."""
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def train(program, kind, corpus, case, work):
    """Trains once with a kind of store, and returns what it took."""
    _, _, topics, workers, slices, rows, sweeps, options = case
    socket = os.path.join(work, "store")
    command = ["redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--dir", work]
    if kind == "inner":
        command = [program, "cluster", "store", "--store", "unix://" + socket, "--log", "none"]
    store = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while not os.path.exists(socket):
        time.sleep(0.05)
    env = dict(os.environ, TOPOI_STORE="unix://" + socket)
    run = lambda *words: (
        subprocess.run(
            [program, *words], env=env, check=True, capture_output=True, text=True
        ).stdout
    )
    layout = ["--layout", f"rows={rows},parts={workers},slices={slices}"]
    if "--rows where" in run("cluster", "submit", "--help"):
        layout = ["--rows", rows, "--parts", str(workers), "--slices", str(slices)]
    run(
        "cluster",
        "submit",
        corpus,
        "-k",
        str(topics),
        "--job",
        "j",
        "--workers",
        str(workers),
        "--iterations",
        str(sweeps),
        "--tolerance",
        "0",
        "--evaluate-every",
        str(sweeps),
        "--quiet",
        *options.split(),
        *layout,
    )
    begin = time.time()
    command = [
        program,
        "cluster",
        "work",
        "--job",
        "j",
        "--device",
        "cpu",
        "--threads",
        "1",
        "--log",
        "none",
    ]
    processes = [subprocess.Popen(command, env=env) for _ in range(workers)]
    cpu = 0
    for p in processes:
        _, status, usage = os.wait4(p.pid, 0)
        if status != 0:
            sys.exit(f"a worker of {program} failed")
        cpu += usage.ru_utime + usage.ru_stime
    wall = time.time() - begin
    result = {"processors": cpu + spent(store.pid), "clock": wall}
    with open(f"/proc/{store.pid}/status") as f:
        peak = re.search(r"VmHWM:\s+(\d+)", f.read()).group(1)
    result["processors of the store"] = spent(store.pid)
    result["megabytes of the store"] = int(peak) / 1000
    if kind == "redis" and "--stores" not in sys.argv:
        info = subprocess.run(
            ["redis-cli", "-s", socket, "info", "stats"], capture_output=True, text=True
        ).stdout
        number = lambda name: int(re.search(name + r":(\d+)", info).group(1))
        result["bytes to the store"] = number("total_net_input_bytes")
        result["bytes from it"] = number("total_net_output_bytes")
        result["commands"] = number("total_commands_processed")
    run("cluster", "result", "--job", "j", "-o", os.path.join(work, "model"), "--quiet")
    store.terminate()
    store.wait()
    return result, run("fingerprint", os.path.join(work, "model")).split()[0]


def main():
    if sys.argv[1] == "--stores":
        new, old = (sys.argv[2], "inner"), (sys.argv[2], "redis")
    else:
        old, new = ((program, "redis") for program in sys.argv[1:3])
    for name in sys.argv[3:] or CASES:
        case = CASES[name]
        work = tempfile.mkdtemp()
        corpus = os.path.join(work, "corpus.topoi")
        subprocess.run(
            [
                new[0],
                "generate",
                "--docs",
                str(case[0]),
                "--words",
                str(case[1]),
                "--quiet",
                "-o",
                corpus,
            ],
            check=True,
        )
        results, models = {old: [], new: []}, set()
        for i in range(int(os.environ.get("PAIRS", "7"))):
            for program in (old, new) if i % 2 == 0 else (new, old):
                place = tempfile.mkdtemp(dir=work)
                result, model = train(*program, corpus, case, place)
                shutil.rmtree(place)
                results[program].append(result)
                models.add(model)
        print(
            f"{name}: {case[3]} workers, {'the same model' if len(models) == 1 else 'DIFFERENT MODELS'}"
        )
        for what in results[old][0]:
            ratios = [b[what] / a[what] for a, b in zip(results[old], results[new])]
            median = statistics.median(r[what] for r in results[old])
            print(
                f"  {what}: {statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f}) of {median:,.1f}"
            )
        shutil.rmtree(work)


main()
