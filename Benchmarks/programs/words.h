// The words of an observer's line that tells of a window which has got the focus.
#pragma once

#include "lines.h"

#include <X11/X.h>

typedef struct {
    int count;
    char each[lines_words_limit][lines_word_size];
} Words;

// The COUNT words of the command line, in each of which one may be filled in: %n is the name of the window,
// %w its id, %p the phase of the first window, which is active when `place` is 0.
Words words_for(char **words, int count, const char *name, Window window, int place);
