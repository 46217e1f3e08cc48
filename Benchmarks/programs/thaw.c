// thaw WINDOW PID: continues the process PID whenever the window is mapped, or the window manager is asked to
// activate it.
#include "desktop.h"

#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sysexits.h>

int main(int count, char **arguments)
{
    if (count != 3)
        errx(EX_USAGE, "usage: thaw WINDOW PID");
    Window window = strtoul(arguments[1], NULL, 0);
    pid_t pid = atoi(arguments[2]);
    Display *display = desktop_open();
    Atom activate = desktop_atom(display, "_NET_ACTIVE_WINDOW");
    XSelectInput(display, window, StructureNotifyMask);
    XSelectInput(display, DefaultRootWindow(display), SubstructureNotifyMask);
    XSync(display, False);
    puts("ready");
    fflush(stdout);
    int socket = ConnectionNumber(display);
    for (;;) {
        while (XPending(display)) {
            XEvent event;
            XNextEvent(display, &event);
            bool isMapped = event.type == MapNotify && event.xmap.window == window;
            bool isWanted = event.type == ClientMessage && event.xclient.window == window &&
                            event.xclient.message_type == activate;
            if ((isMapped || isWanted) && kill(pid, SIGCONT))
                err(EX_OSERR, "kill");
        }
        fd_set ready;
        FD_ZERO(&ready);
        FD_SET(socket, &ready);
        select(socket + 1, &ready, NULL, NULL, NULL);
    }
}
