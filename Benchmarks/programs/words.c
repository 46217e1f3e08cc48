#include "words.h"

#include <err.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

static const char *filling(char letter, const char *name, const char *id, int place)
{
    switch (letter) {
    case 'n': return name;
    case 'w': return id;
    case 'p': return place == 0 ? "active" : "inactive";
    default: errx(EX_USAGE, "words are filled in for %%n, %%w and %%p, not for %%%c", letter);
    }
}

Words words_for(char **words, int count, const char *name, Window window, int place)
{
    if (count < 1 || count > lines_words_limit)
        errx(EX_USAGE, "there may be 1 to %d words", lines_words_limit);
    Words filled = {.count = count};
    char id[32];
    snprintf(id, sizeof id, "0x%lx", window);
    for (int word = 0; word < count; word++) {
        const char *text = words[word], *percent = strchr(text, '%');
        int before = percent ? (int)(percent - text) : (int)strlen(text);
        snprintf(filled.each[word], lines_word_size, "%.*s%s%s", before, text,
                 percent ? filling(percent[1], name, id, place) : "", percent ? percent + 2 : "");
    }
    return filled;
}
