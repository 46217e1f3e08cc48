// raises COUNT: makes COUNT windows with random positions and sizes and prints "ready". For each line of standard
// input, a number, it raises that many windows, one after the other, and prints "done".
#include "desktop.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>
#include <unistd.h>

// Microseconds. By then the observer sleeps again, though valgrind makes it fifty times slower.
enum { gap = 30000 };

static void say(const char *word)
{
    puts(word);
    fflush(stdout);
}

int main(int argument_count, char **arguments)
{
    if (argument_count != 2)
        errx(EX_USAGE, "usage: raises COUNT");
    int count = atoi(arguments[1]);
    if (count < 1)
        errx(EX_USAGE, "COUNT is at least 1");
    Display *display = desktop_open();
    Window *windows = calloc((size_t)count, sizeof *windows);
    if (!windows)
        err(EX_OSERR, "calloc");
    // The same numbers in every run.
    srand(1);
    for (int number = 0; number < count; number++) {
        char name[32];
        snprintf(name, sizeof name, "App%d", number);
        windows[number] = desktop_window(display, name, number, false);
        XMoveResizeWindow(display, windows[number], rand() % 1000, rand() % 800,
                          (unsigned)(50 + rand() % 350), (unsigned)(50 + rand() % 250));
        XMapWindow(display, windows[number]);
    }
    // Otherwise the focus follows the pointer.
    XSync(display, False);
    XSetInputFocus(display, windows[0], RevertToParent, CurrentTime);
    XSync(display, False);
    say("ready");
    for (int raises; scanf("%d", &raises) == 1;) {
        while (raises-- > 0) {
            XRaiseWindow(display, windows[rand() % count]);
            XSync(display, False);
            usleep(gap);
        }
        say("done");
    }
}
