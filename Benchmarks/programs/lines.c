#include "lines.h"

#include <err.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

double lines_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool holds(const char *line, const char words[][lines_word_size], int count)
{
    for (int word = 0; word < count; word++)
        if (!strstr(line, words[word]))
            return false;
    return true;
}

// Removes whole lines from the front, up to the first one that contains all words.
static bool take(Lines *lines, const char words[][lines_word_size], int count)
{
    bool found = false;
    char *start = lines->bytes, *end = lines->bytes + lines->length, *newline;
    while (!found && (newline = memchr(start, '\n', (size_t)(end - start)))) {
        *newline = 0;
        found = holds(start, words, count);
        lines->taken++;
        start = newline + 1;
    }
    lines->length = (size_t)(end - start);
    memmove(lines->bytes, start, lines->length);
    return found;
}

static void fill(Lines *lines, double deadline, const char *wanted)
{
    struct pollfd input = {.fd = lines->file, .events = POLLIN};
    int left = (int)((deadline - lines_clock()) * 1000);
    if (left <= 0 || poll(&input, 1, left) == 0)
        errx(EX_UNAVAILABLE, "no line came that has '%s'", wanted);
    if (!(input.revents & POLLIN))
        errx(EX_UNAVAILABLE, "the observer ended before a line that has '%s'", wanted);
    if (lines->length == sizeof lines->bytes)
        errx(EX_DATAERR, "a line is longer than %zu bytes", lines->length);
    ssize_t got = read(lines->file, lines->bytes + lines->length, sizeof lines->bytes - lines->length);
    if (got < 0)
        err(EX_IOERR, "the observer's lines");
    lines->length += (size_t)got;
    // The file may still grow.
    if (got == 0)
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

void lines_await(Lines *lines, const char words[][lines_word_size], int count, double seconds)
{
    double deadline = lines_clock() + seconds;
    while (!take(lines, words, count))
        fill(lines, deadline, words[0]);
}

void lines_skip(Lines *lines)
{
    struct pollfd input = {.fd = lines->file, .events = POLLIN};
    lines->length = 0;
    while (poll(&input, 1, 0) == 1)
        if (read(lines->file, lines->bytes, sizeof lines->bytes) <= 0)
            break;
}
