"""What an audit came to, in codes and data; greta.lab.summary_json has it as summary.json."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Literal, TypeAlias

from greta.forensics.verdict import Saying, Value, Verdict
from greta.trace.run_facts import DeviceFacts, ModelShape

Interval: TypeAlias = tuple[float, float]
Result: TypeAlias = Literal["PASS", "FAIL", "INCONCLUSIVE"]


@dataclass(frozen=True)
class MatrixRow:
    id: str
    mode: str = ""
    profile: str = ""
    audit: bool = False
    """Whether transfers were written down."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """What its children have set beside the caller's environment."""
    iterations: int = 0
    completed: int | None = None
    errors: int = 0
    inconclusive: int = 0
    result: str = ""
    tokens_per_second: float | None = None
    tokens_per_second_quartiles: tuple[float, ...] | None = None
    seconds_median: float | None = None
    runs: tuple[str, ...] = ()


@dataclass(frozen=True)
class FailureStatistics:
    runs: int = 0
    failures: int = 0
    inconclusive: int = 0
    failure_rate: float | None = None
    failure_rate_interval_95: Interval | None = None
    failure_rate_upper_95: float | None = None
    runs_needed_for: Mapping[str, int] = field(default_factory=dict)
    """By bound: so many runs without a failure show that the rate is below it."""


@dataclass(frozen=True)
class ObserverSlowdown:
    """The slowdown in pairs of iterations a moment apart."""

    slowdown: float
    interval_95: Interval
    p_value: float | None = None
    pairs: int = 0


@dataclass(frozen=True)
class ObserverCost:
    """What auditing costs against recording alone, and recording against nothing."""

    audit: ObserverSlowdown | None = None
    recorder: ObserverSlowdown | None = None


@dataclass(frozen=True)
class RatedCause:
    hypothesis: str | None = None
    """None of what was only seen."""
    operation: str = ""
    code: str = ""
    data: Mapping[str, Value] = field(default_factory=dict)
    runs: int = 0
    rate: float | None = None
    rate_interval_95: Interval = (0.0, 1.0)
    test: str = ""
    iteration: int | None = None
    run: str = ""
    """The first that showed it, as `test` and `iteration`."""


@dataclass(frozen=True)
class ProgramEnding:
    """How the program of a run ended, for failures that are not HIP's."""

    how: str
    """exit_code, signal, timeout, unknown (who watched it was ended before it), output_unexpected
    or output_empty."""
    exit_code: int | None = None
    signal: str | None = None
    seconds: float | None = None
    stacks: str | None = None
    """The file that has the stacks of a program that hung."""
    call: str | None = None
    """The HIP call that had not returned, else the last; `returned` says which."""
    seq: int | None = None
    returned: bool | None = None
    stderr: tuple[str, ...] = ()
    """The last lines that it wrote there."""
    early: bool = False
    expected: str | None = None
    """What it should have printed, where it was said."""
    printed: tuple[str, ...] | None = None

    @property
    def failed(self) -> bool:
        """Of an end that nobody saw, nothing is known."""
        return self.how in ("signal", "timeout") or bool(self.exit_code)

    @property
    def is_in_call(self) -> bool:
        """Whether a call had not returned."""
        return bool(self.call) and self.returned is False

    @property
    def words(self) -> dict[str, Value]:
        """What a sentence about it names."""
        names = ("exit_code", "signal", "seconds", "stacks", "call", "seq", "returned", "expected")
        known = ((name, getattr(self, name)) for name in (*names, "printed"))
        return {name: value for name, value in known if value is not None}


@dataclass(frozen=True)
class SeenEnding:
    """How a run ended, where that is all that was seen of a failure."""

    code: str
    """The code of its sentence."""
    run: str
    ending: ProgramEnding


@dataclass(frozen=True)
class CallError:
    """The HIP call by which an iteration failed."""

    call: str | None = None
    seq: int | None = None
    code: int | None = None
    """As HIP numbers errors."""
    error: str | None = None
    name: str | None = None
    kind: str | None = None
    text: str | None = None
    """As the engine says it, with its kind."""


@dataclass(frozen=True)
class IterationSummary:
    test: str = ""
    iteration: int | None = None
    prompt: str | None = None
    seed: int | None = None
    profile: str | None = None
    result: Result = "INCONCLUSIVE"
    problems: tuple[str, ...] = ()
    seconds: float | None = None
    waited: float = 0.0
    """So much of it for a processor that others had."""
    warm_up: bool = False
    tokens_per_second: float | None = None
    first_token_seconds: float | None = None
    error: CallError | None = None
    ending: ProgramEnding | None = None
    run: str = ""
    range: tuple[int, int] | None = None
    """First and last call in the recording."""
    output: str | None = None
    stdout: str | None = None
    factors: int | None = None
    """Which of Summary.factor_sets."""
    position: int | None = None
    node: str | None = None
    device: int | None = None


@dataclass(frozen=True)
class UnrecordedIteration:
    """The duration of an iteration that nobody recorded, to be paired with its recorded twin."""

    iteration: int | None
    prompt: str
    seconds: float
    warm_up: bool | None
    """As `iteration`, not known of older audits: these have no pair."""
    waited: float = 0.0


@dataclass(frozen=True)
class ProgramRuns:
    """A file that made HIP calls, in how many iterations it ran, and how many of these failed."""

    path: str = ""
    sha256: str | None = None
    build_id: str | None = None
    runs: int = 0
    failures: int = 0


@dataclass(frozen=True)
class OutputKinds:
    """How many different outputs runs had that passed."""

    kinds: int = 0
    runs: int = 0
    counts: tuple[int, ...] = ()


@dataclass(frozen=True)
class ProfileRate:
    """How often runs failed under one debug environment."""

    name: str = ""
    runs: int = 0
    failures: int = 0
    failure_rate: float | None = None
    failure_rate_interval_95: Interval = (0.0, 1.0)


@dataclass(frozen=True)
class DeviceRate:
    """How often runs failed on one device.

    `apart`: more often than on the others, by more than luck, all devices counted.
    """

    node: str = ""
    device: int | None = None
    runs: int = 0
    failures: int = 0
    failure_rate: float | None = None
    failure_rate_interval_95: Interval = (0.0, 1.0)
    inconclusive: int = 0
    apart: bool = False


@dataclass(frozen=True)
class LostWork:
    """Iterations under way when their worker was lost; others ran them again."""

    iterations: tuple[str, ...] = ()
    node: str = ""
    device: int | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class EnvironmentFacts:
    host: str | None = None
    kernel: str | None = None
    cpu: str | None = None
    python: str | None = None
    greta: str | None = None
    hip_runtime: int | None = None
    hip_library: str | None = None
    commit: str | None = None
    variables: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ModelFacts:
    name: str | None = None
    sha256: str | None = None
    argument: str | None = None
    path: str | None = None
    bytes: int | None = None
    modified: str | None = None
    problem: str | None = None
    hash: str | None = None
    hash_method: str | None = None
    shape: ModelShape | None = None


@dataclass(frozen=True)
class ProgramFacts:
    """A program that ran. Two are one build if their build ids are equal, as of a stripped copy."""

    path: str | None = None
    sha256: str | None = None
    build_id: str | None = None

    @property
    def build(self) -> str:
        """By what builds are told apart."""
        return self.build_id or self.sha256 or ""


@dataclass(frozen=True)
class FileHash:
    path: str = ""
    sha256: str = ""


@dataclass(frozen=True)
class AuditOptions:
    model: str | None = None
    device: str | None = None
    iters: int | None = None
    stress_iters: int | None = None
    prompts: str | None = None
    max_tokens: int | None = None
    seed: int | None = None
    fail_fast: bool | None = None
    strict: bool | None = None
    """The former name of fail_fast."""
    case: str | None = None
    out: str | None = None
    profiles: str | None = None
    timeout: float | None = None
    expect_build: str | None = None
    expect_text: tuple[str, ...] = ()
    expect_output: str | None = None
    watch_host: bool | None = None
    devices: str | None = None
    ray: str | None = None
    part: str | None = None
    program: tuple[str, ...] = ()


@dataclass(frozen=True)
class RerunFacts:
    command: tuple[str, ...] = ()
    masked: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: str | None = None
    recorder: tuple[str, ...] = ()
    """For a run: `greta run` with its options."""
    seed: int | None = None
    files: tuple[FileHash, ...] = ()
    """Which files a command is."""
    options: AuditOptions | None = None


@dataclass(frozen=True)
class RanWith:
    device: DeviceFacts | None = None
    environment: EnvironmentFacts | None = None
    model: ModelFacts | None = None
    program: ProgramFacts | None = None
    rerun: RerunFacts | None = None


@dataclass(frozen=True)
class Summary:
    """All that an audit came to; of a single run only the verdict, and what it ran with."""

    verdict: Verdict
    case: str = ""
    partial: str | None = None
    """Why it is not all that was asked for: strict, interrupted, failed, no_hip, running."""
    tests: tuple[MatrixRow, ...] = ()
    statistics: FailureStatistics = field(default_factory=FailureStatistics)
    observer: ObserverCost = field(default_factory=ObserverCost)
    causes: tuple[RatedCause, ...] = ()
    seen: SeenEnding | None = None
    programs: tuple[ProgramRuns, ...] = ()
    outputs: OutputKinds | None = None
    profiles: tuple[ProfileRate, ...] = ()
    profile_evidence: str | None = None
    devices: tuple[DeviceRate, ...] = ()
    """Where there were several."""
    lost: tuple[LostWork, ...] = ()
    unrecorded: tuple[UnrecordedIteration, ...] = ()
    factor_sets: tuple[Mapping[str, str], ...] = ()
    iterations: tuple[IterationSummary, ...] = ()
    problem: Saying | None = None
    """Why it could not go on."""
    started: str = ""
    ended: str = ""
    seconds: float | None = None
    ran: RanWith = field(default_factory=RanWith)
    files: Mapping[str, str] = field(default_factory=dict)
    """Reports and the like, beside summary.json."""
    parts: tuple[str, ...] = ()
    """The folders of which `greta audit merge` made it."""


Fact: TypeAlias = "str | int | float | bool | tuple[str, ...]"


def facts_in(thing: object, name: str = "") -> Iterator[tuple[str, Fact]]:
    """Each fact that is known with its place, such as variables.HIP_VISIBLE_DEVICES."""
    if is_dataclass(thing):
        thing = {one.name: getattr(thing, one.name) for one in fields(thing)}
    if isinstance(thing, Mapping):
        for key, inner in thing.items():
            yield from facts_in(inner, f"{name}.{key}" if name else str(key))
    elif isinstance(thing, str | int | float | bool | tuple):
        yield name, thing
