"""HTTP on loopback: the page, the files below OUT, and what is known of them. Nothing is written, nothing else read."""

from __future__ import annotations

import json
import os
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from ...errors import Unity2GltfError
from ...optional import Unavailable
from ...report.page import script_source
from .assets import list_assets
from .bundle import find_decoders
from .checks import check_file
from .models import patched_head

HOST = "127.0.0.1"
_HTTP = 80

TYPES = {
    ".glb": "model/gltf-binary",
    ".gltf": "model/gltf+json",
    ".vrm": "model/gltf-binary",
    ".bin": "application/octet-stream",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".webp": "image/webp",
    ".ktx2": "image/ktx2",
    ".json": "application/json",
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".wasm": "application/wasm",
}
"""Files of other kinds are sent as bytes."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        # Decoders are WebAssembly, and that of KTX2 images makes functions of text; all of it is of this host.
        # That of the report's page stands in the page, and is known by its hash.
        f"script-src 'self' 'unsafe-eval' {script_source()}",
        "style-src 'self' 'unsafe-inline'",  # model-viewer and the report's page hold their styles themselves
        "img-src 'self' blob: data:",
        "connect-src 'self' blob: data:",
        "worker-src 'self' blob:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""The browser itself refuses to ask another host, whatever a model or a decoder wants."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}

PAGE = {"/": "index.html", "/viewer.css": "viewer.css", "/viewer.js": "viewer.js"}
SCRIPT = "/model-viewer.js"
DECODERS = "/decoders/"


_NO_NAME = "\0\\:" if os.name == "nt" else "\0"
"""Characters that are in no file's name; on Windows they part folders, and name drives and streams."""

_PIECE = 1 << 20


class Server(ThreadingHTTPServer):
    """Serves ``out`` on ``port`` of loopback, 0 for a free one. Raises Unity2GltfError where that is taken."""

    daemon_threads = True

    def __init__(self, out: Path, script: Path | Unavailable, port: int = 0) -> None:
        self.out, self.script = out.resolve(), script
        self.decoders = find_decoders(script) if isinstance(script, Path) else None
        try:
            super().__init__((HOST, port), _Handler)
        except OSError as error:
            raise Unity2GltfError(f"port {port} cannot be used: {error.strerror}; --port 0 takes a free one") from error

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.server_port}/"

    def assets(self) -> dict[str, Any]:
        """The list, and whether models can be shown."""
        missing = self.script.reason if isinstance(self.script, Unavailable) else None
        return list_assets(self.out) | {"missing": missing}

    def is_ours(self, output: str) -> bool:
        """Does the report know the file, so that this tool wrote it?"""
        return any(item["output"] == output and item["status"] for item in self.assets()["assets"])

    def locate(self, below: str) -> Path | None:
        """The file below OUT that a path of a URL names."""
        return _below(self.out, below)

    def decoder(self, below: str) -> Path | None:
        """The decoder that a path of a URL names."""
        return _below(self.decoders, below) if self.decoders else None


def _below(root: Path, below: str) -> Path | None:
    """A file in ``root``: no hidden one, and none that a symbolic link leads to outside or that is hidden."""
    parts = below.split("/")
    if any(not part or part.startswith(".") or any(char in part for char in _NO_NAME) for part in parts):
        return None
    try:
        path = root.joinpath(*parts).resolve()
        hidden = not path.is_relative_to(root) or any(part.startswith(".") for part in path.relative_to(root).parts)
        return path if not hidden and path.is_file() else None
    except (OSError, ValueError):  # a name that is too long or none, or a folder that may not be read
        return None


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    _begun = False

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def _answer(self) -> None:
        self._begun = False
        if not self._is_for_us():
            self.send_error(HTTPStatus.FORBIDDEN)  # another site's name was pointed at this machine
            return
        try:
            path = unquote(urlsplit(self.path).path)
        except ValueError:  # brackets of an address that is none
            self.send_error(HTTPStatus.BAD_REQUEST)
            return
        try:
            self._route(path)
        except Unity2GltfError as error:
            self._fail(HTTPStatus.NOT_FOUND, str(error))
        except ConnectionError:
            self.close_connection = True  # the browser changed its mind
        except OSError as error:  # the file is gone by now, or may not be read
            self._fail(HTTPStatus.NOT_FOUND, error.strerror or "the file cannot be read")
        except Exception as error:  # noqa: BLE001 - whatever it is, it belongs to this request
            self._fail(HTTPStatus.INTERNAL_SERVER_ERROR, f"{type(error).__name__}: {error}")

    def _is_for_us(self) -> bool:
        """Does the browser name this machine as the one it asks? The port of HTTP need not be told."""
        port = self.server.server_port
        endings = (f":{port}", "") if port == _HTTP else (f":{port}",)
        ours = {f"{name}{ending}" for name in (HOST, "localhost") for ending in endings}
        names = self.headers.get_all("Host", [])
        return len(names) == 1 and names[0].strip().lower() in ours

    def _fail(self, status: HTTPStatus, reason: str) -> None:
        """An answer that says why there is none; once one has begun, only its end can tell."""
        if self._begun:
            self.close_connection = True
        else:
            self._send_json({"error": reason}, status)

    def _route(self, path: str) -> None:
        if path in PAGE:
            name = PAGE[path]
            self._send(files(__package__).joinpath(name).read_bytes(), TYPES[Path(name).suffix])
        elif path == SCRIPT and isinstance(self.server.script, Path):
            self._send_file(self.server.script)
        elif path.startswith(DECODERS) and (file := self.server.decoder(path.removeprefix(DECODERS))):
            self._send_file(file)
        elif path == "/assets.json":
            self._send_json(self.server.assets())
        elif path.startswith("/files/") and (file := self.server.locate(path.removeprefix("/files/"))):
            self._send_file(file)
        elif path.startswith("/models/") and (file := self.server.locate(path.removeprefix("/models/"))):
            self._send_file(file, *patched_head(file))
        elif path.startswith("/check/") and (file := self.server.locate(path.removeprefix("/check/"))):
            ours = self.server.is_ours(path.removeprefix("/check/"))
            self._send_json({"issues": check_file(file, self.server.out, ours=ours)})
        else:
            self.send_error(HTTPStatus.NOT_FOUND)

    def _send_json(self, value: Any, status: HTTPStatus = HTTPStatus.OK) -> None:
        self._send(json.dumps(value).encode(), TYPES[".json"], status)

    def _send(self, data: bytes, kind: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        self._head(status, kind, len(data))
        if self.command != "HEAD":
            self.wfile.write(data)

    def _send_file(self, path: Path, instead: bytes = b"", of: int = 0) -> None:
        """A file, with other bytes ``instead`` of the first ones."""
        with path.open("rb") as file:
            left = max(os.fstat(file.fileno()).st_size - of, 0)
            self._head(HTTPStatus.OK, TYPES.get(path.suffix.lower(), TYPES[".bin"]), len(instead) + left)
            if self.command == "HEAD":
                return
            self.wfile.write(instead)
            file.seek(of)
            while left and (piece := file.read(min(left, _PIECE))):
                self.wfile.write(piece)
                left -= len(piece)
            self.close_connection = self.close_connection or left > 0  # it was cut meanwhile

    def _head(self, status: HTTPStatus, kind: str, length: int) -> None:
        self._begun = True
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def end_headers(self) -> None:
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def version_string(self) -> str:
        return "unity2gltf"

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the page says what goes wrong."""
