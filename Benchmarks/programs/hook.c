// hook FIFO [TEXT]: writes TEXT, or else its standard input, to FIFO.
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    if (count < 2)
        errx(EX_USAGE, "usage: hook FIFO [TEXT]");
    int fifo = open(arguments[1], O_WRONLY);
    if (fifo < 0)
        err(EX_NOINPUT, "%s", arguments[1]);
    char bytes[4096];
    const char *text = count > 2 ? arguments[2] : bytes;
    ssize_t length = count > 2 ? (ssize_t)strlen(text) : read(STDIN_FILENO, bytes, sizeof bytes);
    if (length < 0 || write(fifo, text, (size_t)length) != length)
        err(EX_IOERR, "%s", arguments[1]);
}
