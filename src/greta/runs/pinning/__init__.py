"""Which operation a fault comes from, by running the program again with added synchronization.

    search = Search(original, tries=3, tell=print)
    result = search.pin()

`greta pin` is the command.
"""

from greta.runs.pinning.original import Original, open_original
from greta.runs.pinning.result import Attempt, Pin
from greta.runs.pinning.search import Search

__all__ = ["Attempt", "Original", "Pin", "Search", "open_original"]
