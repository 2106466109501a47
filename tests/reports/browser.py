"""A real browser, driven over the pipe of its DevTools protocol: one for all tests of a module."""

from __future__ import annotations

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 60.0
"""Seconds for an answer, on a machine that is busy."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find_chromium() -> str | None:
    """The first there is."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """One page in it. Messages are JSON behind which stands a zero byte."""

    def __init__(self, send: int, receive: int) -> None:
        self._send, self._receive = send, receive
        self._numbers = itertools.count(1)
        self._unread = b""
        self._events: list[str] = []
        self._session = ""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        self.ask("Page.enable")

    def ask(self, method: str, **parameters: Any) -> Any:
        """What the browser answers."""
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._send, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return answer["result"]

    def open(
        self,
        path: Path,
        size: tuple[int, int] = (1280, 800),
        dark: bool = False,
        script: bool = True,
    ) -> None:
        """A file, once it is loaded."""
        self.ask("Emulation.setScriptExecutionDisabled", value=not script)
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=size[0],
            height=size[1],
            deviceScaleFactor=1,
            mobile=size[0] < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])
        self._events.clear()
        # Of the same file with another hash it would not be a new page.
        self.ask("Page.navigate", url="about:blank")
        self._await("Page.loadEventFired")
        self.ask("Page.navigate", url=path.as_uri())
        self._await("Page.loadEventFired")

    def run(self, expression: str) -> Any:
        """The value of JavaScript, which runs even where the page's own may not."""
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def press(self, key: str, code: int) -> None:
        """A key, as a keyboard sends it."""
        for kind in ("keyDown", "keyUp"):
            self.ask(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=code,
                text="\r" if key == "Enter" and kind == "keyDown" else "",
            )

    def screenshot(self, path: Path) -> None:
        """What it shows, as PNG."""
        data = self.ask("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))

    def _await(self, event: str) -> None:
        while event not in self._events:
            self._read()
        self._events.remove(event)

    def _read(self) -> Any:
        while b"\0" not in self._unread:
            assert select.select([self._receive], [], [], PATIENCE)[0], "the browser says nothing"
            part = os.read(self._receive, 1 << 16)
            assert part, "the browser has ended"
            self._unread += part
        text, _, self._unread = self._unread.partition(b"\0")
        message = json.loads(text)
        if "method" in message:
            self._events.append(message["method"])
        return message


@contextmanager
def chromium(program: str, profile: Path) -> Iterator[Browser]:
    """The browser, with a profile of its own."""
    to_it, from_test = os.pipe()
    to_test, from_it = os.pipe()
    command = [
        *(program, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"),
        *("--hide-scrollbars", "--no-first-run", "--disable-extensions", "--disable-sync"),
        f"--user-data-dir={profile}",
    ]
    # The protocol's pipe is descriptors 3 and 4 of the browser.
    shell = f'exec 3<&{to_it} 4>&{from_it}; exec "$@"'
    started = subprocess.Popen(
        ["bash", "-c", shell, "bash", *command],
        pass_fds=(to_it, from_it),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_it)
    os.close(from_it)
    try:
        yield Browser(from_test, to_test)
    finally:
        os.close(from_test)
        started.terminate()
        started.wait(PATIENCE)
        os.close(to_test)
