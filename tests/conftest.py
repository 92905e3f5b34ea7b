"""Fixtures and profiles that every test shares."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("ci", derandomize=True, deadline=None, max_examples=60, print_blob=True)
settings.register_profile("dev", deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real Unity files, or skip: they are not ours to distribute."""
    folder = os.environ.get("UNITY2GLTF_CORPUS")
    if not folder:
        pytest.skip("UNITY2GLTF_CORPUS is not set: tests on real files are left out")
    path = Path(folder)
    assert path.is_dir(), f"UNITY2GLTF_CORPUS names no folder: {folder}"
    return path
