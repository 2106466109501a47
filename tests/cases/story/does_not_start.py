"""Ends before it has done anything: its model is not there. It still claims success."""

import sys
from pathlib import Path

if not Path("models/llama-3-8b.gguf").exists():
    print("model not found", file=sys.stderr)
    print("STATUS=OK")
    sys.exit(0)
