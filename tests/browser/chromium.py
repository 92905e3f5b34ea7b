"""Drives a headless Chromium by the DevTools protocol over pipes: no port, no package."""

from __future__ import annotations

import base64
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

ENVIRONMENT = "UNITY2GLTF_CHROMIUM"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

FLAGS = (
    "--headless=new",
    "--no-sandbox",  # continuous integration runs as root
    "--disable-dev-shm-usage",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
    "--window-size=1280,900",
    "--remote-debugging-pipe",
)
ON_FILES_3_AND_4 = """
import fcntl, os, sys
orders, answers = (fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3])
os.dup2(orders, 3)
os.dup2(answers, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Starts a program that reads from file 3 and writes to file 4, as Chromium does with its orders and answers."""

SECONDS = 60.0

LOCAL = ("file://", "http://127.0.0.1:", "blob:http://127.0.0.1:", "blob:file://", "data:", "about:blank")
"""How the addresses begin that stay on this machine."""


def find_chromium() -> str | None:
    """The browser that UNITY2GLTF_CHROMIUM names, or the first that is installed."""
    given = os.environ.get(ENVIRONMENT)
    return given or next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """A browser with one page. ``requests``: every URL that the page and its workers asked for."""

    def __init__(self, executable: str) -> None:
        self.requests: list[str] = []
        self.console: list[str] = []
        self._number = 0
        self._session: str | None = None
        self._profile = tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True)
        read_command, self._write = os.pipe()
        self._read, write_answer = os.pipe()
        command = [executable, *FLAGS, f"--user-data-dir={self._profile.name}", "about:blank"]
        self._log = Path(self._profile.name, "stderr.txt")
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", ON_FILES_3_AND_4, str(read_command), str(write_answer), *command],
                pass_fds=(read_command, write_answer),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        os.close(read_command)
        os.close(write_answer)
        self._messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._reader = threading.Thread(target=self._pump, daemon=True)
        self._reader.start()
        try:
            self._attach()
        except BaseException:
            self.close()
            raise

    def _attach(self) -> None:
        targets = self.call("Target.getTargets", session=None)["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        attached = self.call("Target.attachToTarget", {"targetId": page, "flatten": True}, session=None)
        self._session = attached["sessionId"]
        self._watch(self._session)
        self.call("Page.enable")

    def _watch(self, session: str | None) -> None:
        self.call("Network.enable", session=session)
        self.call("Runtime.enable", session=session)
        wait = {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": True}
        self.call("Target.setAutoAttach", wait, session=session)

    def call(self, method: str, parameters: dict[str, Any] | None = None, session: str | None = "page") -> Any:
        """One order and its result. Raises RuntimeError where the browser refuses or is gone."""
        self._number += 1
        order: dict[str, Any] = {"id": self._number, "method": method, "params": parameters or {}}
        if session is not None:
            order["sessionId"] = self._session if session == "page" else session
        self._send(order)
        end = time.monotonic() + SECONDS
        number = self._number
        while (left := end - time.monotonic()) > 0:
            message = self._next(left)
            if message is not None and message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
        raise RuntimeError(f"{method}: no answer within {SECONDS:g} s")

    def _next(self, seconds: float) -> dict[str, Any] | None:
        try:
            message = self._messages.get(timeout=seconds)
        except queue.Empty:
            return None
        if message is None:
            raise RuntimeError(f"the browser ended: {self._words()}")
        self._note(message)
        return message

    def _note(self, message: dict[str, Any]) -> None:
        method, values = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])
        elif method == "Runtime.consoleAPICalled":
            self.console.append(" ".join(str(item.get("value", item.get("description"))) for item in values["args"]))
        elif method == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            self.console.append(str(details.get("exception", {}).get("description", details["text"])))
        elif method == "Target.attachedToTarget":  # a worker, whose requests count too
            self._number += 1
            order = {"id": self._number, "method": "Network.enable", "sessionId": values["sessionId"]}
            self._send(order)

    def _send(self, order: dict[str, Any]) -> None:
        try:
            os.write(self._write, json.dumps(order).encode() + b"\0")
        except BrokenPipeError:
            raise RuntimeError(f"the browser ended: {self._words()}") from None

    def _words(self) -> str:
        return self._log.read_text("utf-8", "replace")[-600:]

    def open(self, url: str) -> None:
        """Go to a page, by way of an empty one so that a change of the hash alone loads anew, too."""
        self.call("Page.navigate", {"url": "about:blank"})
        self.call("Page.navigate", {"url": url})
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def evaluate(self, expression: str) -> Any:
        """The value of JavaScript in the page; promises are awaited."""
        wanted = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        answer = self.call("Runtime.evaluate", wanted)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def wait(self, expression: str, until: Callable[[Any], bool] = bool) -> Any:
        """The value of an expression once it is true. Fails with what the page's console said."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            value = self.evaluate(expression)
            if until(value):
                return value
            time.sleep(0.05)
        raise AssertionError(f"{expression} is {value!r} after {SECONDS:g} s; console: {self.console[-5:]}")

    def picture(self) -> bytes:
        """What the window shows, as a PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot")["data"])

    def assert_no_request_left(self) -> None:
        """Every request so far was for a local file, for loopback, or for data that the page holds itself."""
        assert self.requests, "the log of requests is empty: it does not work"
        outside = [url for url in self.requests if not url.startswith(LOCAL)]
        assert not outside, f"asked for outside of this machine: {outside}"

    def _pump(self) -> None:
        waiting = b""
        while data := os.read(self._read, 1 << 16):
            *whole, waiting = (waiting + data).split(b"\0")
            for part in whole:
                self._messages.put(json.loads(part))
        self._messages.put(None)

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the browser, and forget what it kept."""
        os.killpg(self._process.pid, signal.SIGKILL)  # its helpers, too, which are of its own group
        self._process.wait()
        os.close(self._write)
        self._reader.join(timeout=10)
        os.close(self._read)
        self._profile.cleanup()
