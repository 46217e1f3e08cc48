// spawn posix|system HOOK FIFO: runs `HOOK FIFO` for each FocusIn on the existing windows, as xphase does. It first
// reads what /proc reports about the window's process. The hook reads a line about the event from a memory file on
// standard input, writes to a pipe, and runs in its own process group with a clean signal state. A pidfd reports its
// end. With `system`, system(3) runs the hook without any of these, and the line is the second argument.
#include "desktop.h"

#include <err.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

// Reads the owner, the start time and the unit of a process, which decide whether the hook may learn of it.
static void read_process(pid_t pid)
{
    static const char *const files[] = {"stat", "status", "cgroup"};
    char bytes[4096], path[32];
    snprintf(path, sizeof path, "/proc/%d", (int)pid);
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        err(EX_OSERR, "%s", path);
    for (size_t each = 0; each < sizeof files / sizeof *files; each++) {
        int file = openat(folder, files[each], O_RDONLY | O_CLOEXEC);
        if (file < 0)
            err(EX_OSERR, "%s of %s", files[each], path);
        while (read(file, bytes, sizeof bytes) > 0) {
        }
        close(file);
    }
    close(folder);
}

static int memory_file(const char *line)
{
    int file = memfd_create("spawn", MFD_CLOEXEC);
    if (file < 0 || write(file, line, strlen(line)) < 0 || lseek(file, 0, SEEK_SET) < 0)
        err(EX_OSERR, "memfd_create");
    return file;
}

static pid_t start(char **command, int input, int output)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, "/");
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    pid_t child;
    int failure = posix_spawnp(&child, command[0], &actions, &attributes, command, environ);
    if (failure)
        errx(EX_UNAVAILABLE, "%s: %s", command[0], strerror(failure));
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

static void run_by_posix_spawn(char *hook, char *fifo, const char *line, pid_t pid)
{
    read_process(pid);
    int input = memory_file(line), output[2];
    if (pipe2(output, O_CLOEXEC) < 0)
        err(EX_OSERR, "pipe2");
    pid_t child = start((char *[]){hook, fifo, NULL}, input, output[1]);
    close(input);
    close(output[1]);
    char said[4096];
    while (read(output[0], said, sizeof said) > 0) {
    }
    close(output[0]);
    struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, child, 0), .events = POLLIN};
    if (end.fd < 0 || poll(&end, 1, -1) < 0)
        err(EX_OSERR, "pidfd_open");
    close(end.fd);
    waitpid(child, NULL, 0);
}

static void run_by_system(char *hook, char *fifo, const char *line, pid_t pid)
{
    (void)pid;
    char command[2 * PATH_MAX];
    snprintf(command, sizeof command, "'%s' '%s' '%s\n'", hook, fifo, line);
    if (system(command) != 0)
        errx(EX_UNAVAILABLE, "%s failed", command);
}

// Selects focus events on the windows and returns their process; all belong to one client.
static pid_t follow(Display *display)
{
    Window root, parent, *windows;
    unsigned count;
    pid_t pid = getpid();
    if (!XQueryTree(display, DefaultRootWindow(display), &root, &parent, &windows, &count))
        return pid;
    for (unsigned window = 0; window < count; window++) {
        XSelectInput(display, windows[window], FocusChangeMask);
        Atom type;
        int format;
        unsigned long items = 0, left;
        unsigned char *words = NULL;
        XGetWindowProperty(display, windows[window], desktop_atom(display, "_NET_WM_PID"), 0, 1, False,
                           XA_CARDINAL, &type, &format, &items, &left, &words);
        if (items)
            pid = (pid_t) * (long *)words;
        if (words)
            XFree(words);
    }
    if (windows)
        XFree(windows);
    return pid;
}

int main(int count, char **arguments)
{
    if (count != 4)
        errx(EX_USAGE, "usage: spawn posix|system HOOK FIFO");
    bool by_system = strcmp(arguments[1], "system") == 0;
    Display *display = desktop_open();
    pid_t pid = follow(display);
    Window focus;
    int revert;
    XGetInputFocus(display, &focus, &revert);
    for (XEvent event;; focus = event.xfocus.window) {
        char line[32];
        snprintf(line, sizeof line, by_system ? "0x%lx" : "0x%lx\n", focus);
        (by_system ? run_by_system : run_by_posix_spawn)(arguments[2], arguments[3], line, pid);
        do
            XNextEvent(display, &event);
        while (event.type != FocusIn || event.xfocus.mode != NotifyNormal);
    }
}
