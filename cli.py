"""The command `tabarro`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments and return its exit code."""
    parser = argparse.ArgumentParser(prog="tabarro", description="Play and examine games of hidden identity.")
    parser.parse_args(argv)
    parser.print_help()
    return 0
