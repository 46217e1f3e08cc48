// The words of the observer's line that reports that a window has received the focus.
#pragma once

#include "lines.h"

#include <X11/X.h>

typedef struct {
    int count;
    char each[lines_words_limit][lines_word_size];
} Words;

// Returns the COUNT words of the command line. Each may contain one placeholder: %n for the name of the window, %w for
// its id, %p for the phase of the first window, which is active when `place` is 0.
Words words_for(char **words, int count, const char *name, Window window, int place);
