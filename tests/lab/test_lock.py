"""One audit per device."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from greta.errors import UsageError
from greta.lab.children import device_lock, lock_path

HOLD = """
import sys, time
from pathlib import Path
from greta.lab.children import device_lock
with device_lock("gpu0", Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_audit_is_told_who_holds_the_device(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with (
            pytest.raises(UsageError, match=f"process {holder.pid}"),
            device_lock("gpu0", tmp_path),
        ):
            pass
        with device_lock("gpu1", tmp_path):
            pass  # another device
    finally:
        holder.kill()
        holder.communicate()
    with device_lock("gpu0", tmp_path):
        pass  # a holder that was killed leaves no lock behind


def test_the_file_of_one_that_is_gone_is_no_lock(tmp_path: Path) -> None:
    lock_path("gpu0", tmp_path).write_text('{"pid": 1, "device": "gpu0"}')
    with device_lock("gpu0", tmp_path) as path:
        assert json.loads(path.read_text())["pid"] == os.getpid()


def test_an_error_inside_gives_the_lock_back(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), device_lock("gpu0", tmp_path):
        raise ZeroDivisionError
    with device_lock("gpu0", tmp_path):
        pass


def test_locks_are_where_nobody_else_can_take_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/tmp")  # anybody's
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "greta" / "locks"
    assert lock_path("gpu0").parent == folder
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o777)
    assert lock_path("gpu0").parent.stat().st_mode & 0o777 == 0o700
    folder.rmdir()
    folder.symlink_to(tmp_path)
    with pytest.raises(UsageError, match="is not your folder"):
        lock_path("gpu0")
