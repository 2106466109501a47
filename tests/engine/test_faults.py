"""A device that fails while it generates: an error, never a text that looks all right.

A fault is permanent for its process, so each is staged in one of its own.
"""

from __future__ import annotations

import pytest

from tests.conftest import Run

# Runs `greta infer` with something broken just before the generation.
STAGED = """
from greta.cli.main import main
from greta.engine.forward import BlockScheduler

exact = BlockScheduler.{method}
def broken(self, *arguments):
    {fault}
    return exact(self, *arguments)
BlockScheduler.{method} = broken
words = "infer --device sim --model tiny --prompt Hello --greedy --max-tokens 6"
raise SystemExit(main(words.split()))
"""
# The second decode replays a graph that holds the address of what is freed.
AT_THE_SECOND = "arguments[0] == 2 and "
FAULTS = {
    "cache freed": AT_THE_SECOND + "self._work.cache.keys.free()",
    "weights freed": AT_THE_SECOND + "self._weights.layers[1].ffn_down.buffer.free()",
    "position beyond the cache": "self._upload(self._work.positions, [1 << 24])",
    "a token that is none": "self._upload(self._work.tokens, [1 << 28])",
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_one_clear_sentence(name: str, run_script: Run) -> None:
    done = run_script(STAGED.format(method="decode", fault=FAULTS[name]))
    assert done.returncode == 1, done
    assert "STATUS=ERROR" in done.stderr
    assert "STATUS=OK" not in done.stderr
    assert "illegal memory access" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_same_program_without_the_fault_is_silent(run_script: Run) -> None:
    done = run_script(STAGED.format(method="prefill", fault="pass"))
    assert done.returncode == 0, done
    assert done.stderr.endswith("STATUS=OK\n")


def test_a_fault_after_the_last_token_is_seen_too(run_script: Run) -> None:
    done = run_script(
        STAGED.format(
            method="finish",
            fault="self._weights.embedding.buffer.free(); self._graph().launch(self._stream)",
        )
    )
    assert done.returncode == 1, done
    assert "STATUS=ERROR" in done.stderr
