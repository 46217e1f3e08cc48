"""The rows of one module, told as they are measured, and the page that keeps them."""

import subprocess

from measuring import table
from measuring.failure import Failure


def report(bench, name, module, tell):
    """Tells its rows and returns the exit code they ask for: 1 if a target is missed, 2 if a row failed."""
    code = 0
    try:
        for row in module.measure(bench):
            tell(row.line())
            code = max(code, int(row.is_missed))
    except (Failure, OSError, subprocess.SubprocessError) as failure:
        tell(table.unmeasured(name, failure))
        code = 2
    return code


def write(page, lines):
    """Puts them into the page in place of those of the last run."""
    heading = "## The last run\n"
    before, found, _ = page.read_text().partition(heading)
    if not found:
        raise Failure(f"{page} has no heading '{heading.strip()}'")
    page.write_text("\n".join([before + heading, *lines]) + "\n")
