"""The same as ``khronos_node.cjs`` for V8 inside Python (mini-racer). Run as a script in a process of its own, since
V8 takes the process with it when it runs out of memory: argv[1] is the validator's script, stdin a JSON list of
[path, folder].
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import unquote

_SECONDS = 600.0

# What the script expects of a browser or of node, and a door for bytes: buffers are made there and filled from here.
_BEFORE = """
var exports = {}, self = globalThis;
var setTimeout = (run) => { Promise.resolve().then(run); return 0; }, clearTimeout = () => {};
var setImmediate = setTimeout;
"""
_AFTER = """
var answer = null, files = {};
function allocate(name, size) {
  const bytes = new ArrayBuffer(size);
  files[name] = new Uint8Array(bytes);
  return bytes;
}
function start(name) {
  answer = null;
  exports.validateBytes(files[''], {
    uri: name, maxIssues: 0, writeTimestamp: false,
    externalResourceFunction: (uri) => files[uri] ? Promise.resolve(files[uri]) : Promise.reject('not there'),
  }).catch((error) => ({fatal: String(error)})).then((report) => { answer = JSON.stringify(report); });
}
"""


def validate(context: Any, path: Path, root: Path) -> str:
    """The validator's report on one file as a line of JSON."""
    try:
        context.eval("files = {}")
        data = path.read_bytes()
        _hand_over(context, "", data)
        for uri in _uris(data):
            beside = (path.parent / unquote(uri)).resolve()
            if beside.is_relative_to(root) and beside.is_file():
                _hand_over(context, uri, beside.read_bytes())
        context.eval(f"start({json.dumps(path.name)})")
        deadline = time.monotonic() + _SECONDS
        while (answer := context.eval("answer")) is None and time.monotonic() < deadline:
            time.sleep(0.002)
        return str(answer) if answer else json.dumps({"fatal": "no answer"})
    except Exception as error:  # noqa: BLE001 - one file must not end the others; its line says what happened
        return json.dumps({"fatal": f"{type(error).__name__}: {error}"})


def _hand_over(context: Any, name: str, data: bytes) -> None:
    buffer = context.eval(f"allocate({json.dumps(name)}, {len(data)})")
    if data:
        memoryview(buffer).cast("B")[:] = data


def _uris(data: bytes) -> list[str]:
    """URIs of the buffers and images of a .gltf or .glb."""
    try:
        document = json.loads(data if data[:4] != b"glTF" else data[20 : 20 + int.from_bytes(data[12:16], "little")])
        items = [*document.get("buffers", []), *document.get("images", [])]
        return [item["uri"] for item in items if not item.get("uri", "data:").startswith("data:")]
    except (ValueError, AttributeError, TypeError, KeyError):
        return []  # the validator says what is wrong with it


def main() -> None:
    from py_mini_racer import MiniRacer

    context = MiniRacer()
    try:
        for code in (_BEFORE, Path(sys.argv[1]).read_text("utf-8"), _AFTER):
            context.eval(code)
        for path, root in json.load(sys.stdin):
            print(validate(context, Path(path), Path(root)), flush=True)
    finally:
        context.close()  # without it the interpreter can hang at exit


if __name__ == "__main__":
    main()
