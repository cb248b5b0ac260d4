"""What docs/make.py makes: charts of laws and of benchmarks, the picture of the folders, the reference, the site."""

from __future__ import annotations

import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1]
ROOT = DOCS.parent
PICTURES = DOCS / "pictures"
MADE = "<!-- made by docs/make.py: change the source, not this page -->"

if str(ROOT) not in sys.path:  # benchmarks and tests are not installed
    sys.path.insert(0, str(ROOT))
