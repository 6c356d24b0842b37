"""Runs one scenario of a program: python3 PROGRAM PORT SCENARIO. It fails by an exception; exit code 77 says that the
installed library is too old for it, and why. "list" as the only argument prints the scenarios' names."""

import contextlib
import os
import signal
import subprocess
import sys
import time

TOO_OLD = 77


class TooOld(Exception):
    """The installed library has no such thing."""


def run(scenarios):
    """Runs the scenario that the command line names, of functions that take the server's port."""
    by_name = {scenario.__name__: scenario for scenario in scenarios}
    if sys.argv[1] == "list":
        print("\n".join(by_name))
        return

    try:
        by_name[sys.argv[2]](int(sys.argv[1]))
    except TooOld as missing:
        print(missing)
        sys.exit(TOO_OLD)


def until(is_true):
    """Asks until the answer is yes; the test that started the process sets the limit."""
    while not is_true():
        time.sleep(0.02)


def refuses(kind, call):
    """The text of the exception of this kind that the call ends with."""
    try:
        call()
    except kind as refusal:
        return str(refusal)
    raise AssertionError(f"no {kind.__name__}")


@contextlib.contextmanager
def running(*arguments):
    """A Python process beside this one, which is killed with its children when the block ends. Gives its
    subprocess.Popen."""
    process = subprocess.Popen([sys.executable, "-B", *arguments], start_new_session=True)
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
