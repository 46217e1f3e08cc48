#include "desktop.h"

#include <X11/Xutil.h>
#include <err.h>
#include <stdint.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

Display *desktop_open(void)
{
    Display *display = XOpenDisplay(NULL);
    if (!display)
        errx(EX_UNAVAILABLE, "cannot open the display %s", XDisplayName(NULL));
    return display;
}

Atom desktop_atom(Display *display, const char *name)
{
    // Xlib caches atoms.
    return XInternAtom(display, name, False);
}

static void set_words(Display *display, Window window, const char *name, Atom type, const long *words,
                      int count)
{
    XChangeProperty(display, window, desktop_atom(display, name), type, 32, PropModeReplace,
                    (const unsigned char *)words, count);
}

void desktop_title(Display *display, Window window, const char *title)
{
    XStoreName(display, window, title);
    XChangeProperty(display, window, desktop_atom(display, "_NET_WM_NAME"),
                    desktop_atom(display, "UTF8_STRING"), 8, PropModeReplace, (const unsigned char *)title,
                    (int)strlen(title));
}

Window desktop_window(Display *display, const char *name, int place, bool state)
{
    Window window =
        XCreateSimpleWindow(display, DefaultRootWindow(display), place % 700, place % 500, 200, 150, 0, 0, 0);
    XClassHint class = {(char *)name, (char *)name};
    XWMHints hints = {.flags = InputHint | StateHint, .input = True, .initial_state = NormalState};
    XSizeHints sizes = {.flags = USPosition, .x = place % 700, .y = place % 500};
    XSetClassHint(display, window, &class);
    XSetWMHints(display, window, &hints);
    XSetWMNormalHints(display, window, &sizes);
    desktop_title(display, window, name);
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    XChangeProperty(display, window, XA_WM_CLIENT_MACHINE, XA_STRING, 8, PropModeReplace,
                    (const unsigned char *)host, (int)strlen(host));
    set_words(display, window, "_NET_WM_PID", XA_CARDINAL, (long[]){getpid()}, 1);
    set_words(display, window, "_NET_WM_WINDOW_TYPE", XA_ATOM,
              (long[]){(long)desktop_atom(display, "_NET_WM_WINDOW_TYPE_NORMAL")}, 1);
    if (state) {
        Atom atom = desktop_atom(display, "WM_STATE");
        set_words(display, window, "WM_STATE", atom, (long[]){NormalState, None}, 2);
        set_words(display, window, "_NET_WM_DESKTOP", XA_CARDINAL, (long[]){0}, 1);
    }
    return window;
}

void desktop_list(Display *display, const Window *windows, int count)
{
    // Window is an unsigned long.
    const long *words = (const long *)windows;
    set_words(display, DefaultRootWindow(display), "_NET_CLIENT_LIST", XA_WINDOW, words, count);
    set_words(display, DefaultRootWindow(display), "_NET_CLIENT_LIST_STACKING", XA_WINDOW, words, count);
}

void desktop_check(Display *display, Window window)
{
    const long words[] = {(long)window};
    set_words(display, DefaultRootWindow(display), "_NET_SUPPORTING_WM_CHECK", XA_WINDOW, words, 1);
    set_words(display, window, "_NET_SUPPORTING_WM_CHECK", XA_WINDOW, words, 1);
}

void desktop_active(Display *display, Window window)
{
    set_words(display, DefaultRootWindow(display), "_NET_ACTIVE_WINDOW", XA_WINDOW, (long[]){(long)window},
              1);
}
