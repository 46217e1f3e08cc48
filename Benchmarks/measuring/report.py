"""The rows of one module, printed as they are measured."""

import subprocess

from measuring import table
from measuring.failure import Failure


def report(bench, name, module):
    """Prints its rows and returns the exit code they ask for: 1 if a target is missed, 2 if a row failed."""
    code = 0
    try:
        for row in module.measure(bench):
            print(row.line(), flush=True)
            code = max(code, int(row.is_missed))
    except (Failure, OSError, subprocess.SubprocessError) as failure:
        print(table.unmeasured(name, failure), flush=True)
        code = 2
    return code
