"""Which file exactly: size, hash, build id, time, what git knows of it, and model files of a run.

Model files are known from the command line, and from the program itself: one that opens a range of
roctx called model=PATH says so, however it came to the file. Our own engine does.
"""

from __future__ import annotations

import functools
import hashlib
import os
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

from greta.errors import GretaError
from greta.outside import open_outside
from greta.printable import printable
from greta.runs.elf import read_elf
from greta.trace.evidence import ModelFact
from greta.trace.run_facts import FileFacts, GitFacts, ModelFile, ModelShape
from greta.typed_json import JsonField, decode

_SECONDS = 10
# Only to look: take no lock that the user's own git could meet, start no helper program.
_GIT = ("git", "--no-optional-locks", "-c", "core.fsmonitor=false")


def git_facts(path: Path) -> GitFacts | None:
    """None where git is not installed or the file lies in no work tree."""
    try:
        place = run_git(path.parent, "rev-parse", "--show-toplevel")
        if place.returncode != 0:
            if b"not a git repository" in (said := place.stderr):
                return None
            return GitFacts(problem=_line(said.splitlines()[0] if said else b"git failed"))
        tree = _tree_facts(Path(_line(place.stdout)))
        listed = run_git(path.parent, "ls-files", "--error-unmatch", "--", path.name)
    except FileNotFoundError:
        return None
    except (OSError, subprocess.TimeoutExpired) as error:
        return GitFacts(problem=str(error))
    return replace(tree, tracked=listed.returncode == 0)


@functools.lru_cache(maxsize=8)  # program and script often lie in one tree
def _tree_facts(tree: Path) -> GitFacts:
    status = run_git(tree, "status", "--porcelain=v2", "--branch", "--untracked-files=no")
    lines = os.fsdecode(status.stdout).splitlines()
    commit = next((line.split()[2] for line in lines if line.startswith("# branch.oid ")), None)
    branch = next((line.split()[2] for line in lines if line.startswith("# branch.head ")), None)
    changed = sum(1 for line in lines if not line.startswith("#"))
    return GitFacts(
        tree=str(tree),
        commit=None if commit == "(initial)" else commit,
        branch=branch,
        clean=changed == 0 if status.returncode == 0 else None,
        changed_files=changed,
    )


def run_git(folder: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    """Git's answer; raises OSError, or TimeoutExpired."""
    # GIT_DIR and its kin would answer for another tree than the file's.
    environment = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run(
        [*_GIT, "-C", str(folder), *words],
        env={**environment, "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_SECONDS,
        check=False,
    )


def _line(text: bytes) -> str:
    return os.fsdecode(text.removesuffix(b"\n"))


_CHUNK = 1 << 20


def file_facts(path: Path) -> FileFacts:
    """What tells this file from every other of the same name.

    `path` is as it was found, `real_path` has no symbolic links.
    """
    real = Path(os.path.realpath(path))
    known = FileFacts(str(path.absolute()), str(real))
    try:
        size, modified = stat_facts(real)
        known = replace(known, bytes=size, modified=modified, sha256=sha256_of(real))
    except OSError as error:
        # A program may be executable and not readable.
        return replace(known, problem=f"cannot be read: {error.strerror}")
    elf = read_elf(real)
    return replace(known, build_id=elf.build_id if elf else None, git=git_facts(real))


def stat_facts(path: Path) -> tuple[int, str]:
    status = path.stat()
    return status.st_size, iso_time(status.st_mtime)


def sha256_of(path: Path) -> str:
    digest = hashlib.sha256()
    with open_outside(path) as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def iso_time(seconds: float) -> str:
    """A time of the clock as ISO 8601, in this machine's zone and with its offset."""
    return datetime.fromtimestamp(seconds, timezone.utc).astimezone().isoformat()


_SUFFIXES = {".gguf", ".safetensors", ".bin", ".pt"}
_GGUF_MAGIC = b"GGUF"
_ANNOTATION = "model="
_MOST_ANNOTATED = 16

LARGEST_HASHED_WHOLE = 64 << 20
_END = 1 << 20
_BLOCK = 64 << 10
_BLOCKS = 64
SAMPLED = (
    "sampled: sha256 over the first 1 MiB, then 64 blocks of 64 KiB, the i-th at offset "
    "i * (size - 65536) // 63, then the last 1 MiB"
)


def model_files(arguments: Sequence[str]) -> list[ModelFile]:
    """The model files among the arguments, `FILE` or `--option=FILE`, each once."""
    found: dict[str, ModelFile] = {}
    for word in arguments:
        for path in map(Path, (word, word.partition("=")[2])):
            if _is_model(path) and (real := os.path.realpath(path)) not in found:
                found[real] = _model_file(word, path)
    return list(found.values())


def with_annotated(known: Sequence[ModelFile], texts: Iterable[str]) -> list[ModelFile]:
    """`known`, and the model files that these annotations name and it does not have."""
    named = sorted({text for text in texts if text.startswith(_ANNOTATION)})[:_MOST_ANNOTATED]
    paths = {one.path for one in known}
    found = [replace(one, argument=None) for one in model_files(named)]
    return [*known, *(one for one in found if one.path not in paths)]


def _is_model(path: Path) -> bool:
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return path.suffix.lower() in _SUFFIXES or file.read(4) == _GGUF_MAGIC
    except (OSError, ValueError):  # unreadable; not a path at all
        return False


def _model_file(word: str, path: Path) -> ModelFile:
    file = ModelFile(word, os.path.realpath(path))
    try:
        size, modified = stat_facts(path)
        if size <= LARGEST_HASHED_WHOLE:
            method, digest = "sha256", sha256_of(path)
        else:
            method, digest = SAMPLED, sampled_digest(path, size)
    except OSError as error:
        return replace(file, problem=f"cannot be read: {error.strerror}")
    known = replace(file, bytes=size, modified=modified, hash=digest, hash_method=method)
    return replace(known, shape=_shape(path))


def _shape(path: Path) -> ModelShape | None:
    from greta.model import open_model  # few runs have a model

    try:
        described = open_model(path).described()
    except (GretaError, OSError):
        return None  # which the verdict says
    texts = {name: printable(one) for name, one in described.items() if isinstance(one, str)}
    return decode(ModelShape, {**described, **texts}, JsonField(path))


def sampled_digest(path: Path, size: int) -> str:
    """A hash of about 6 MiB of the file: a GGUF header, the end, and blocks from all over."""
    with path.open("rb") as file:
        digest = hashlib.sha256(file.read(_END))
        for number in range(_BLOCKS):
            file.seek(number * (size - _BLOCK) // (_BLOCKS - 1))
            digest.update(file.read(_BLOCK))
        file.seek(size - _END)
        digest.update(file.read(_END))
    return digest.hexdigest()


def model_facts(models: Sequence[ModelFile]) -> tuple[ModelFact, ...]:
    """What the guard rail says of each model that run.json names."""
    return tuple(_fact(one) for one in models if one.path)


def _fact(named: ModelFile) -> ModelFact:
    from greta.model import Support, check, open_model  # few runs have a model

    path = Path(named.path)
    if problem := _not_as_it_was(path, named):
        return ModelFact(str(path), problem=problem)
    try:
        model = open_model(path)
    except (GretaError, OSError) as error:
        return ModelFact(str(path), problem=str(error))
    # A model that fits itself; which types and keys it knows is the program's own affair.
    types = frozenset(tensor.type.name for tensor in model.tensors.values())
    support = Support(types=types, norm_types=types, heeds_every_key=True)
    found = tuple(
        (printable(one.field), printable(str(one.expected)), printable(str(one.found)))
        for one in check(model, support)
        if one.fatal
    )
    config = model.config
    dimensions = {
        "heads": config.heads,
        "kv_heads": config.kv_heads,
        "head_dim": config.head_dim,
        "hidden": config.hidden_size,
        "feed_forward": config.feed_forward_size,
        "layers": config.layers,
        "vocabulary": config.vocabulary_size,
        "context": config.context_length,
    }
    name, counted = printable(model.name), (model.parameters,)
    return ModelFact(str(path), dimensions, found, name=name, parameters=counted)


def _not_as_it_was(path: Path, named: ModelFile) -> str | None:
    try:
        size = path.stat().st_size
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    if not path.is_file():
        return "is no file"
    if named.bytes is not None and size != named.bytes:
        return f"has {size} bytes now and had {named.bytes} when it was used"
    return None
