// Lines from a descriptor: of a pipe or of a growing file.
#pragma once

#include <stddef.h>

enum { lines_words_limit = 8, lines_word_size = 128 };

typedef struct {
    int file;
    // The number of lines that have been removed.
    long taken;
    size_t length;
    char bytes[65536];
} Lines;

// Seconds on the monotonic clock.
double lines_clock(void);

// Removes lines up to one that contains all these words. Ends the program if none arrives within that many seconds.
void lines_await(Lines *lines, const char words[][lines_word_size], int count, double seconds);

// Discards the lines that have already arrived.
void lines_skip(Lines *lines);
