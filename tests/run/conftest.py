"""Let the tests of this folder import their oracle, and the cases of families, by name."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "families"))

from contributed import contributed  # noqa: F401
