// The lines on standard input, a pipe or a file that grows.
#pragma once

#include <stddef.h>

typedef struct {
    char bytes[65536];
    size_t length;
} Lines;

double lines_clock(void);

// Waits for a line with all these words; ends the program when none comes within that many seconds.
void lines_await(Lines *lines, char words[][128], int count, double seconds);

// Forgets what is there already.
void lines_skip(Lines *lines);
