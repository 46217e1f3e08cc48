// follow [PROGRAM ARGUMENT...]: the least program that follows the focus. For each FocusIn on an existing window it
// prints the id of the window, or else runs PROGRAM by posix_spawn and waits for its end.
#define _GNU_SOURCE
#include <X11/Xlib.h>
#include <err.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

static void run(char **command)
{
    pid_t child;
    int status, failure = posix_spawnp(&child, command[0], NULL, NULL, command, environ);
    if (failure)
        errx(EX_UNAVAILABLE, "%s: %s", command[0], strerror(failure));
    waitpid(child, &status, 0);
}

int main(int count, char **arguments)
{
    Display *display = XOpenDisplay(NULL);
    if (!display)
        errx(EX_UNAVAILABLE, "cannot open the display");
    Window root, parent, *windows;
    unsigned length;
    if (!XQueryTree(display, DefaultRootWindow(display), &root, &parent, &windows, &length))
        errx(EX_UNAVAILABLE, "cannot read the windows");
    for (unsigned window = 0; window < length; window++)
        XSelectInput(display, windows[window], FocusChangeMask);
    for (XEvent event;;) {
        XNextEvent(display, &event);
        if (event.type != FocusIn || event.xfocus.mode != NotifyNormal)
            continue;
        if (count > 1)
            run(arguments + 1);
        else if (printf("0x%lx\n", event.xfocus.window) < 0 || fflush(stdout))
            err(EX_IOERR, "standard output");
    }
}
