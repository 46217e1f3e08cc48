"""Journals of any length, as `xphase run --journal` writes them."""

import contextlib
import datetime
import random
import tempfile
from pathlib import Path

# The journal starts a month ago, so that no line has a future timestamp.
DAYS = 30
PHASES = ["active", "inactive", "background"]


@contextlib.contextmanager
def journal(lines):
    """Yields the environment variables that select a journal of this many lines, and the paths of its files."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "xphase" / "journal"
        folder.mkdir(parents=True, mode=0o700)
        yield {"XDG_STATE_HOME": home}, write(folder, lines)


def write(folder, count):
    """Writes lines of sixty applications with three groups each; a fourth are titles. Returns the paths."""
    chance = random.Random(7)
    start = datetime.datetime.now(datetime.UTC).replace(minute=0, second=0, microsecond=0)
    start -= datetime.timedelta(days=DAYS)
    phases, paths, file = {}, [], None
    for number in range(count):
        seconds = number * DAYS * 86_400 / count
        time = start + datetime.timedelta(seconds=seconds)
        head = f'"run":7,"time":"{time:%Y-%m-%dT%H:%M:%S.%fZ}","clock":{1000 + seconds:.3f}'
        path = folder / f"{time:%Y-%m-%d}.jsonl"
        if not paths or path != paths[-1]:
            if file:
                file.close()
            file = path.open("w")
            is_continued = "true" if paths else "false"
            paths.append(path)
            file.write(f'{{"kind":"start",{head},"v":1,"display":":0","continued":{is_continued}}}\n')
            for (application, group), phase in phases.items():
                file.write(group_line(head, application, group, phase))
        application, group = f"Application{chance.randrange(60)}", f"group{chance.randrange(3)}"
        if number % 4 == 3:
            title = f'"title":"Page {chance.randrange(500)} of something"'
            file.write(
                f'{{"kind":"title",{head},"application":"{application}","group":"{group}",{title}}}\n'
            )
        else:
            phases[application, group] = chance.choice(PHASES)
            file.write(group_line(head, application, group, phases[application, group]))
    file.close()
    for path in paths:
        path.chmod(0o600)
    return paths


def group_line(head, application, group, phase):
    names = f'"application":"{application}","group":"{group}"'
    return f'{{"kind":"group",{head},{names},"to":"{phase}","cause":"focus"}}\n'
