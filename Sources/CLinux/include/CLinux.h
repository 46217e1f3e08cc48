#ifndef CLINUX_H
#define CLINUX_H

#include <signal.h>
#include <stdint.h>
#include <time.h>

/* What Swift's Glibc does not import. Each returns -1 and sets errno when it fails. */

/* A descriptor that reads the given signals; they are blocked for the process from here on. */
int linux_signalfd(const int *signals, int count);

/* Takes one signal number from a signalfd; 0 when none waits. */
int linux_next_signal(int fd);

/* A timer on CLOCK_MONOTONIC, not set. */
int linux_timerfd(void);

/* Wakes the timer once at `nanoseconds` of CLOCK_MONOTONIC; 0 stops it. */
int linux_timer_set(int fd, int64_t nanoseconds);

/* Ends the process with `status` after writing `message` to stderr, when the time is over or something calls
 * exit(3), unless it is called again with 0 seconds first. The message must live until then.
 *
 * XOpenDisplay has no timeout: a host that drops packets or a stopped server holds it for minutes. And it
 * calls exit(1) when the server dies while it is opened. */
void linux_exit_after(unsigned seconds, const char *message, int status);

#endif
