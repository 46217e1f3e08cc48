// The minimal program that depends on _NET_ACTIVE_WINDOW: poll(2), one read of the property and one line for each
// change.
#include "desktop.h"

#include <poll.h>
#include <stdio.h>
#include <unistd.h>

static void report(Display *display, Atom active)
{
    Atom type;
    int format;
    unsigned long count, left;
    unsigned char *words = NULL;
    XGetWindowProperty(display, DefaultRootWindow(display), active, 0, 1, False, XA_WINDOW, &type, &format,
                       &count, &left, &words);
    char line[32];
    int length = snprintf(line, sizeof line, "0x%lx\n", count ? *(unsigned long *)words : 0);
    if (words)
        XFree(words);
    if (write(STDOUT_FILENO, line, (size_t)length) < 0)
        _exit(1);
}

int main(void)
{
    Display *display = desktop_open();
    Atom active = desktop_atom(display, "_NET_ACTIVE_WINDOW");
    XSelectInput(display, DefaultRootWindow(display), PropertyChangeMask);
    report(display, active);
    struct pollfd socket = {.fd = ConnectionNumber(display), .events = POLLIN};
    for (;;) {
        bool changed = false;
        while (XPending(display)) {
            XEvent event;
            XNextEvent(display, &event);
            changed |= event.type == PropertyNotify && event.xproperty.atom == active;
        }
        if (changed)
            report(display, active);
        else
            poll(&socket, 1, -1);
    }
}
