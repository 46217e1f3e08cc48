"""Prints the rows of a module as they are measured, and writes the page with the last run."""

import subprocess

from measuring import table
from measuring.failure import Failure


def report(bench, name, module, show):
    """Prints the rows, and returns the exit code: 1 if a target is missed, 2 if a measurement failed, else 0."""
    code = 0
    try:
        for row in module.measure(bench):
            show(row.line())
            code = max(code, int(row.is_missed))
    except (Failure, OSError, subprocess.SubprocessError) as failure:
        show(table.unmeasured(name, failure))
        code = 2
    return code


def write(page, lines):
    """Replaces the lines of the last run in the page."""
    heading = "## The last run\n"
    before, found, _ = page.read_text().partition(heading)
    if not found:
        raise Failure(f"{page} has no heading '{heading.strip()}'")
    page.write_text("\n".join([before + heading, *lines]) + "\n")
