// What a plain Xlib program does to see all windows: it reads seven properties of each, one after the other.
#include "desktop.h"

#include <X11/Xutil.h>
#include <stdio.h>

static const char *const read_of_each[] = {"WM_CLASS",           "_NET_WM_NAME",  "_NET_WM_PID",
                                           "WM_STATE",           "_NET_WM_STATE", "_NET_WM_DESKTOP",
                                           "_NET_WM_WINDOW_TYPE"};
enum { reads = sizeof read_of_each / sizeof *read_of_each };

static unsigned char *read_property(Display *display, Window window, Atom atom, unsigned long *count)
{
    Atom type;
    int format;
    unsigned long left;
    unsigned char *value = NULL;
    XGetWindowProperty(display, window, atom, 0, 1 << 20, False, AnyPropertyType, &type, &format, count,
                       &left, &value);
    return value;
}

// A window may no longer exist.
static int ignore(Display *display, XErrorEvent *event)
{
    (void)display, (void)event;
    return 0;
}

int main(void)
{
    Display *display = desktop_open();
    XSetErrorHandler(ignore);
    const char *names[reads + 1] = {"_NET_CLIENT_LIST"};
    for (int name = 0; name < reads; name++)
        names[name + 1] = read_of_each[name];
    Atom atoms[reads + 1];
    XInternAtoms(display, (char **)names, reads + 1, False, atoms);
    unsigned long windows = 0;
    Window *list = (Window *)read_property(display, DefaultRootWindow(display), atoms[0], &windows);
    for (unsigned long window = 0; window < windows; window++) {
        printf("0x%lx", list[window]);
        for (int name = 1; name <= reads; name++) {
            unsigned long count;
            unsigned char *value = read_property(display, list[window], atoms[name], &count);
            printf("\t%lu", value ? count : 0);
            if (value)
                XFree(value);
        }
        putchar('\n');
    }
    if (list)
        XFree(list);
}
