# Odd code on purpose, in the syntax of Python 3.9, for interpreters and not for readers.
# ruff: noqa
# mypy: ignore-errors
"""Calls probe() in all the ways Python code can be running, and prints what was expected and found.

Runs under every supported version, so it keeps to the syntax of the oldest. Each printed line is a
JSON list: the case, the stack as Python itself sees it (innermost first), what the probe described.
"""

import asyncio
import contextlib
import ctypes
import functools
import gc
import json
import os
import sys
import threading

LIMIT = 16

lib = ctypes.CDLL(sys.argv[1])
lib.probe_body.restype = ctypes.c_char_p
lib.probe_body.argtypes = [ctypes.c_uint32]
lib.probe_notes.restype = ctypes.c_char_p
probe = lib.probe
lock = threading.Lock()


def stack(frame):
    found = []
    while frame is not None and len(found) < LIMIT:
        code = frame.f_code
        name = getattr(code, "co_qualname", code.co_name)
        found.append([code.co_filename, name, frame.f_lineno])
        frame = frame.f_back
    return found


def report(case, site, expected):
    if expected and not isinstance(expected, list):
        expected = stack(expected)
    body = json.loads(lib.probe_body(site))
    with lock:
        sys.stdout.buffer.write((json.dumps([case, expected, body]) + "\n").encode())


here = sys._getframe  # probe() and here() stand on one line: that line is what must be found

report("before start", probe(), [])
lib.probe_start()
report("module", probe(), here())


def in_function():
    report("function", probe(), here())


def in_lines():
    line = here().f_lineno
    site = [
        0,
        probe(),
    ][1]
    expected = stack(here())
    expected[0][2] = line + 3
    report("lines", site, expected)


class Made:
    report("class body", probe(), here())

    def __init__(self):
        report("init", probe(), here())

    def method(self):
        report("method", probe(), here())

    @property
    def value(self):
        report("property", probe(), here())

    def __enter__(self):
        report("enter", probe(), here())

    def __exit__(self, *_):
        report("exit", probe(), here())

    def __del__(self):
        report("del", probe(), here())

    def __lt__(self, other):
        report("compare", probe(), here())
        return True

    def __getattr__(self, name):
        report("getattr", probe(), here())


def generator():
    yield report("generator", probe(), here())
    yield report("generator resumed", probe(), here())


def delegating():
    yield from generator()


def decorated(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        report("decorator", probe(), here())
        return function(*arguments)

    return wrapper


@decorated
def behind_decorator():
    report("decorated", probe(), here())


@contextlib.contextmanager
def managed():
    report("context manager", probe(), here())
    yield


def recursive(depth):
    return recursive(depth - 1) if depth else report("recursion", probe(), here())


async def inner_coroutine():
    await asyncio.sleep(0)
    report("coroutine", probe(), here())


async def async_generator():
    yield report("async generator", probe(), here())


async def outer_coroutine():
    await asyncio.gather(inner_coroutine(), inner_coroutine())
    async for _ in async_generator():
        pass


def from_c():
    # sorted() and map() call back from C; so does qsort, through a frame of ctypes.
    sorted([2, 1], key=lambda _: report("sort key", probe(), here()) or 0)
    list(map(lambda _: report("map", probe(), here()), [1]))
    compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)

    def by_ctypes(_a, _b):
        report("ctypes callback", probe(), here())
        return 0

    ctypes.CDLL(None).qsort((ctypes.c_int * 2)(2, 1), 2, 4, compare(by_ctypes))


def generated_code():
    # The same few addresses are used again and again; only what lies there changes.
    for number in range(60):
        name = "<cell %d>" % (number % 50)
        source = "\n" * (number % 7) + "x = 1\n" * (number % 3) + "report('exec', probe(), here())"
        exec(compile(source, name, "exec"), globals())
    for number in range(60):
        space = dict(globals())
        exec("\n" * (number % 11) + "def f%d():\n report('made', probe(), here())" % number, space)
        space["f%d" % number]()
    eval("report('eval', probe(), here())")


def odd_names():
    for name in (
        '/tmp/a"\\\n\x01\x7fb.py',
        "/tmp/caf\xe9.py",
        "/tmp/\u03c0.py",
        "/tmp/\U0001f600.py",
    ):
        exec(compile("report('names', probe(), here())", name, "exec"), globals())
    exec(
        compile(
            "def \u03c0\U0001d400(): report('names', probe(), here())\n\u03c0A()",
            "/tmp/\udcff",
            "exec",
        ),
        globals(),
    )
    exec(compile("report('names', probe(), here())", "x" * 4096, "exec"), globals())


def in_threads():
    def work(number):
        for _ in range(20):
            report("thread", probe(), here())

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def dying_local():
    local = Made()
    return local is None


def collected():
    made = Made()
    made.itself = made
    del made
    gc.collect()


def in_foreign_thread_with_callback():
    # Python code that a thread runs which Python did not start.
    def work(_):
        report("foreign callback", probe(), here())
        return 0

    libc = ctypes.CDLL(None)
    thread = ctypes.c_ulong()
    start = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(work)
    assert libc.pthread_create(ctypes.byref(thread), None, start, None) == 0
    libc.pthread_join(thread, None)


def in_foreign_thread():
    # A thread that Python knows nothing of runs no Python code.
    libc = ctypes.CDLL(None)
    thread = ctypes.c_ulong()
    assert libc.pthread_create(ctypes.byref(thread), None, probe, None) == 0
    result = ctypes.c_void_p()
    libc.pthread_join(thread, ctypes.byref(result))
    report("foreign thread", (result.value or 0) & 0xFFFFFFFF, [])


def with_gil():
    report("with the GIL", ctypes.PyDLL(sys.argv[1]).probe(), here())


def long_function():
    # More line table than is kept: what is known of the beginning stays right.
    source = "def long():\n report('long', probe(), here())\n" + " x = (1,\n 2 +\n y)\n" * 30000
    space = dict(globals(), y=1)
    exec(compile(source, "<long>", "exec"), space)
    space["long"]()


def same_site_twice():
    sites = {probe() for _ in range(100)}
    report("same site", 0, [] if len(sites) == 1 and 0 not in sites else sorted(sites))


def traced():
    # Tracing rewrites instructions of running code.
    sys.settrace(lambda *_: None)
    report("traced", probe(), here())
    sys.settrace(None)
    report("no longer traced", probe(), here())


def in_child():
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        lib.probe_forget()
        report("child", probe(), here())
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(child, 0)


for _ in range(12):  # often enough for the interpreter to specialize its instructions
    in_function()
    in_lines()
    made = Made()
    made.method()
    made.value
    made.missing
    sorted([made, made])
    with made, managed():
        report("with", probe(), here())
    del made
    for _ in delegating():
        pass
    behind_decorator()
    recursive(3)
    [report("comprehension", probe(), here()) for _ in range(2)]
    list(report("generator expression", probe(), here()) for _ in range(2))
    (lambda: report("lambda", probe(), here()))()
    from_c()
    same_site_twice()
    dying_local()
    collected()

recursive(40)
recursive(400)
asyncio.run(outer_coroutine())
generated_code()
odd_names()
in_threads()
in_foreign_thread()
in_foreign_thread_with_callback()
with_gil()
long_function()
traced()
in_child()
report("notes " + lib.probe_notes().decode(), 0, [])
sys.stdout.flush()


class Last:
    def __del__(self, report=report, probe=probe, here=here):
        report("at the end", probe(), here())


last = Last()
