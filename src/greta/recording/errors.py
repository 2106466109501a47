"""The one error of the reader; all lesser damage is told in `problems`."""

from __future__ import annotations

from greta.errors import ExitCode, GretaError


class RecordingError(GretaError):
    """Nothing can be read here: not a recording, or one of another version."""

    exit_code = ExitCode.BAD_USAGE
