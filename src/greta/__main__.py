"""`python -m greta` is the command `greta`."""

import sys

from greta.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
