// windows COUNT [DEAD]: makes COUNT windows, listed in _NET_CLIENT_LIST, with DEAD ids among them that no
// window has; writes "ready" and keeps them until its standard input ends.
#include "desktop.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    if (count < 2)
        errx(EX_USAGE, "usage: windows COUNT [DEAD]");
    int living = atoi(arguments[1]), dead = count > 2 ? atoi(arguments[2]) : 0;
    Display *display = desktop_open();
    Window *list = calloc((size_t)(living + dead), sizeof *list);
    if (!list)
        err(EX_OSERR, "calloc");
    int length = 0;
    for (int number = 0; number < living; number++) {
        char name[32];
        snprintf(name, sizeof name, "App%d", number);
        list[length++] = desktop_window(display, name, number, true);
        XMapWindow(display, list[length - 1]);
        if (number < dead) {
            list[length] = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
            XDestroyWindow(display, list[length++]);
        }
    }
    desktop_list(display, list, length);
    desktop_active(display, list[0]);
    XSync(display, False);
    XSetInputFocus(display, list[0], RevertToParent, CurrentTime);
    XSync(display, False);
    puts("ready");
    fflush(stdout);
    while (read(STDIN_FILENO, &(char){0}, 1) > 0) {
    }
}
