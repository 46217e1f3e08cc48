// focus-driver CHANGES GAP set|take|ask WORD...: makes two windows, Alpha and Beta, and moves the focus between them
// CHANGES times, GAP microseconds after the line that told of the last one. Standard input is what an observer
// writes; it has told of a change when all WORDs are in one line. In them %n stands for the name of the window that
// has the focus now, %w for its id. Writes the time of each change in microseconds, from before the request is
// sent to when the line is read.
//
// `set` sets the focus and _NET_ACTIVE_WINDOW, as where no window manager runs; `take` sets the focus, of which the
// window manager then tells; `ask` asks it for the focus.
#include "desktop.h"
#include "lines.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

enum { words_limit = 8, first_line_limit = 60, change_limit = 20 };

enum way { by_setting, by_taking, by_asking };
static const char *const ways[] = {"set", "take", "ask"};

static const char *const names[] = {"Alpha", "Beta"};

static void ask(Display *display, Window window) {
    XEvent event = {.xclient = {.type = ClientMessage,
                                .window = window,
                                .message_type = desktop_atom(display, "_NET_ACTIVE_WINDOW"),
                                .format = 32,
                                .data.l = {2, CurrentTime}}};
    XSendEvent(display, DefaultRootWindow(display), False, SubstructureNotifyMask | SubstructureRedirectMask, &event);
}

static void move_focus(Display *display, Window window, enum way way) {
    if (way == by_asking)
        ask(display, window);
    else
        XSetInputFocus(display, window, RevertToParent, CurrentTime);
    if (way == by_setting) desktop_active(display, window);
    XFlush(display);
}

static enum way read_way(const char *word) {
    for (enum way way = by_setting; way <= by_asking; way++)
        if (strcmp(word, ways[way]) == 0) return way;
    errx(EX_USAGE, "the focus is moved by 'set', 'take' or 'ask', not by '%s'", word);
}

// The words with %n and %w filled in, for one of the two windows.
static void fill(char **words, int count, const char *name, Window window, char filled[][128]) {
    for (int word = 0; word < count; word++) {
        char id[32];
        snprintf(id, sizeof id, "0x%lx", window);
        const char *percent = strchr(words[word], '%');
        int before = percent ? (int)(percent - words[word]) : (int)strlen(words[word]);
        snprintf(filled[word], sizeof filled[word], "%.*s%s%s", before, words[word],
                 !percent ? "" : percent[1] == 'w' ? id : name, percent ? percent + 2 : "");
    }
}

int main(int count, char **arguments) {
    int changes = count > 1 ? atoi(arguments[1]) : 0, words = count - 4;
    if (changes < 1 || words < 1 || words > words_limit)
        errx(EX_USAGE, "usage: focus-driver CHANGES GAP set|take|ask WORD...");
    useconds_t gap = (useconds_t)atoi(arguments[2]);
    enum way way = read_way(arguments[3]);
    double *times = calloc((size_t)changes, sizeof *times);
    if (!times) err(EX_OSERR, "calloc");

    Display *display = desktop_open();
    Window windows[2];
    static char wanted[2][words_limit][128];
    for (int which = 0; which < 2; which++) {
        windows[which] = desktop_window(display, names[which], 300 * which, way == by_setting);
        fill(arguments + 4, words, names[which], windows[which], wanted[which]);
        XSelectInput(display, windows[which], VisibilityChangeMask);
        XMapWindow(display, windows[which]);
        for (XEvent event = {0}; event.type != VisibilityNotify;) XNextEvent(display, &event);
        XSelectInput(display, windows[which], NoEventMask);
    }
    if (way == by_setting) desktop_list(display, windows, 2);
    move_focus(display, windows[0], way);
    XSync(display, False);
    puts("ready");
    fflush(stdout);

    Lines lines = {0};
    lines_await(&lines, wanted[0], words, first_line_limit);
    // What an observer does besides at its start.
    usleep(200000);
    lines_skip(&lines);
    for (int change = 0; change < changes; change++) {
        int which = (change + 1) % 2;
        double start = lines_clock();
        move_focus(display, windows[which], way);
        lines_await(&lines, wanted[which], words, change_limit);
        times[change] = lines_clock() - start;
        usleep(gap);
    }
    for (int change = 0; change < changes; change++) printf("%.1f\n", times[change] * 1e6);
}
