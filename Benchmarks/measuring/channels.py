"""Channels for an observer's lines to the program that waits for them."""

import contextlib
import os
import time

from measuring.failure import Failure


class Channel:
    """The descriptor that the waiting program reads, and the one that the observer writes to."""

    def __init__(self, reading, writing):
        self.reading = reading
        self.writing = writing

    def give_away(self):
        """Closes the writing end here, so that the reader reaches the end of file when the observer ends."""
        if self.writing is not None:
            os.close(self.writing)
            self.writing = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.give_away()
        os.close(self.reading)


def pipe():
    return Channel(*os.pipe())


class File(Channel):
    """A file in memory; an observer never blocks when it writes to it."""

    def __init__(self):
        file = os.memfd_create("lines", os.MFD_CLOEXEC)
        path = f"/proc/self/fd/{file}"
        super().__init__(os.open(path, os.O_RDONLY), os.open(path, os.O_WRONLY | os.O_APPEND))
        os.close(file)
        self.partial = b""

    def wait(self, words, seconds):
        """Waits for a line with all these words."""
        deadline = time.monotonic() + seconds
        wanted = [word.encode() for word in words]
        while not any(all(word in line for word in wanted) for line in self.new_lines()):
            if time.monotonic() > deadline:
                raise Failure(f"no line has {' and '.join(words)}")
            time.sleep(0.0001)

    def new_lines(self):
        *lines, self.partial = (self.partial + os.read(self.reading, 1 << 20)).split(b"\n")
        return lines

    def text(self):
        """Returns everything that has been written, read or not."""
        return os.pread(self.reading, os.fstat(self.reading).st_size, 0).decode("utf-8", "replace")

    def clear(self):
        os.truncate(f"/proc/self/fd/{self.reading}", 0)
        os.lseek(self.reading, 0, os.SEEK_SET)
        self.partial = b""


def fifo(path):
    """Returns a channel that reads what hooks write to a FIFO, and discards the observer's own output."""
    with contextlib.suppress(FileExistsError):
        os.mkfifo(path)
    # Opened for reading and writing, so that the FIFO does not end between two hooks.
    return Channel(os.open(path, os.O_RDWR), os.open(os.devnull, os.O_WRONLY))
