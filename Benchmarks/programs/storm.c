// storm maps|all: makes two windows that take turns having the focus, Alpha and Beta, and 64 others, App0 to App63.
// Each line of standard input is a number of events, which storm makes at once: it unmaps or maps App0, App1 … in
// turn. With `all` it also changes titles, moves the focus, and opens or closes a window. Then it moves the focus once
// more. When the server has processed all requests, storm prints "made" with the name and the id of the focused
// window.
#include "desktop.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

enum { focus_count = 2, application_count = 64 };

typedef struct {
    Display *display;
    // The windows that take the focus, then the others. The last one exists only while it is open.
    Window windows[focus_count + application_count + 1];
    bool is_unmapped[application_count], is_open;
} Storm;

static void name_of(int place, char name[32])
{
    if (place < focus_count)
        strcpy(name, place == 0 ? "Alpha" : "Beta");
    else
        snprintf(name, 32, "App%d", place - focus_count);
}

static void list(Storm *storm)
{
    desktop_list(storm->display, storm->windows, focus_count + application_count + storm->is_open);
}

static void focus(Storm *storm, int place)
{
    XSetInputFocus(storm->display, storm->windows[place], RevertToParent, CurrentTime);
    desktop_active(storm->display, storm->windows[place]);
}

static void toggle(Storm *storm, int place)
{
    Window window = storm->windows[focus_count + place];
    (storm->is_unmapped[place] ? XMapWindow : XUnmapWindow)(storm->display, window);
    storm->is_unmapped[place] ^= true;
}

static void retitle(Storm *storm, int place, long number)
{
    char title[32];
    snprintf(title, sizeof title, "Title %ld", number);
    desktop_title(storm->display, storm->windows[focus_count + place], title);
}

static void open_or_close(Storm *storm)
{
    Window *last = &storm->windows[focus_count + application_count];
    storm->is_open ^= true;
    if (storm->is_open) {
        *last = desktop_window(storm->display, "Guest", 0, true);
        XMapWindow(storm->display, *last);
    } else {
        XDestroyWindow(storm->display, *last);
    }
    list(storm);
}

static void make(Storm *storm, long number, bool all)
{
    int place = (int)(number % application_count);
    // The server refuses to focus an unmapped window.
    if (all && number % 7 == 2 && !storm->is_unmapped[place])
        focus(storm, focus_count + place);
    else if (all && number % 7 == 4)
        retitle(storm, place, number);
    else if (all && number % 7 == 6)
        open_or_close(storm);
    else
        toggle(storm, place);
}

// Makes the windows small and places them side by side: overlaps would only be work for the server.
static void set_up(Storm *storm)
{
    for (int place = 0; place < focus_count + application_count; place++) {
        char name[32];
        name_of(place, name);
        Window window = storm->windows[place] = desktop_window(storm->display, name, 0, true);
        XMoveResizeWindow(storm->display, window, place % 10 * 24, place / 10 * 24, 16, 16);
        XMapWindow(storm->display, window);
    }
    list(storm);
    XSync(storm->display, False);
    focus(storm, 0);
    XSync(storm->display, False);
}

int main(int count, char **arguments)
{
    if (count != 2)
        errx(EX_USAGE, "usage: storm maps|all");
    bool all = strcmp(arguments[1], "all") == 0;
    static Storm storm;
    storm.display = desktop_open();
    set_up(&storm);
    puts("ready");
    fflush(stdout);
    char line[32], name[32];
    for (int focused = 1; fgets(line, sizeof line, stdin); focused = !focused) {
        for (long number = 0, events = atol(line); number < events; number++)
            make(&storm, number, all);
        focus(&storm, focused);
        XSync(storm.display, False);
        name_of(focused, name);
        printf("made %s 0x%lx\n", name, storm.windows[focused]);
        fflush(stdout);
    }
}
