"""Runs the program: events out, faults as exceptions, Ctrl-C passed on once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from contextlib import contextmanager
from contextvars import ContextVar
from typing import IO, Any, Callable, Dict, Iterator, List, Optional, Sequence

from ._binary import find_binary
from ._errors import InputError, Interrupted, TopoiError

# How messages name parameters: the language, and those that are not called as the flags are.
_speech: ContextVar[str] = ContextVar("speech", default="python,lambda=lambda_")

Event = Dict[str, Any]
Listener = Callable[[Event], None]


def run(args: Sequence[str], listener: Optional[Listener] = None) -> str:
    """Run the program and return what it wrote to standard output.

    With a listener the lines are events, which it is called with as they come. The
    program runs in a session of its own, so a Ctrl-C reaches this process alone, which
    passes it on: the first lets the program end in order, the second at once.
    """
    with tempfile.TemporaryFile() as faults:
        process = _start(args, faults)
        lines: List[str] = []
        raised: Optional[BaseException] = None
        stopped = 0  # how often the program was asked to stop
        while True:
            try:
                _read(process, lines, listener)
                code = process.wait()
                break
            except BaseException as fault:  # Ctrl-C, or a fault of the listener
                stopped += 1
                _interrupt(process, stopped)
                if not isinstance(fault, KeyboardInterrupt):
                    listener = None
                if raised is None or isinstance(raised, KeyboardInterrupt):
                    raised = fault
        faults.seek(0)
        message = _sentences(faults.read().decode("utf-8", "replace"))
    if raised is not None and not isinstance(raised, KeyboardInterrupt):
        raise raised
    if raised is not None or code == 130:
        raise Interrupted(message or "interrupted") from None
    if code != 0:
        raise _fault(code, message)
    return "".join(lines)


@contextmanager
def calling(**names: str) -> Iterator[None]:
    """Let messages call flags by other names, which are those of a caller's parameters."""
    pairs = [f"{flag.replace('_', '-')}={name}" for flag, name in names.items()]
    before = _speech.set(",".join([_speech.get(), *pairs]))
    try:
        yield
    finally:
        _speech.reset(before)


def _start(args: Sequence[str], faults: IO[bytes]) -> "subprocess.Popen[str]":
    apart: Dict[str, Any] = {"start_new_session": True}
    if os.name == "nt":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}  # type: ignore[attr-defined]
    command = [find_binary(), *args]
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=faults,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "TOPOI_SPEAK": _speech.get()},
            **apart,
        )
    except OSError as fault:
        raise TopoiError(f"cannot start {command[0]}: {fault}") from fault


def _read(process: "subprocess.Popen[str]", lines: List[str], listener: Optional[Listener]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        if listener is None:
            lines.append(line)
        else:
            event = _event(line)
            if event is not None:
                listener(event)


def _event(line: str) -> Optional[Event]:
    try:
        return json.loads(line)
    except ValueError:  # what a Ctrl-C in the middle of a line has left of it
        return None


def _interrupt(process: "subprocess.Popen[str]", times: int) -> None:
    if times > 2:
        process.kill()
    elif os.name == "nt":
        process.send_signal(signal.CTRL_BREAK_EVENT)  # type: ignore[attr-defined]
    else:
        process.send_signal(signal.SIGINT)


def _sentences(text: str) -> str:
    """Return the faults among what the program wrote to standard error."""
    prefix = "topoi: "
    faults = [line[len(prefix) :] for line in text.splitlines() if line.startswith(prefix)]
    return "\n".join(faults) or text.strip()[-2000:]


def _fault(code: int, message: str) -> TopoiError:
    if code == 2:
        return InputError(message)
    if code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
        hint = (
            ": most likely the machine ran out of memory, and memory='4GB' makes do with less"
            if name == "SIGKILL"
            else ""
        )
        return TopoiError(f"the program was ended by {name}{hint}")
    return TopoiError(message or f"the program ended with exit code {code}")


def flags(options: Dict[str, Any]) -> List[str]:
    """Return options as flags: ``min_df=5`` is ``--min-df 5``, True a flag alone, None none."""
    args: List[str] = []
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is None:
            continue
        if value is True or value is False:
            args.append(f"{flag}={'true' if value else 'false'}")
        elif isinstance(value, (list, tuple)):
            for one in value:
                args.append(f"{flag}={one}")
        else:
            args.append(f"{flag}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
    return args
