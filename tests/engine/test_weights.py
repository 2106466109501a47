"""Weights on the device: the file's bytes, once, and no second copy on the host."""

from __future__ import annotations

import mmap
from pathlib import Path

import numpy as np
import pytest

from greta.engine import Capacity, DeviceMemoryError, Engine
from greta.engine.weights import load_weights, matrices
from greta.engine.workspace import Workspace, activation_bytes, kv_bytes, require_room, size_text
from greta.hip import SimTree, memory_info
from greta.model import TensorType, open_model
from greta.model.tiny import write_tiny
from tests.conftest import Run
from tests.engine.conftest import OpenModel

BIG = 16 << 20


@pytest.fixture
def sim(sim_tree: SimTree) -> SimTree:
    return sim_tree


@pytest.mark.parametrize("weights", ["f32", "q4_1", "q6_k"])
def test_every_tensor_arrives_as_it_is_in_the_file(
    weights: str, tiny: OpenModel, sim: SimTree
) -> None:
    model = tiny(weights)
    loaded = load_weights(model)
    for number, layer in enumerate(loaded.layers):
        for tensor in matrices(layer):
            source = model.tensors[tensor.name]
            assert (tensor.rows, tensor.cols, tensor.type) == (*source.shape, source.type)
            assert np.array_equal(tensor.buffer.to_array(), source.raw.reshape(-1))
            assert tensor.name.startswith(f"blk.{number}.")
    assert np.array_equal(loaded.embedding.buffer.to_array(), model.embedding.raw.reshape(-1))


def test_tied_embeddings_are_one_tensor(tiny: OpenModel, sim: SimTree) -> None:
    loaded = load_weights(tiny("q8_0"))
    assert loaded.output is loaded.embedding


def test_the_kinds_of_kernels_it_takes(tiny: OpenModel, sim: SimTree) -> None:
    assert load_weights(tiny("q5_k")).types == {"q5_k"}


def test_a_map_that_has_been_copied_can_be_read_again(tmp_path: Path, sim: SimTree) -> None:
    write_tiny(tmp_path / "m.gguf", TensorType.F32)
    model = open_model(tmp_path / "m.gguf")
    before = {name: tensor.raw.copy() for name, tensor in model.tensors.items()}
    load_weights(model)
    assert all(np.array_equal(model.tensors[name].raw, raw) for name, raw in before.items())


def test_the_host_holds_no_second_copy(run_script: Run, tmp_path: Path) -> None:
    """The device's memory is this process' too, so that one copy is all there may be."""
    done = run_script(f"""
from dataclasses import replace
from pathlib import Path
from greta import hip
from greta.engine.weights import load_weights, weight_bytes
from greta.model import TensorType, open_model
from greta.model.tiny import TINY, write_tiny

def resident():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024

path = Path({str(tmp_path)!r}) / "wide.gguf"
if not path.exists():
    config = replace(TINY, feed_forward_size=16384, layers=3)
    write_tiny(path, TensorType.F32, config)
    raise SystemExit("again")
model = open_model(path)
hip.memory_info()
before = resident()
weights = load_weights(model)
print((resident() - before) / weight_bytes(model))
""")
    assert done.stderr == "again\n"
    done = run_script(done.args[-1])
    assert float(done.stdout) < 1.4, done


def test_what_does_not_fit_is_said_before_anything_is_allocated(
    tiny: OpenModel, sim: SimTree
) -> None:
    free = memory_info().free
    with pytest.raises(DeviceMemoryError, match=r"keys and values .*use a smaller --context"):
        Engine(tiny("q8_0"), Capacity(batch=1 << 20, context=512))
    assert memory_info().free == free


def test_a_device_that_runs_out_of_memory_is_one_sentence(run_script: Run) -> None:
    done = run_script(
        """
from greta.engine import Capacity, DeviceMemoryError, Engine
from greta.engine import engine as module
from greta.model import find_model, open_model

module.require_room = lambda needs: None
try:
    Engine(open_model(find_model("tiny")), Capacity(batch=64, context=512))
except DeviceMemoryError as error:
    print(error)
""",
        GRETA_SIM_VRAM="16M",
    )
    assert "the device ran out of memory for the keys and values of 64 x 512 tokens" in done.stdout


def test_room_is_counted_to_the_byte() -> None:
    require_room({"weights": 1})
    with pytest.raises(DeviceMemoryError, match="are needed"):
        require_room({"weights": memory_info().free + 1})


def test_a_workspace_takes_what_it_said(tiny: OpenModel, sim: SimTree) -> None:
    config, capacity = tiny("q8_0").config, Capacity(batch=3, context=100)
    before = memory_info().free
    work = Workspace(config, capacity)
    taken = before - memory_info().free
    said = kv_bytes(config, capacity) + activation_bytes(config, capacity)
    pages = 24 * mmap.PAGESIZE  # each allocation ends at a page
    assert said <= taken <= said + pages
    assert work.cache.keys.nbytes * 2 == kv_bytes(config, capacity)


def test_the_cache_has_a_place_for_every_layer_and_sequence(tiny: OpenModel, sim: SimTree) -> None:
    config, capacity = tiny("q8_0").config, Capacity(batch=3, context=100)
    cache = Workspace(config, capacity).cache
    one = config.kv_size * capacity.context * 2
    starts = [
        cache.sequence(layer, sequence)[0].address - cache.keys.address
        for layer in range(config.layers)
        for sequence in range(capacity.batch)
    ]
    assert starts == [one * i for i in range(config.layers * capacity.batch)]


def test_sizes_for_people() -> None:
    assert [size_text(n) for n in (17, 2048, 5 << 20, 3 << 29)] == [
        "17 bytes",
        "2 KiB",
        "5 MiB",
        "1.5 GiB",
    ]
