"""The order of the packages, held: who may import whom, and which heavy libraries live where."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "unity2gltf"

LEVELS = (
    {"errors"},
    {"math3d", "registry", "diagnostics", "codes", "optional", "options", "source", "text"},
    {"raw", "ir"},
    {"extract", "normalize", "emit", "evaluate"},
    {"validate"},
    {"pipeline"},
    {"batch", "report", "preview", "sample"},
    {"__init__"},  # the public names
    {"cli", "__main__"},
)
"""Lowest first: a module imports from levels below its own, and from its own part."""

RANK = {part: rank for rank, parts in enumerate(LEVELS) for part in parts}

APART = {"extract", "normalize", "emit", "evaluate"}
"""Parts of one level that never import each other; other levels may."""

A_FILE_EACH = {"extensions", "checks"}
"""Packages of equals, whose docstrings need not name each."""

OWNERS = {"UnityPy": {"extract", "sample"}, "pygltflib": {"emit"}, "filly": {"preview"}}
"""Libraries that only these parts may import."""


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def imports(path: Path) -> Iterator[str]:
    """Absolute names of every module that a file imports, wherever in the file; ``from . import x`` names ``x``."""
    here = module_name(path).split(".")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = [*here[: len(here) - node.level], *(node.module or "").split(".")] if node.level else [node.module]
            name = ".".join(part for part in base if part)
            yield from (f"{name}.{alias.name}" for alias in node.names)


def part(name: str) -> str | None:
    """The part of the package that a module name belongs to; None outside the package."""
    steps = name.split(".")
    if steps[0] != "unity2gltf":
        return None
    return steps[1] if len(steps) > 1 and steps[1] in RANK else "__init__"


MODULES = sorted(PACKAGE.rglob("*.py"))


def allowed(importer: str, imported: str) -> bool:
    if importer == imported or imported == "__init__":
        # the package itself holds the version, which anyone may read
        return True
    if imported == "sample":
        return importer == "cli"
    if RANK[importer] == RANK[imported]:
        return importer not in APART
    return RANK[importer] > RANK[imported]


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_imports_point_downwards(path: Path) -> None:
    home = part(module_name(path))
    assert home is not None
    wrong = [name for name in imports(path) if (other := part(name)) and not allowed(home, other)]
    assert not wrong, f"{module_name(path)} must not import {', '.join(wrong)}"


PACKAGES = [path for path in MODULES if path.name == "__init__.py" and path.parent.name not in A_FILE_EACH]


@pytest.mark.parametrize("path", PACKAGES, ids=module_name)
def test_a_package_tells_of_all_its_modules(path: Path) -> None:
    """Its docstring is the contents page of the folder."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    inside = [p.stem for p in path.parent.iterdir() if p.suffix == ".py" or (p / "__init__.py").is_file()]
    missing = [name for name in inside if not name.startswith("__") and not re.search(rf"\b{name}\b", text)]
    assert not missing, f"{module_name(path)} does not name {', '.join(sorted(missing))}"


@pytest.mark.parametrize("library", OWNERS)
def test_heavy_libraries_stay_with_their_owners(library: str) -> None:
    users = {part(module_name(path)) for path in MODULES if any(n.split(".")[0] == library for n in imports(path))}
    assert users <= OWNERS[library]


@pytest.mark.parametrize(("one", "other"), [("unity", "gltf"), ("gltf", "unity")])
def test_the_two_evaluators_share_nothing(one: str, other: str) -> None:
    """A common mistake must not be able to cancel out."""
    files = sorted((PACKAGE / "evaluate" / one).rglob("*.py"))
    assert files
    for path in files:
        assert not [name for name in imports(path) if name.startswith(f"unity2gltf.evaluate.{other}")], path


def test_import_of_the_package_is_light() -> None:
    """``import unity2gltf`` in a script must be quick."""
    heavy = {"UnityPy", "pygltflib", "PIL", "typer", "rich"}
    assert not heavy & {name.split(".")[0] for name in imports(PACKAGE / "__init__.py")}


FOREIGN = re.compile(r"(?<![\w.])/(home|root|tmp|Users)/|[A-Z]:\\\\Users")
"""Absolute paths of one machine, which the project must not hold."""

TEXTS = {".py", ".toml", ".md", ".mk", ".yml", ".json", ".html", ".sh", ""}


def project_files() -> Iterator[Path]:
    for name in ("unity2gltf", "tests", "examples", "benchmarks", ".ci"):
        yield from (p for p in (ROOT / name).rglob("*") if p.is_file() and "__pycache__" not in p.parts)
    yield from (ROOT / name for name in ("README.md", "CHANGELOG.md", "LICENSE", "Makefile", "pyproject.toml"))


def test_no_file_names_a_path_of_one_machine() -> None:
    read = 0
    for path in project_files():
        if path.suffix in TEXTS and path != Path(__file__):
            found = FOREIGN.search(path.read_text(encoding="utf-8"))
            assert found is None, f"{path}: {found and found.group()}"
            read += 1
    assert read > 50


def test_the_rules_themselves() -> None:
    assert allowed("cli", "sample")
    assert not allowed("batch", "sample")
    assert not allowed("normalize", "extract")
    assert allowed("report", "batch")
    assert not allowed("raw", "extract")
    assert part("unity2gltf.evaluate.unity.pose") == "evaluate"
    assert part("unity2gltf.__version__") == "__init__"
    assert part("numpy") is None
