from __future__ import annotations

from greta import recording
from greta.errors import ExitCode, GretaError


def test_what_is_public_is_sorted_and_there() -> None:
    names = recording.__all__
    assert names == sorted(names, key=lambda name: (not name.isupper(), name))
    assert all(hasattr(recording, name) for name in names)


def test_the_error_is_one_of_gretas() -> None:
    assert issubclass(recording.RecordingError, GretaError)
    assert recording.RecordingError.exit_code == ExitCode.BAD_USAGE
