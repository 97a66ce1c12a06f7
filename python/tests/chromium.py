"""Opens a page in Chromium and asks its frames, by the browser's debugging protocol."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Dict, List

PROGRAM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)


class Browser:
    """A headless browser with one page."""

    def __init__(self, profile: Path) -> None:
        flags = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--remote-debugging-port=0",
            f"--user-data-dir={profile}",
            "about:blank",
        ]
        self.process = subprocess.Popen([PROGRAM, *flags], stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            found = re.search(r"DevTools listening on (ws://\S+)", line)
            if found:
                self.address = found.group(1)
                break

    def close(self) -> None:
        self.process.kill()
        self.process.wait()

    async def connect(self) -> None:
        from tornado.websocket import websocket_connect

        self.socket = await websocket_connect(self.address)
        self.number = 0
        self.answers: Dict[int, Any] = {}
        self.frames: List[str] = []  # sessions of the frames
        self.faults: List[Any] = []
        target = (await self.call("Target.createTarget", url="about:blank"))["targetId"]
        self.page = (await self.call("Target.attachToTarget", targetId=target, flatten=True))[
            "sessionId"
        ]
        await self.call(
            "Target.setAutoAttach",
            self.page,
            autoAttach=True,
            waitForDebuggerOnStart=False,
            flatten=True,
        )

    async def call(self, method: str, session: str = "", **params: Any) -> Any:
        self.number += 1
        mine = self.number
        message = {
            "id": mine,
            "method": method,
            "params": params,
            **({"sessionId": session} if session else {}),
        }
        await self.socket.write_message(json.dumps(message))
        while mine not in self.answers:
            self.take(json.loads(await self.socket.read_message()))
        return self.answers.pop(mine)

    def take(self, message: Dict[str, Any]) -> None:
        if "id" in message:
            self.answers[message["id"]] = message.get("result", message)
        elif message["method"] == "Target.attachedToTarget":
            if message["params"]["targetInfo"]["type"] == "iframe":
                self.frames.append(message["params"]["sessionId"])
        elif message["method"] in ("Runtime.exceptionThrown", "Log.entryAdded"):
            self.faults.append(message["params"])

    async def evaluate(self, expression: str, session: str) -> Any:
        return (await self.call("Runtime.evaluate", session, expression=expression))["result"].get(
            "value"
        )

    async def wait_for(self, expression: str, session: str, seconds: float = 30) -> None:
        for _ in range(int(seconds * 20)):
            if await self.evaluate(expression, session):
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"never true: {expression}")
