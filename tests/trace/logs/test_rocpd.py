"""rocprofv3's databases: read, judged, what they cannot show, and that nothing in them runs."""

from __future__ import annotations

import random
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from greta.errors import UsageError
from greta.runs.gather import gather
from greta.trace.logs.formats import rocpd
from greta.trace.trace import Gap, Kind, Trace
from tests.trace.logs.judged import outcome, verdict_on
from tests.trace.logs.mutants import MUTATIONS, hold_for_all, holds
from tests.trace.logs.rocpd_writer import UUID, Database

DEVICE, HOST = 0x7F00_0000_0000, 0x5500_0000_0000
D2H = "DEVICE_TO_HOST"


@pytest.fixture(params=[3, 4])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    return Database(tmp_path / "4242_results.db", request.param)


@pytest.fixture
def third(tmp_path: Path) -> Database:
    return Database(tmp_path / "4242_results.db", 3)


def program(database: Database, copied: int = 4000) -> Database:
    database.malloc(DEVICE, 4000)
    database.launch("void scale<float, 4>(float*, int)")
    database.memcpy(HOST, DEVICE, copied, D2H)
    database.free(DEVICE)
    return database


def read(database: Database) -> Trace:
    (evidence,) = gather(database.write())
    return evidence.trace


def judged(database: Database) -> dict[str, Any]:
    return verdict_on(gather(database.write()))


def test_calls_and_what_they_caused(database: Database) -> None:
    trace = read(program(database))
    assert trace.operations["kind"].tolist() == [
        *(Kind.ALLOCATE, Kind.LAUNCH, Kind.COPY, Kind.FREE)
    ]
    assert (trace.pid, trace.source, trace.total_calls) == (4242, "rocprof", 4)
    (buffer,) = trace.allocations
    # What the program asked for, not what HSA rounded it to.
    assert (int(buffer["address"]), int(buffer["bytes"])) == (DEVICE, 4000)
    assert (int(buffer["made_by"]), int(buffer["freed_by"])) == (1, 4)
    launch = trace.describe(2)
    assert (launch.kernel, launch.grid) == ("void scale<float, 4>(float*, int)", (4, 1, 1))
    assert trace.accesses_of(2)["address"].tolist() == [DEVICE, HOST]
    assert trace.accesses_of(2)["bytes"].tolist() == [4000, 4000]


def test_what_a_database_cannot_show_is_a_limit(database: Database) -> None:
    assert set(read(program(database)).gaps) == {Gap.NO_ARGUMENTS, Gap.NO_FAILURES}
    database.rows.clear()
    database.with_arguments = False
    gaps = set(read(program(database)).gaps)
    without = {Gap.NO_SIZES, Gap.NO_ADDRESSES, Gap.NO_ORDER}
    assert gaps == {Gap.NO_ARGUMENTS, Gap.NO_FAILURES, *without}


def test_twins_of_a_copy_past_the_end(database: Database) -> None:
    verdict = judged(program(database))
    assert (verdict["verdict"], verdict["cause"]) == ("INCONCLUSIVE", None)
    database.rows.clear()
    verdict = judged(program(database, copied=4004))
    assert (verdict["verdict"], verdict["cause"]["call"]) == ("REPRODUCED", "hipMemcpy")
    assert outcome(verdict, "byte_size_mismatch") == "CONFIRMED"


def test_kernels_and_copies_without_calls(database: Database) -> None:
    database.kernel(0, "scale")
    database.copy(0, HOST, DEVICE, 64, D2H)
    trace = read(database)
    assert trace.operations["kind"].tolist() == [Kind.LAUNCH, Kind.COPY]
    assert trace.describe(2).name == f"memory copy {D2H}"
    assert trace.accesses_of(1)["address"].tolist() == [DEVICE]
    assert Gap.NO_ORDER in trace.gaps


def test_a_copy_in_several_parts_has_no_address_of_one(third: Database) -> None:
    """The engine copies through buffers of the runtime's own."""
    third.with_arguments = False
    stack = third.call("hipMemcpy")
    for part in (0, 4096):
        third.copy(stack, 0x6600_0000_0000, DEVICE + part, 4096, D2H)
    trace = read(third)
    assert (len(trace.operations), len(trace.accesses)) == (1, 0)
    assert Gap.NO_SIZES in trace.gaps


def test_processes_of_one_file(third: Database) -> None:
    program(third)
    third.rows.append(("rocpd_info_process", {"id": 2, "nid": 1, "pid": 99}))
    stack = third.call("hipDeviceSynchronize")
    third.rows[-1][1]["pid"] = 2
    assert stack
    assert sorted(one.trace.pid for one in gather(third.write())) == [99, 4242]


def test_other_databases_are_refused(third: Database, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE notes (text)")
    with pytest.raises(UsageError, match="but not of rocprofv3"):
        gather(other)
    third.version = 3
    path = program(third).write()
    with sqlite3.connect(path) as database:
        database.execute(f'UPDATE "rocpd_metadata{UUID}" SET value = 9')  # noqa: S608
    with pytest.raises(UsageError, match="schema version 9; versions 3 and 4 are read"):
        gather(path)
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE", b"CREATE \xffABLE"))
    with pytest.raises(UsageError, match="cannot be read as a database: its schema is no text"):
        gather(path)
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(UsageError, match="cannot be read as a database"):
        gather(path)


def replaced(path: Path, *statements: str) -> Path:
    """The table of regions is something else."""
    with sqlite3.connect(path) as database:
        database.execute(f'DROP TABLE "rocpd_region{UUID}"')
        for statement in statements:
            database.execute(statement.replace("REGIONS", f'"rocpd_region{UUID}"'))
    database.close()
    return path


ENDLESS = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i name_id FROM n"
)


@pytest.mark.parametrize(
    "statement",
    [
        f"CREATE VIEW REGIONS AS {ENDLESS}",
        "CREATE VIRTUAL TABLE REGIONS USING fts5(name_id, start)",
        "CREATE TABLE REGIONS (id, name_id AS (printf('%.*c', 90000000, 'x')), start, pid)",
        "CREATE TABLE REGIONS (id, name_id AS (load_extension('/tmp/x.so')), start, pid)",
    ],
)
def test_nothing_in_a_file_runs(third: Database, statement: str) -> None:
    """A view, a virtual table and computed columns in place of a table."""
    path = program(third).write()
    try:
        replaced(path, statement)
        with sqlite3.connect(path) as database:
            row = f'INSERT INTO "rocpd_region{UUID}" (id, start) VALUES (1, 5)'  # noqa: S608
            database.execute(row)
    except sqlite3.Error:
        pass  # a view takes no rows, and this SQLite may lack a module
    began = time.monotonic()
    try:
        traces = [one.trace for one in gather(path)]
    except UsageError:
        traces = []
    assert time.monotonic() - began < 10
    assert not [trace for trace in traces if "hipMalloc" in trace.calls]


def test_a_statement_that_takes_too_long_ends(
    third: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rocpd, "SECONDS", 0.0)
    monkeypatch.setattr(rocpd, "_STEPS", 1)
    with pytest.raises(UsageError, match="interrupted"):
        gather(program(third).write())


def test_rows_are_bounded(third: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rocpd, "MOST_ROWS", 2)
    gaps = read(program(third)).gaps
    assert "beyond 2" in gaps[Gap.DAMAGED]


def test_names_are_bounded(third: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rocpd, "MOST_TEXT", 20)
    assert "texts that are too many" in read(program(third)).gaps[Gap.DAMAGED]


def test_databases_of_a_folder(third: Database, tmp_path: Path) -> None:
    """As rocprofv3 leaves them; what else lies there does not matter."""
    program(third).write()
    with sqlite3.connect(tmp_path / "browser.db") as database:
        database.execute("CREATE TABLE notes (text)")
    (tmp_path / "notes.txt").write_text("nothing\n")
    (evidence,) = gather(tmp_path)
    assert len(evidence.trace.operations) == 4


def test_a_file_that_is_being_written_is_not_waited_for(third: Database) -> None:
    path = program(third).write()
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    assert gather(path)
    writer.close()


VALUES = (None, -1, 0, 1, 1 << 62, -(1 << 63), 1.5, "", "hipMemcpy", "0x7f0000000000", b"\0\xff")


def test_mutants_of_the_file(database: Database) -> None:
    path = program(database, copied=8192).write()
    data = path.read_bytes()

    def write(changed: bytes) -> Path:
        path.write_bytes(changed)
        return path

    hold_for_all(write, data, seed=database.version)


def test_mutants_of_the_rows(database: Database) -> None:
    """Any value in any cell, rows doubled and rows gone: a database that is whole."""
    program(database, copied=8192)
    path = database.write()
    kept, read_ = path.read_bytes(), 0
    for number in range(MUTATIONS):
        path.write_bytes(kept)
        change(path, random.Random(number))  # noqa: S311 - the same each time
        read_ += holds(path, judge=number % 10 == 0)
    assert read_ > MUTATIONS // 2


def change(path: Path, chance: random.Random) -> None:
    with sqlite3.connect(path, isolation_level=None) as database:
        database.execute("PRAGMA journal_mode=OFF")
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master")]
        tables = [name for name in tables if name.endswith(UUID)]
        for _ in range(chance.randint(1, 5)):
            table = chance.choice(tables)
            columns = [row[1] for row in database.execute(f'PRAGMA table_info("{table}")')]
            column = chance.choice([one for one in columns if one != "id"])
            what = chance.randrange(8)
            if what == 0:
                database.execute(f'DELETE FROM "{table}"')  # noqa: S608
            elif what == 1:
                rest = ", ".join(f'"{one}"' for one in columns if one != "id")
                database.execute(f'INSERT INTO "{table}" ({rest}) SELECT {rest} FROM "{table}"')  # noqa: S608
            else:
                one = f'UPDATE "{table}" SET "{column}" = ? WHERE abs(random()) % 2'  # noqa: S608
                database.execute(one, (chance.choice(VALUES),))
    database.close()


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("CREATE TABLE rocpd_region_0a (id INTEGER, start BIGINT)", "without any call or kernel"),
        ("CREATE VIEW rocpd_region AS SELECT 1 AS id", "views and not their tables"),
        ("CREATE TABLE rocpd_api (id INTEGER)", "rocmProfileData"),
        ("CREATE TABLE other (id INTEGER)", "not of rocprofv3"),
    ],
)
def test_what_cannot_be_judged_says_what_it_is(tmp_path: Path, statement: str, why: str) -> None:
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute(statement)
        database.commit()
    with pytest.raises(UsageError, match=why):
        gather(path)
