// thaw-driver COUNT map|ask: iconifies the window of a process, the application Sleeper, and shows it again when the
// process is stopped, COUNT times. It first prints the window and the process. Then a word on standard input names who
// stops the process: `self` or `other`. For each round it prints the microseconds from before the request until the
// process runs again. `map` maps the window; `ask` asks the window manager to activate it.
#include "desktop.h"
#include "lines.h"

#include <X11/Xutil.h>
#include <err.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sysexits.h>
#include <unistd.h>

// Seconds.
enum { limit = 60 };

static int reported[2];

static void report(int number)
{
    (void)number;
    if (write(reported[1], "", 1) < 0)
        _exit(EX_IOERR);
}

static pid_t start_sleeper(Window *window)
{
    pid_t pid = fork();
    if (pid < 0)
        err(EX_OSERR, "fork");
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        Display *display = desktop_open();
        Window own = desktop_window(display, "Sleeper", 0, false);
        XMapWindow(display, own);
        XSync(display, False);
        signal(SIGCONT, report);
        if (write(reported[1], &own, sizeof own) < 0)
            err(EX_IOERR, "pipe");
        for (;;)
            pause();
    }
    if (read(reported[0], window, sizeof *window) != sizeof *window)
        errx(EX_UNAVAILABLE, "there is no window");
    return pid;
}

static void await_shown(Display *display, Window window, bool isShown)
{
    double end = lines_clock() + limit;
    for (XWindowAttributes found; XGetWindowAttributes(display, window, &found);) {
        if ((found.map_state == IsViewable) == isShown)
            return;
        if (lines_clock() > end)
            break;
        usleep(500);
    }
    errx(EX_UNAVAILABLE, "the window is not %s", isShown ? "shown" : "iconified");
}

static bool is_stopped(pid_t pid)
{
    char path[32], bytes[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = read(file, bytes, sizeof bytes - 1);
    close(file);
    bytes[length > 0 ? length : 0] = '\0';
    const char *name = strrchr(bytes, ')');
    return name && name[1] && name[2] == 'T';
}

static void await_stop(pid_t pid)
{
    for (double end = lines_clock() + limit; !is_stopped(pid); usleep(500))
        if (lines_clock() > end)
            errx(EX_UNAVAILABLE, "the process is not stopped");
}

static void ask(Display *display, Window window)
{
    XEvent event = {.xclient = {.type = ClientMessage,
                                .window = window,
                                .message_type = desktop_atom(display, "_NET_ACTIVE_WINDOW"),
                                .format = 32,
                                .data.l = {2, CurrentTime}}};
    XSendEvent(display, DefaultRootWindow(display), False, SubstructureNotifyMask | SubstructureRedirectMask,
               &event);
}

static double thaw(Display *display, Window window, bool asks)
{
    struct pollfd runs = {.fd = reported[0], .events = POLLIN};
    for (char bytes[64]; poll(&runs, 1, 0) > 0;)
        if (read(reported[0], bytes, sizeof bytes) < 0)
            err(EX_IOERR, "pipe");
    double start = lines_clock();
    if (asks)
        ask(display, window);
    else
        XMapWindow(display, window);
    XFlush(display);
    if (poll(&runs, 1, limit * 1000) < 1)
        errx(EX_UNAVAILABLE, "the process is not continued");
    return lines_clock() - start;
}

int main(int count, char **arguments)
{
    if (count != 3 || (strcmp(arguments[2], "map") != 0 && strcmp(arguments[2], "ask") != 0))
        errx(EX_USAGE, "usage: thaw-driver COUNT map|ask");
    bool asks = strcmp(arguments[2], "ask") == 0;
    if (pipe2(reported, O_CLOEXEC))
        err(EX_OSERR, "pipe2");
    Window window;
    pid_t pid = start_sleeper(&window);
    Display *display = desktop_open();
    await_shown(display, window, true);
    printf("0x%lx %d\n", window, (int)pid);
    fflush(stdout);
    char word[16] = "";
    if (scanf("%15s", word) != 1)
        errx(EX_DATAERR, "stdin must name the program that stops it");
    for (int left = atoi(arguments[1]); left > 0; left--) {
        XIconifyWindow(display, window, DefaultScreen(display));
        await_shown(display, window, false);
        if (strcmp(word, "self") == 0)
            kill(pid, SIGSTOP);
        await_stop(pid);
        // Leaves the observer time for its other work.
        usleep(100000);
        printf("%.1f\n", thaw(display, window, asks) * 1e6);
        await_shown(display, window, true);
        // Otherwise an observer that reads these events late would attribute them to the next round.
        usleep(100000);
    }
}
