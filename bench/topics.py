#!/usr/bin/env python3
"""Times sweeps of warp against the number of topics, on a GPU and on processors.

    bench/topics.py PROGRAM [--tokens MILLIONS,…] [--devices DEVICE,…] [--topics K,…] [--sweeps N]

Corpora are generated, with a million words and 250 tokens a document. A device is "cuda" or "cpu:THREADS". Prints a
line for each corpus, device and K: tokens a second in sweeps after the third, and the seconds of the whole command
and of its parts. With a machine's GPU and processors side by side it also shows from where on a GPU is the faster
device, which --device auto has to know.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time


def generate(program, work, millions):
    """Writes a corpus and returns its path."""
    path = os.path.join(work, f"{millions}.topoi")
    size = ["--docs", str(int(millions * 4000)), "--words", "1000000", "--mean-length", "250"]
    subprocess.run(
        [program, "generate", *size, "--topics", "10000", "--quiet", "-o", path], check=True
    )
    return path


def train(program, corpus, device, topics, sweeps):
    """Trains once and returns (tokens, tokens a second in sweeps, seconds of the command, the last event)."""
    kind, _, threads = device.partition(":")
    command = [program, "train", corpus, "-k", str(topics), "--sampler", "warp", "--device", kind]
    if threads:
        command += ["--threads", threads]
    command += ["--tolerance", "-1", "--optimize-interval", "0", "--holdout", "0"]
    command += ["--iterations", str(sweeps), "--checkpoint-every", "0", "--overwrite", "--json"]
    begun = time.time()
    run = subprocess.run(
        [*command, "-o", corpus + ".model"], check=True, capture_output=True, text=True
    )
    whole = time.time() - begun
    tokens, seconds, done = 0, {}, {}
    for line in run.stdout.splitlines():
        event = json.loads(line)
        if event["event"] == "start":
            tokens = event["tokens"]
        if event["event"] == "iteration":
            seconds[event["iteration"]] = event["seconds"]
        if event["event"] == "done":
            done = event
    rate = tokens * (sweeps - 3) / (seconds[sweeps] - seconds[3])
    return tokens, rate, whole, done


def main():
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("program")
    p.add_argument("--tokens", default="500", help="millions of tokens of each corpus")
    p.add_argument("--devices", default=f"cuda,cpu:{os.cpu_count()},cpu:1")
    p.add_argument("--topics", default="100,1000,10000,100000,1000000")
    p.add_argument("--sweeps", type=int, default=8)
    options = p.parse_args()
    print("tokens device topics tokens/s whole_s start_s score_s model_s", flush=True)
    with tempfile.TemporaryDirectory() as work:
        for millions in options.tokens.split(","):
            corpus = generate(options.program, work, float(millions))
            for device in options.devices.split(","):
                for topics in options.topics.split(","):
                    tokens, rate, whole, done = train(
                        options.program, corpus, device, int(topics), options.sweeps
                    )
                    parts = [done[x + "_seconds"] for x in ("starting", "scoring", "model")]
                    text = " ".join(f"{x:.2f}" for x in [whole, *parts])
                    print(tokens, device, topics, f"{rate:.4g}", text, flush=True)


if __name__ == "__main__":
    main()
