"""Programs that are started for a measurement, and what the kernel knows of them."""

import contextlib
import os
import subprocess
from pathlib import Path

from measuring.failure import Failure


def everything_on(core):
    """For preexec_fn: the program runs on this core only; on any for None."""
    return None if core is None else lambda: os.sched_setaffinity(0, {core})


@contextlib.contextmanager
def running(command, core=None, **options):
    """A program that is ended by SIGTERM afterwards."""
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
    """Waits for a line of this word from a program that is driven through its standard output, in text."""
    line = process.stdout.readline()
    if line.strip() != word:
        raise Failure(f"{os.path.basename(process.args[0])} said '{line.strip()}' instead of '{word}'")


def resident(pid, kind="VmRSS"):
    """Resident memory in MB; VmRSS is all of it, as ps shows it, RssAnon what belongs to no file."""
    return status(pid, kind) / 1024


def status(pid, key):
    """A number of /proc/PID/status."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1])
    raise Failure(f"/proc/{pid}/status has no {key}")


def wakeups(pid):
    """How often all threads of a process have gone to sleep by themselves."""
    threads = [f"{pid}/task/{thread.name}" for thread in Path(f"/proc/{pid}/task").iterdir()]
    return sum(status(thread, "voluntary_ctxt_switches") for thread in threads)


def processor_ticks(pid):
    """The time on a processor that a process has had, and the children that it has waited for, in clock ticks."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(field) for field in fields[11:15])
