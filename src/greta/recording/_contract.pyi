# The shape of the module that contract/generate.py writes when the package is built. It begins with
# the classes of contract/effect_types.py.
from typing import Final

from contract.effect_types import NODE_STEPS as NODE_STEPS
from contract.effect_types import UNKNOWN_STREAM as UNKNOWN_STREAM
from contract.effect_types import WORK as WORK
from contract.effect_types import CallKind as CallKind
from contract.effect_types import Created as Created
from contract.effect_types import Destroyed as Destroyed
from contract.effect_types import Effects as Effects
from contract.effect_types import GraphEffect as GraphEffect
from contract.effect_types import HostWait as HostWait
from contract.effect_types import Launch as Launch
from contract.effect_types import Mapped as Mapped
from contract.effect_types import MemoryRange as MemoryRange
from contract.effect_types import Missing as Missing
from contract.effect_types import Step as Step
from contract.effect_types import Word as Word

ERROR_NAMES: Final[dict[int, str]]
ERROR_TEXTS: Final[dict[int, str]]
RETURNS_NO_ERROR: Final[frozenset[str]]
EFFECTS: Final[dict[str, Effects]]
