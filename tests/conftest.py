"""Tests are imported by their paths (see pyproject.toml); this lets them share the oracles beside them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
