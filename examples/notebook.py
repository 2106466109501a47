"""GRETA as a notebook uses it: run a faulty program, ask why it failed, see how often, report.

python examples/notebook.py [FOLDER]      FOLDER is where all of it is kept (a new one)
"""

import sys
import tempfile
from pathlib import Path

import greta

program = [sys.executable, str(Path(__file__).with_name("rope_overrun.py"))]
folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="greta-"))

# One run under the recorder.
run = greta.run(program, out=folder / "run")
print(f"exit code {run.exit_code}, {run.summary.calls} HIP calls, in {run.path}")

# Why did it fail?
verdict = run.verdict()
print(verdict.word, *verdict.confirmed)
if verdict.blamed:
    print(f"surfaced at call {verdict.blamed.seq}, {verdict.blamed.call}: {verdict.blamed.error}")
if verdict.cause:
    print(f"caused by call {verdict.cause.seq}, {verdict.cause.kernel or verdict.cause.call}")
if verdict.cause and verdict.cause.buffer:
    print(f"in the buffer {verdict.cause.buffer.name}, {verdict.cause.buffer.bytes} bytes")

# How often does it fail?
audit = greta.audit(
    program,
    iters=3,
    stress_iters=0,
    out=folder / "artifacts",
    progress=lambda step: print(f"{step.done} of {step.total}: {step.failures} failed"),
)
statistics = audit.summary.statistics
print(f"{audit.verdict.word}: {statistics.failures} of {statistics.runs} runs failed")

# For a person who has to decide something.
run.report(lang="es", path=folder / "informe.md")
audit.report(format="html", path=folder / "report.html")
print("ok")
