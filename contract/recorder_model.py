"""How the recorder sees a call: which words it writes, what else it must keep.

The recorder meets programs at the binary interface only. It knows no HIP header, just how each type
is passed: in a register as a number or an address, or as one of a few small structs.
"""

from __future__ import annotations

from dataclasses import dataclass

from contract.entry import Call, ContractError, Parameter
from contract.structs import STRUCTS as POINTED

# Not hooked, because nothing of interest is passed or the call is meant to be taken over by others.
# The loader finds them in the library itself.
UNHOOKED = frozenset(
    (
        *("hipCreateChannelDesc", "__hipOnError", "__hipGetPCH", "hipRegisterTracerCallback"),
        *("hipInitActivityCallback", "hipEnableActivityCallback", "hipGetCmdName"),
        *("amd_dbgapi_get_build_name", "amd_dbgapi_get_git_hash", "amd_dbgapi_get_build_id"),
        "_ZN8hip_impl22hipLaunchKernelGGLImplEmRK4dim3S2_jP12ihipStream_tPPv",
    )
)

NUMBERS = {
    "GLenum": "unsigned int",
    "GLuint": "unsigned int",
    "bool": "bool",
    "float": "float",
    "int": "int",
    "size_t": "size_t",
    "uint32_t": "unsigned int",
    "uint64_t": "unsigned long",
    "unsigned char": "unsigned char",
    "unsigned int": "unsigned int",
    "unsigned long long": "unsigned long long",
    "unsigned short": "unsigned short",
}

# Passed by value; each field is a word of its own.
STRUCTS: dict[str, tuple[tuple[str, str], ...]] = {
    "dim3": (("x", "unsigned int"), ("y", "unsigned int"), ("z", "unsigned int")),
    "hipExtent": (("width", "size_t"), ("height", "size_t"), ("depth", "size_t")),
    "hipPitchedPtr": (
        *(("ptr", "void*"), ("pitch", "size_t")),
        *(("xsize", "size_t"), ("ysize", "size_t")),
    ),
    "hipMemLocation": (("type", "int"), ("id", "int")),
    "hipIpcMemHandle_t": (),
    "hipIpcEventHandle_t": (),
}

# Types that are addresses although they do not look like it.
HANDLES = frozenset(
    (
        *("hipArray_const_t", "hipArray_t", "hipCtx_t", "hipDevResourceDesc_t", "hipEvent_t"),
        *("hipExecutionCtx_t", "hipFunction_t", "const hipFunction_t", "hipGraphExec_t"),
        *("hipGraphNode_t", "hipGraph_t", "hipGraphicsResource_t", "hipHostFn_t", "hipKernel_t"),
        *("hipLibrary_t", "hipLinkState_t", "hipMemGenericAllocationHandle_t", "hipMemPool_t"),
        *("hipMipmappedArray_const_t", "hipMipmappedArray_t", "hipModule_t", "hipStreamCallback_t"),
        *("hipStream_t", "hipSurfaceObject_t", "hipTextureObject_t", "hipTracerCallback_t"),
        "hipUserObject_t",
    )
)

# Filled by the call, and small enough for a word.
ENUMS_FILLED = frozenset(
    (
        *("hipFuncCache_t", "hipSharedMemConfig", "hipStreamCaptureStatus", "hipGraphNodeType"),
        *("hipGraphExecUpdateResult", "hipDriverEntryPointQueryResult"),
        *("hipDriverProcAddressQueryResult", "hipMemAccessFlags"),
    )
)


@dataclass(frozen=True)
class Word:
    """One word of a record: a parameter, or a field of one that is a struct."""

    name: str
    type: str  # as C spells it
    parameter: Parameter
    field: str = ""  # of a struct passed by value, or filled by the call
    filled: bool = False  # read after the call, through the parameter
    text: bool = False  # a string: the word is its id
    struct_bytes: int = 0  # kept of what it points to
    count: str = ""  # it points to that many words: the parameter that says so

    @property
    def entry(self) -> str:
        """As the table of calls writes it."""
        kind = ":struct" if self.struct_bytes else ":array" if self.count else ""
        kind = ":text" if self.text else kind
        return f"{self.name}:{self.type}:{'out' if self.filled else 'in'}{kind}"


def hooked(call: Call) -> bool:
    """Whether the recorder stands in front of it."""
    return call.name not in UNHOOKED


def passed_as(type_name: str) -> str:
    """The C++ type by which a hook takes and passes on a parameter."""
    if type_name in NUMBERS:
        return NUMBERS[type_name]
    if type_name in STRUCTS:
        return f"abi::{type_name}"
    if "*" in type_name or type_name in HANDLES:
        return "void*"
    if type_name == "hipError_t" or type_name.startswith("hip"):
        return "int"  # an enumeration
    raise ContractError(f"the recorder does not know how {type_name} is passed")


def words(call: Call) -> list[Word]:
    """In the order of the parameters."""
    return [word for p in call.parameters for word in _words_of(call, p)]


def _words_of(call: Call, parameter: Parameter) -> list[Word]:
    if parameter.type in STRUCTS:
        fields = STRUCTS[parameter.type]
        return [Word(f"{parameter.name}.{f}", t, parameter, field=f) for f, t in fields]
    if parameter.name in call.out:
        return _filled_words(call, parameter)
    return [_plain_word(call, parameter)]


def _plain_word(call: Call, parameter: Parameter) -> Word:
    pointed = parameter.type.removeprefix("const ").removesuffix("*")
    if parameter.type == "const char*":
        return Word(parameter.name, "const char*", parameter, text=True)
    if pointed == "hipGraphNode_t" and "*" in parameter.type:
        count = next((p.name for p in call.parameters if p.name == "numDependencies"), "")
        return Word(parameter.name, parameter.type, parameter, count=count)
    size = POINTED[pointed].bytes if "*" in parameter.type and pointed in POINTED else 0
    return Word(parameter.name, parameter.type, parameter, struct_bytes=size)


def _filled_words(call: Call, parameter: Parameter) -> list[Word]:
    pointed = parameter.type.removesuffix("*").strip()
    if pointed == "hipPitchedPtr":
        return [
            Word(f"{parameter.name}.{f}", t, parameter, field=f, filled=True)
            for f, t in STRUCTS[pointed]
        ]
    if pointed in POINTED:
        size = POINTED[pointed].bytes
        return [Word(parameter.name, parameter.type, parameter, filled=True, struct_bytes=size)]
    if _fits_a_word(pointed) and not _is_list(call, parameter):
        return [Word(parameter.name, pointed, parameter, filled=True)]
    return [Word(parameter.name, parameter.type, parameter)]


def _fits_a_word(pointed: str) -> bool:
    return pointed in {*NUMBERS, *HANDLES, *ENUMS_FILLED, "void*"}


def _is_list(call: Call, parameter: Parameter) -> bool:
    """A list of nodes that the call fills; how long it is, another parameter says."""
    counts = [p for p in call.parameters if p.type == "size_t*" and p.name in call.out]
    return parameter.type == "hipGraphNode_t*" and bool(counts)
