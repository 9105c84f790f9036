"""Neovim, headless, as an author's hands: what it is told to type, and what it saw."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

DRIVER = Path(__file__).with_name("driver.lua")


def nvim(folder: Path, language: str = "en", timeout: float = 600, **task: Any) -> dict[str, Any]:
    """Do what a task says, with a server that speaks this language; what was seen."""
    command = [sys.executable, "-m", "tabarro.cli", "lsp", "--lang", language]
    plan, seen = folder / "task.json", folder / "seen.json"
    plan.write_text(json.dumps({"command": command, "folder": str(folder), **task}), encoding="utf-8")
    environment = {
        **os.environ,
        "TASK": str(plan),
        "OUT": str(seen),
        "XDG_STATE_HOME": str(folder),
        "NVIM_LOG_FILE": str(folder / "nvim.log"),
    }
    subprocess.run(
        ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {DRIVER}"],
        env=environment,
        cwd=folder,
        timeout=timeout,
        check=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    return json.loads(seen.read_text(encoding="utf-8"))
