"""Tests with real editors, which not every machine has: `.ci/run` brings what they need."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
