"""Tests are imported by their paths (see pyproject.toml); this lets them share the oracles beside them."""

import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

# A shell starts its background jobs with Ctrl-C ignored, and whatever they start inherits that; some tests press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
