"""What the viewer's server gives, and what it refuses."""

from __future__ import annotations

import http.client
import json
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.unit.preview.handmade import write_gltf
from unity2gltf.errors import InputError, Unity2GltfError
from unity2gltf.optional import Unavailable
from unity2gltf.preview.viewer import server as viewer
from unity2gltf.preview.viewer.assets import list_assets
from unity2gltf.preview.viewer.bundle import HOW_TO_GET, find_model_viewer
from unity2gltf.preview.viewer.server import Server

SECRET = "not for the browser"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    out = tmp_path / "out"
    write_gltf(out / "meshes/Ä b.gltf", [{"mesh": 0}])
    (out / "meshes/broken.gltf").write_text("{", encoding="utf-8")
    (out / ".hidden").write_text(SECRET, encoding="utf-8")
    (tmp_path / "secret.txt").write_text(SECRET, encoding="utf-8")
    (out / "link.txt").symlink_to(tmp_path / "secret.txt")
    (out / "hidden.txt").symlink_to(".hidden")
    return out


@pytest.fixture
def server(out: Path, tmp_path: Path) -> Iterator[Server]:
    script = tmp_path / "node_modules/@google/model-viewer/dist/model-viewer-umd.min.js"
    decoder = tmp_path / "node_modules/three/examples/jsm/libs/basis/basis_transcoder.wasm"
    for path in (script, decoder):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("// model-viewer", encoding="utf-8")
    with Server(out, script) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(server: Server, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    try:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def get_json(server: Server, path: str) -> Any:
    return json.loads(ask(server, path)[2])


def test_it_listens_on_loopback_alone(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert server.url == f"http://127.0.0.1:{server.server_port}/"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/viewer.css", "text/css; charset=utf-8"),
        ("/viewer.js", "text/javascript; charset=utf-8"),
        ("/model-viewer.js", "text/javascript; charset=utf-8"),
        ("/decoders/basis/basis_transcoder.wasm", "application/wasm"),
        ("/assets.json", "application/json"),
        ("/files/meshes/%C3%84%20b.gltf", "model/gltf+json"),
    ],
)
def test_what_it_gives(server: Server, path: str, kind: str) -> None:
    status, headers, body = ask(server, path)
    assert (status, headers["Content-Type"]) == (200, kind)
    assert int(headers["Content-Length"]) == len(body) > 0
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "http" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert ask(server, path, "HEAD")[2] == b""


@pytest.mark.parametrize(
    "path",
    [
        "/files/../secret.txt",
        "/files/%2e%2e/secret.txt",
        "/files/meshes/..%2f..%2fsecret.txt",
        "/files/..%5csecret.txt",
        "/files//etc/passwd",
        "/files/%00",
        "/files/.hidden",
        "/files/link.txt",
        "/files/hidden.txt",
        "/files/meshes",
        "/files/" + "a" * 5000,
        "/check/../secret.txt",
        "/server.py",
        "/decoders/",
        "/decoders/../../../package.json",
        "/decoders/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/secret.txt",
        "/nothing",
    ],
)
def test_what_it_does_not_give(server: Server, path: str) -> None:
    status, _, body = ask(server, path)
    assert status == 404
    assert SECRET.encode() not in body


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_other_methods_are_refused(server: Server, method: str) -> None:
    assert ask(server, "/", method)[0] == 501


def test_other_hosts_names_are_refused(server: Server) -> None:
    assert ask(server, "/", Host="evil.example")[0] == 403
    assert ask(server, "/", Host="localhost")[0] == 403
    assert ask(server, "/", Host=f"localhost:{server.server_port}")[0] == 200


def test_browsers_leave_the_port_of_http_out(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewer, "_HTTP", server.server_port)
    assert ask(server, "/", Host="localhost")[0] == 200
    assert ask(server, "/", Host="evil.example")[0] == 403


def raw(server: Server, request: bytes) -> bytes:
    """The first line of the answer to bytes that no client would send."""
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as connection:
        connection.sendall(request)
        return connection.makefile("rb").readline().rstrip()


def test_an_address_that_is_none_is_a_bad_request(server: Server) -> None:
    host = f"Host: 127.0.0.1:{server.server_port}\r\n\r\n".encode()
    assert raw(server, b"GET http://[ HTTP/1.1\r\n" + host) == b"HTTP/1.1 400 Bad Request"
    assert raw(server, b"GET / HTTP/1.1\r\nHost: evil.example\r\n" + host) == b"HTTP/1.1 403 Forbidden"


def test_names_of_this_system_are_given(server: Server) -> None:
    for name in ("a:b.gltf", "a\\b.gltf"):
        write_gltf(server.out / name, [{"mesh": 0}])
        assert name in [asset["output"] for asset in get_json(server, "/assets.json")["assets"]]
        assert ask(server, "/files/" + quote(name))[0] == 200


def test_a_name_that_no_browser_can_ask_for_is_told(server: Server) -> None:
    (server.out / os.fsdecode(b"\xff.gltf")).touch()
    answer = get_json(server, "/assets.json")
    assert answer["note"] == "1 file is left out: no text names them"
    assert [asset["output"] for asset in answer["assets"]] == ["meshes/broken.gltf", "meshes/Ä b.gltf"]


def test_a_file_that_goes_meanwhile_is_not_found(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "locate", lambda below: server.out / "gone.gltf")
    for place in ("files", "models"):
        status, _, body = ask(server, f"/{place}/gone.gltf")
        assert (status, json.loads(body)) == (404, {"error": "No such file or directory"})


def test_a_surprise_is_an_answer_too(
    server: Server, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def surprise(*_: object) -> None:
        raise RuntimeError("no idea")

    monkeypatch.setattr(viewer, "list_assets", surprise)
    status, _, body = ask(server, "/assets.json")
    assert (status, json.loads(body)) == (500, {"error": "RuntimeError: no idea"})
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("output", [["x"], 5, "a\0b", "../../secret.txt"])
def test_reports_of_any_kind_are_answered(server: Server, output: object) -> None:
    asset = {"output": output, "name": 1, "kind": 1, "status": 1, "stats": 1, "diagnostics": []}
    (server.out / "report.json").write_text(json.dumps({"schema": 1, "assets": [asset]}), encoding="utf-8")
    assert "no whole report" in get_json(server, "/assets.json")["note"]
    assert get_json(server, "/check/meshes/%C3%84%20b.gltf") == {"issues": []}


def test_a_broken_file_is_told_in_the_readers_words(server: Server) -> None:
    (issue,) = get_json(server, "/check/meshes/broken.gltf")["issues"]
    assert (issue["severity"], issue["code"]) == ("error", "FILE_BROKEN")
    assert "the JSON cannot be read" in issue["message"]
    assert get_json(server, "/check/meshes/%C3%84%20b.gltf") == {"issues": []}


def test_files_that_no_report_knows_are_listed(server: Server) -> None:
    answer = get_json(server, "/assets.json")
    assert [asset["output"] for asset in answer["assets"]] == ["meshes/broken.gltf", "meshes/Ä b.gltf"]
    assert answer["missing"] is None
    assert answer["title"] == "out"


def test_a_report_that_is_none_is_a_note(out: Path) -> None:
    (out / "report.json").write_text("[]", encoding="utf-8")
    assert "not of schema 1" in list_assets(out)["note"]
    (out / "report.json").write_text('{"schema": 1}', encoding="utf-8")
    assert "no whole report" in list_assets(out)["note"]


def test_an_empty_folder_and_a_taken_port_are_sentences(tmp_path: Path, server: Server) -> None:
    with pytest.raises(InputError, match="holds neither"):
        list_assets(tmp_path / "empty")
    with pytest.raises(Unity2GltfError, match="cannot be used"):
        Server(tmp_path, Unavailable("none"), server.server_port)


def test_model_viewer_is_found_where_npm_puts_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "node_modules/@google/model-viewer/dist/model-viewer-umd.min.js"
    script.parent.mkdir(parents=True)
    script.touch()
    assert find_model_viewer(str(tmp_path)) == find_model_viewer(str(script)) == script
    monkeypatch.setenv("UNITY2GLTF_MODEL_VIEWER", str(script.parent))
    assert find_model_viewer(None) == script
    missing = find_model_viewer(str(tmp_path / "nowhere"))
    assert isinstance(missing, Unavailable)
    assert "npm i" in HOW_TO_GET
