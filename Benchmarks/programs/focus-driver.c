// focus-driver CHANGES GAP set|take|ask|name WORD...: makes two windows, Alpha and Beta, and moves the focus between
// them CHANGES times, each time GAP microseconds after the line that reported the previous change. Standard input is
// the output of an observer. A line reports a change if it contains all WORDs; see words.h. For each change the driver
// prints the time in microseconds from before the request until the line is read, and the number of lines up to this
// one.
//
// `set` sets the focus and _NET_ACTIVE_WINDOW, as without a window manager. `take` sets the focus, and the window
// manager reports it. `ask` asks the window manager to set the focus. With `name` the driver is a window manager that
// keeps the focus in its own window and names Alpha or Beta in _NET_ACTIVE_WINDOW.
#include "desktop.h"
#include "words.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

// Seconds.
enum { first_line_limit = 60, change_limit = 20 };

enum way { by_setting, by_taking, by_asking, by_naming };
static const char *const ways[] = {"set", "take", "ask", "name"};

static const char *const names[] = {"Alpha", "Beta"};

static void ask(Display *display, Window window)
{
    XEvent event = {.xclient = {.type = ClientMessage,
                                .window = window,
                                .message_type = desktop_atom(display, "_NET_ACTIVE_WINDOW"),
                                .format = 32,
                                .data.l = {2, CurrentTime}}};
    XSendEvent(display, DefaultRootWindow(display), False, SubstructureNotifyMask | SubstructureRedirectMask,
               &event);
}

static void move_focus(Display *display, Window window, enum way way)
{
    if (way == by_asking)
        ask(display, window);
    else if (way != by_naming)
        XSetInputFocus(display, window, RevertToParent, CurrentTime);
    if (way == by_setting || way == by_naming)
        desktop_active(display, window);
    XFlush(display);
}

static enum way read_way(const char *word)
{
    for (enum way way = by_setting; way <= by_naming; way++)
        if (strcmp(word, ways[way]) == 0)
            return way;
    errx(EX_USAGE, "the focus is moved by 'set', 'take', 'ask' or 'name', not by '%s'", word);
}

// Waits until the window is visible, since the server refuses to focus a window that is not viewable.
static void show(Display *display, Window window)
{
    // A window manager may never show the window.
    alarm(first_line_limit);
    XSelectInput(display, window, VisibilityChangeMask);
    XMapWindow(display, window);
    for (XEvent event = {0}; event.type != VisibilityNotify;)
        XNextEvent(display, &event);
    XSelectInput(display, window, NoEventMask);
    alarm(0);
}

static void become_manager(Display *display)
{
    Window own = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
    XChangeWindowAttributes(display, own, CWOverrideRedirect,
                            &(XSetWindowAttributes){.override_redirect = True});
    desktop_title(display, own, "focus-driver");
    desktop_check(display, own);
    show(display, own);
    XSetInputFocus(display, own, RevertToPointerRoot, CurrentTime);
    // Only one client may select this event: the window manager.
    XSelectInput(display, DefaultRootWindow(display), SubstructureRedirectMask);
}

static void drive(Display *display, const Window *windows, const Words *words, enum way way, int changes,
                  useconds_t gap)
{
    Lines lines = {.file = STDIN_FILENO};
    lines_await(&lines, words[0].each, words[0].count, first_line_limit);
    // Leaves the observer time for its other work at startup.
    usleep(200000);
    lines_skip(&lines);
    for (int change = 1; change <= changes; change++) {
        const Words *wanted = &words[change % 2];
        lines.taken = 0;
        double start = lines_clock();
        move_focus(display, windows[change % 2], way);
        lines_await(&lines, wanted->each, wanted->count, change_limit);
        printf("%.1f %ld\n", (lines_clock() - start) * 1e6, lines.taken);
        usleep(gap);
    }
}

int main(int count, char **arguments)
{
    int changes = count > 1 ? atoi(arguments[1]) : 0;
    if (changes < 1 || count < 5)
        errx(EX_USAGE, "usage: focus-driver CHANGES GAP set|take|ask|name WORD...");
    enum way way = read_way(arguments[3]);
    Display *display = desktop_open();
    Window windows[2];
    Words words[2];
    for (int which = 0; which < 2; which++) {
        windows[which] = desktop_window(display, names[which], 300 * which,
                                        way == by_setting || way == by_naming);
        words[which] = words_for(arguments + 4, count - 4, names[which], windows[which], which);
        show(display, windows[which]);
    }
    if (way == by_setting || way == by_naming)
        desktop_list(display, windows, 2);
    if (way == by_naming)
        become_manager(display);
    move_focus(display, windows[0], way);
    XSync(display, False);
    puts("ready");
    fflush(stdout);
    drive(display, windows, words, way, changes, (useconds_t)atoi(arguments[2]));
}
