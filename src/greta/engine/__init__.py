"""The inference engine: Llama models on a HIP device, block by block.

    hip.choose_device("sim")
    model = open_model(find_model("smollm2"))
    enforce(model, SUPPORT)                          # the guard rail, before anything is allocated
    engine = Engine(model, Capacity(batch=1, context=512))
    request = Request([model.tokenizer.encode("The capital of France is")], max_tokens=8,
                      stops=model.tokenizer.stops)
    for piece in engine.generate(request):
        print(piece.text, end="", flush=True)

Weights go to the device once, the cache and the activations stay there, and decode is a graph that
is replayed for every token. What comes back comes through greta.engine.d2h.
"""

from greta.engine.engine import SUPPORT, Engine, log_probabilities
from greta.engine.generation import Generation, Piece, Statistics
from greta.engine.request import Request, Sampling
from greta.engine.trace import SITES, TraceSelection, parse_trace
from greta.engine.workspace import Capacity
from greta.errors import ContextLimitError, DeviceMemoryError, EngineError

__all__ = [
    "SITES",
    "SUPPORT",
    "Capacity",
    "ContextLimitError",
    "DeviceMemoryError",
    "Engine",
    "EngineError",
    "Generation",
    "Piece",
    "Request",
    "Sampling",
    "Statistics",
    "TraceSelection",
    "log_probabilities",
    "parse_trace",
]
