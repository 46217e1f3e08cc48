// The minimal program that follows the focus by FocusIn on the existing windows: poll(2) and one line for each change,
// with no read.
#include "desktop.h"

#include <poll.h>
#include <stdio.h>
#include <unistd.h>

static void report(Window window)
{
    char line[32];
    int length = snprintf(line, sizeof line, "0x%lx\n", window);
    if (write(STDOUT_FILENO, line, (size_t)length) < 0)
        _exit(1);
}

static void follow(Display *display)
{
    Atom list = desktop_atom(display, "_NET_CLIENT_LIST"), type;
    int format;
    unsigned long count, left;
    unsigned char *words = NULL;
    XGetWindowProperty(display, DefaultRootWindow(display), list, 0, 1024, False, XA_WINDOW, &type, &format,
                       &count, &left, &words);
    for (unsigned long index = 0; index < count; index++)
        XSelectInput(display, ((unsigned long *)words)[index], FocusChangeMask);
    if (words)
        XFree(words);
}

int main(void)
{
    Display *display = desktop_open();
    follow(display);
    Window focus;
    int revert;
    XGetInputFocus(display, &focus, &revert);
    report(focus);
    struct pollfd socket = {.fd = ConnectionNumber(display), .events = POLLIN};
    for (;;) {
        while (XPending(display)) {
            XEvent event;
            XNextEvent(display, &event);
            bool isMove = event.type == FocusIn &&
                          (event.xfocus.mode == NotifyNormal || event.xfocus.mode == NotifyWhileGrabbed);
            if (isMove)
                report(event.xfocus.window);
        }
        poll(&socket, 1, -1);
    }
}
