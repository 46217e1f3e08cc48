// The lines that come from a descriptor: of a pipe or of a file that grows.
#pragma once

#include <stddef.h>

enum { lines_words_limit = 8, lines_word_size = 128 };

typedef struct {
    int file;
    // How many lines have been taken.
    long taken;
    size_t length;
    char bytes[65536];
} Lines;

// Seconds on the monotonic clock.
double lines_clock(void);

// Takes lines up to one with all these words; ends the program when none comes within that many seconds.
void lines_await(Lines *lines, const char words[][lines_word_size], int count, double seconds);

// Forgets what is there already.
void lines_skip(Lines *lines);
