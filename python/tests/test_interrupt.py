"""Ctrl-C ends a run in order; resuming gives the bytes of a run that was never stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

import topoi

# The program waits when a pipe full of events, some hundred sweeps, has not been read: it
# cannot be done before it is interrupted.
OPTIONS = {"iterations": 2000, "tolerance": 0, "seed": 1}


def interrupt_at(iteration):
    """Send this process what Ctrl-C sends, when the run has come so far."""

    def listener(event):
        if event["event"] == "iteration" and event["iteration"] == iteration:
            os.kill(os.getpid(), signal.SIGINT)

    return listener


@pytest.mark.parametrize("named", [True, False])
def test_interrupt_and_resume(texts, tmp_path, named):
    output = tmp_path / "m" if named else None
    with pytest.raises(
        topoi.Interrupted, match=r"interrupted after \d+ iterations.*resume="
    ) as stopped:
        topoi.train(texts, 5, output=output, progress=interrupt_at(3), **OPTIONS)
    assert isinstance(stopped.value, KeyboardInterrupt) and stopped.value.checkpoint.exists()
    assert not (stopped.value.checkpoint.parent / ".lock").exists()  # it outlives this process
    reached = []
    model = topoi.train(
        texts,
        5,
        output=output,
        resume=True if named else stopped.value.checkpoint,
        progress=reached.append,
        **OPTIONS,
    )
    first = next(e for e in reached if e["event"] == "start")["iteration"]
    assert 3 <= first < 2000
    assert model.fingerprint == topoi.train(texts, 5, progress=False, **OPTIONS).fingerprint
    assert not stopped.value.checkpoint.exists()


def test_nothing_runs_on():
    """After a Ctrl-C no process is left."""
    program = (
        "import topoi\n"
        "def listen(event):\n"
        "    if event['event'] == 'iteration':\n"
        "        print(event['iteration'], flush=True)\n"
        "topoi.train(['cat dog bank rain'] * 2000, 50, iterations=100000, tolerance=0, max_df=1, progress=listen)\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    stuck = threading.Timer(60, child.kill)
    stuck.start()
    assert child.stdout.readline()
    started = _children(child.pid)
    assert len(started) == 1
    child.send_signal(signal.SIGINT)
    _, err = child.communicate()
    stuck.cancel()
    assert child.returncode != 0 and "Interrupted" in err and "goes on" in err
    for pid in started:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def _children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as f:
        return [int(p) for p in f.read().split()]
