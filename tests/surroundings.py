"""What surrounds a command that a test starts: no more than it needs, and nothing of the user's."""

import os
import sys

_KEPT = ("PATH", "TABARRO_CACHE", "TABARRO_CC", "PYTHONPYCACHEPREFIX")  # see conftest.py
PLAIN = {
    **{name: os.environ[name] for name in _KEPT if name in os.environ},
    "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    "PYTHONUTF8": "1",
}
