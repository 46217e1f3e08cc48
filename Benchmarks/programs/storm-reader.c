// storm-reader [all]: the minimal program that follows which windows are mapped. It selects events of the root
// window's children. For each change of _NET_ACTIVE_WINDOW it prints its value, the number of events before it and the
// number of unmapped windows. With `all` it also selects on each window in _NET_CLIENT_LIST the events that xphase
// selects.
#include "desktop.h"

#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { table_size = 1 << 16 };

typedef struct {
    Display *display;
    Atom active;
    long events;
    int unmapped;
    // Indexed by the lower half of the id: the server numbers the windows of a client from 0.
    bool is_unmapped[table_size];
} Reader;

static unsigned long *read_windows(Display *display, const char *name, unsigned long *count)
{
    Atom type;
    int format;
    unsigned long left;
    unsigned char *words = NULL;
    XGetWindowProperty(display, DefaultRootWindow(display), desktop_atom(display, name), 0, 1 << 16, False,
                       XA_WINDOW, &type, &format, count, &left, &words);
    return (unsigned long *)words;
}

static void report(Reader *reader)
{
    unsigned long count = 0;
    unsigned long *active = read_windows(reader->display, "_NET_ACTIVE_WINDOW", &count);
    char line[96];
    int length = snprintf(line, sizeof line, "0x%lx after %ld events, %d unmapped\n", count ? *active : 0,
                          reader->events, reader->unmapped);
    if (active)
        XFree(active);
    if (write(STDOUT_FILENO, line, (size_t)length) < 0)
        _exit(1);
}

static void note(Reader *reader, Window window, bool unmapped)
{
    bool *known = &reader->is_unmapped[window % table_size];
    reader->unmapped += unmapped - *known;
    *known = unmapped;
}

static void take(Reader *reader, const XEvent *event)
{
    reader->events++;
    if (event->type == UnmapNotify)
        note(reader, event->xunmap.window, true);
    else if (event->type == MapNotify)
        note(reader, event->xmap.window, false);
    else if (event->type == PropertyNotify && event->xproperty.atom == reader->active)
        report(reader);
}

static void follow_each(Display *display)
{
    unsigned long count = 0;
    unsigned long *windows = read_windows(display, "_NET_CLIENT_LIST", &count);
    for (unsigned long window = 0; window < count; window++)
        XSelectInput(display, windows[window],
                     StructureNotifyMask | PropertyChangeMask | FocusChangeMask | VisibilityChangeMask |
                         EnterWindowMask | LeaveWindowMask);
    if (windows)
        XFree(windows);
}

int main(int count, char **arguments)
{
    (void)arguments;
    static Reader reader;
    reader.display = desktop_open();
    reader.active = desktop_atom(reader.display, "_NET_ACTIVE_WINDOW");
    XSelectInput(reader.display, DefaultRootWindow(reader.display),
                 SubstructureNotifyMask | PropertyChangeMask);
    if (count > 1)
        follow_each(reader.display);
    report(&reader);
    struct pollfd socket = {.fd = ConnectionNumber(reader.display), .events = POLLIN};
    for (;;) {
        while (XPending(reader.display)) {
            XEvent event;
            XNextEvent(reader.display, &event);
            take(&reader, &event);
        }
        poll(&socket, 1, -1);
    }
}
