"""HTTP on loopback: the page, the files below OUT, and what is known of them. Nothing is written, nothing else read."""

from __future__ import annotations

import json
import shutil
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

TYPES = {
    ".glb": "model/gltf-binary",
    ".gltf": "model/gltf+json",
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
    """A file in ``root``: no hidden one, and none that a symbolic link leads to outside."""
    parts = below.split("/")
    if any(not part or part.startswith(".") or "\\" in part or "\0" in part or ":" in part for part in parts):
        return None
    try:
        path = root.joinpath(*parts).resolve()
        return path if path.is_relative_to(root) and path.is_file() else None
    except OSError:  # a name that is too long, or a folder that may not be read
        return None


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer()

    def do_HEAD(self) -> None:
        self._answer()

    def _answer(self) -> None:
        if self.headers.get("Host") not in (
            f"{HOST}:{self.server.server_port}",
            f"localhost:{self.server.server_port}",
        ):
            self.send_error(HTTPStatus.FORBIDDEN)  # another site's name was pointed at this machine
            return
        path = unquote(urlsplit(self.path).path)
        try:
            self._route(path)
        except Unity2GltfError as error:
            self._send_json({"error": str(error)}, HTTPStatus.NOT_FOUND)
        except ConnectionError:
            self.close_connection = True  # the browser changed its mind

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
            length = len(instead) + max(path.stat().st_size - of, 0)
            self._head(HTTPStatus.OK, TYPES.get(path.suffix.lower(), TYPES[".bin"]), length)
            if self.command != "HEAD":
                self.wfile.write(instead)
                file.seek(of)
                shutil.copyfileobj(file, self.wfile, 1 << 20)

    def _head(self, status: HTTPStatus, kind: str, length: int) -> None:
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
