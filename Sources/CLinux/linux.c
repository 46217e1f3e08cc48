#define _GNU_SOURCE
#include "CLinux.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

int linux_signalfd(const int *signals, int count)
{
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < count; i++)
        sigaddset(&set, signals[i]);
    if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
        return -1;
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

bool linux_ignores(int signal)
{
    struct sigaction action;
    return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int linux_next_signal(int fd)
{
    struct signalfd_siginfo info;
    return read(fd, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
}

int linux_timerfd(void)
{
    return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
}

int linux_timer_set(int fd, int64_t nanoseconds)
{
    struct itimerspec when = { .it_value = { nanoseconds / 1000000000, nanoseconds % 1000000000 } };
    return timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL);
}

int linux_clock_watch(void)
{
    int fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (fd < 0)
        return -1;
    /* The latest possible time: the timer must only be cancelled, never expire. */
    struct itimerspec when = { .it_value = { .tv_sec = INT64_MAX / 1000000000 } };
    if (timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &when, NULL) == 0)
        return fd;
    close(fd);
    return -1;
}

void linux_take_clock_change(int fd)
{
    uint64_t count;
    ssize_t ignored = read(fd, &count, sizeof count);
    (void)ignored;
}

/* Global, because neither a signal handler nor an exit handler accepts an argument for them. */
static const char *volatile deadline_message;
static int deadline_status;

static void give_up(void)
{
    if (!deadline_message)
        return;
    ssize_t ignored = write(STDERR_FILENO, deadline_message, strlen(deadline_message));
    (void)ignored;
    _exit(deadline_status);
}

static void deadline_passed(int signal)
{
    (void)signal;
    give_up();
}

void linux_exit_after(unsigned seconds, const char *message, int status)
{
    static bool is_registered;
    if (!seconds) {
        alarm(0);
        deadline_message = NULL;
        return;
    }
    if (!is_registered)
        is_registered = atexit(give_up) == 0;
    deadline_status = status;
    deadline_message = message;
    signal(SIGALRM, deadline_passed);
    alarm(seconds);
}

int linux_end_with_parent(int signal)
{
    return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0);
}
