"""Starts programs for a measurement, and reads their figures from /proc."""

import contextlib
import os
import subprocess
from pathlib import Path

from measuring.failure import Failure


def everything_on(core):
    """Returns a preexec_fn that restricts the program to this core; None for any core."""
    return None if core is None else lambda: os.sched_setaffinity(0, {core})


@contextlib.contextmanager
def running(command, core=None, **options):
    """Runs a program, and ends it with SIGTERM afterwards."""
    process = subprocess.Popen(command, preexec_fn=everything_on(core), **options)
    try:
        yield process
    finally:
        end(process)
        for stream in (process.stdin, process.stdout):
            if stream:
                stream.close()


def end(process, seconds=10):
    if process.poll() is None:
        process.terminate()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def expect(process, word):
    """Waits for a line with only this word from a program whose standard output is a text pipe."""
    line = process.stdout.readline()
    if line.strip() != word:
        raise Failure(f"{os.path.basename(process.args[0])} printed '{line.strip()}' instead of '{word}'")


def resident(pid, kind="VmRSS"):
    """Returns the resident memory in MB: VmRSS is all of it, as ps shows it, RssAnon the anonymous memory."""
    return status(pid, kind) / 1024


def status(pid, key):
    """Returns a number from /proc/PID/status."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1])
    raise Failure(f"/proc/{pid}/status has no {key}")


def wakeups(pid):
    """Returns the number of voluntary context switches of all threads of a process."""
    threads = [f"{pid}/task/{thread.name}" for thread in Path(f"/proc/{pid}/task").iterdir()]
    return sum(status(thread, "voluntary_ctxt_switches") for thread in threads)


def processor_ticks(pid):
    """Returns the processor time of a process and of the children that it has waited for, in clock ticks."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(field) for field in fields[11:15])
