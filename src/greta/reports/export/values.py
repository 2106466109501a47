"""Values of arguments, told apart by their C types: addresses and handles, and numbers."""

from __future__ import annotations

import re
from functools import lru_cache

# Types that end in _t as handles do, and are numbers.
_NUMBERS = {
    "hipDevice_t",
    "hipDeviceAttribute_t",
    "hipError_t",
    "hipFuncCache_t",
    "hipLimit_t",
}


@lru_cache(maxsize=1024)
def is_address(c_type: str) -> bool:
    """Whether a value of this type is an address or a handle, which people read in hexadecimal."""
    plain = re.sub(r"\b(?:const|volatile)\b", "", c_type).strip()
    handle = re.fullmatch(r"hip\w+_t", plain) is not None and plain not in _NUMBERS
    return "*" in plain or handle
