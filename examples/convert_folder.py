"""Convert a folder of Unity content from Python, and act on the result.

python examples/convert_folder.py Game_Data out
"""

from __future__ import annotations

import sys

from unity2gltf import Options, convert
from unity2gltf.errors import Unity2GltfError


def main(folder: str, out: str) -> int:
    try:
        report = convert(folder, out, Options(max_influences=8, verify="quick"))
    except Unity2GltfError as error:  # a path that does not exist, an output folder that takes no files
        sys.exit(str(error))
    for asset in report.assets:
        error = asset.roundtrip["max_error_m"] if asset.roundtrip else None
        proof = "not posed" if error is None else f"within {error:.1e} m"
        print(f"{asset.status:6} {asset.output or asset.name}: {proof}")
    return report.exit_code("error")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: convert_folder.py INPUT OUT")
    sys.exit(main(*sys.argv[1:]))
