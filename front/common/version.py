"""Which Tabarro this is."""

from __future__ import annotations

import tomllib
from importlib import metadata
from pathlib import Path

__all__ = ["version"]

NAME = "tabarro"
CHECKOUT = Path(__file__).resolve().parents[2] / "pyproject.toml"  # where the program runs from its sources


def version() -> str:
    """The name and the version, of the sources if these are running; the name alone where nothing tells."""
    try:
        if CHECKOUT.is_file():
            return f"{NAME} {tomllib.loads(CHECKOUT.read_text(encoding='utf-8'))['project']['version']}"
        return f"{NAME} {metadata.version(NAME)}"
    except (metadata.PackageNotFoundError, OSError, ValueError, KeyError):
        return NAME
