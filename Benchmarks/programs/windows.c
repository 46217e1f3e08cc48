// windows COUNT [DEAD|managed|wallpaper]: makes COUNT windows, prints "ready" and keeps the windows until its standard
// input ends. It lists them in _NET_CLIENT_LIST: with DEAD, among that many ids of nonexistent windows; with
// `wallpaper`, above an unmanaged window that covers the screen. With `managed` it waits until a window manager lists
// them.
#include "desktop.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

// Seconds.
enum { listing_limit = 60 };

static Window make(Display *display, int number, bool managed)
{
    char name[32];
    snprintf(name, sizeof name, "App%d", number);
    Window window = desktop_window(display, name, number, !managed);
    XMapWindow(display, window);
    return window;
}

static unsigned long listed(Display *display)
{
    Atom type;
    int format;
    unsigned long count = 0, left;
    unsigned char *words = NULL;
    XGetWindowProperty(display, DefaultRootWindow(display), desktop_atom(display, "_NET_CLIENT_LIST"), 0,
                       1 << 16, False, XA_WINDOW, &type, &format, &count, &left, &words);
    if (words)
        XFree(words);
    return count;
}

static void await_listing(Display *display, int count)
{
    alarm(listing_limit);
    for (XEvent event; listed(display) < (unsigned long)count;)
        do
            XNextEvent(display, &event);
        while (event.type != PropertyNotify ||
               event.xproperty.atom != desktop_atom(display, "_NET_CLIENT_LIST"));
    alarm(0);
}

static void list_all(Display *display, int living, int dead)
{
    Window *list = calloc((size_t)(living + dead), sizeof *list);
    if (!list)
        err(EX_OSERR, "calloc");
    int length = 0;
    for (int number = 0; number < living; number++) {
        list[length++] = make(display, number, false);
        if (number < dead) {
            list[length] = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
            XDestroyWindow(display, list[length++]);
        }
    }
    desktop_list(display, list, length);
    desktop_active(display, list[0]);
    XSync(display, False);
    XSetInputFocus(display, list[0], RevertToParent, CurrentTime);
    free(list);
}

static void make_wallpaper(Display *display)
{
    Window root = DefaultRootWindow(display);
    unsigned width = (unsigned)DisplayWidth(display, 0), height = (unsigned)DisplayHeight(display, 0);
    XSetWindowAttributes attributes = {.override_redirect = True};
    Window window = XCreateWindow(display, root, 0, 0, width, height, 0, CopyFromParent, InputOutput,
                                  CopyFromParent, CWOverrideRedirect, &attributes);
    XMapWindow(display, window);
}

int main(int count, char **arguments)
{
    if (count < 2)
        errx(EX_USAGE, "usage: windows COUNT [DEAD|managed|wallpaper]");
    int living = atoi(arguments[1]);
    Display *display = desktop_open();
    if (count > 2 && strcmp(arguments[2], "managed") == 0) {
        XSelectInput(display, DefaultRootWindow(display), PropertyChangeMask);
        for (int number = 0; number < living; number++)
            make(display, number, true);
        // The window manager focuses one of them.
        await_listing(display, living);
    } else {
        if (count > 2 && strcmp(arguments[2], "wallpaper") == 0)
            make_wallpaper(display);
        list_all(display, living, count > 2 ? atoi(arguments[2]) : 0);
    }
    XSync(display, False);
    puts("ready");
    fflush(stdout);
    while (read(STDIN_FILENO, &(char){0}, 1) > 0) {
    }
}
