#ifndef CLINUX_H
#define CLINUX_H

#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* What Swift's Glibc does not import. Each returns -1 and sets errno when it fails. */

/* A descriptor that reads the given signals; they are blocked for the process from here on. */
int linux_signalfd(const int *signals, int count);

/* Whether whoever started the process has a signal ignored, as nohup(1) does. A signalfd reads it all the same. */
bool linux_ignores(int signal);

/* Takes one signal number from a signalfd; 0 when none waits. */
int linux_next_signal(int fd);

/* A timer on CLOCK_MONOTONIC, not set. */
int linux_timerfd(void);

/* Wakes the timer once at `nanoseconds` of CLOCK_MONOTONIC; 0 stops it. */
int linux_timer_set(int fd, int64_t nanoseconds);

/* A descriptor that poll(2) calls readable when CLOCK_REALTIME was set, which waking up from a suspend does as well. */
int linux_clock_watch(void);

/* Makes such a descriptor unreadable until the next time. */
void linux_take_clock_change(int fd);

/* The arguments of the process, up to a NULL. Swift's CommandLine needs /proc, and replaces bytes that are not UTF-8. */
char *const *linux_arguments(void);

/* The variables of the process, each NAME=VALUE, up to a NULL. */
char *const *linux_environment(void);

/* Of spawn.h, for _DEFAULT_SOURCE only. Each returns 0, or the error's number. */
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *directory);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

/* A pipe whose reader, ends[0], never waits. */
int linux_pipe(int ends[2]);

/* A descriptor that poll(2) calls readable once the process has ended. */
int linux_pidfd(pid_t pid);

/* Sends a signal to the process of such a descriptor. */
int linux_pidfd_signal(int fd, int signal);

/* The process at the other end of a socket of this host; 0 where that is not known. */
pid_t linux_socket_peer(int fd);

/* A socket that listens at a path with mode 0600, and never waits. */
int linux_listen(const char *path);

/* The next connection of such a socket, which never waits either. One of another user is closed: EPERM. */
int linux_accept(int fd);

/* Connects to such a socket. Nothing that is done with it waits longer than so many seconds. */
int linux_connect(const char *path, unsigned seconds);

/* A socket that tells what the kernel tells of devices, and never waits. */
int linux_uevents(void);

/* A unix socket that has a name: one that listens, or the server's end of a connection to it. */
struct linux_unix_socket {
    /* As /proc/PID/fd names it. */
    uint32_t inode;
    /* The inode of the other end; 0 for one that listens. */
    uint32_t peer;
    /* The connections that wait to be accepted, or the bytes that wait to be read. */
    uint32_t waiting;
    /* What the other end has not read yet; not 0 where there is anything. */
    uint32_t unread;
    bool listens;
    /* An abstract one begins with @. */
    char name[109];
};

/* All such sockets of this network namespace, to be freed. */
struct linux_unix_socket *linux_unix_sockets(size_t *count);

/* Has this process get a signal when its parent ends. */
int linux_end_with_parent(int signal);

/* A file in memory that holds `bytes` and is read from its beginning. A reader of it never waits, and a writer
 * never dies of a reader that is gone. */
int linux_memory_file(const void *bytes, size_t count);

/* `operator delete` of C++. Only programs with C++ code can call it; xphase has toml++. */
void linux_cxx_delete(void *memory) __asm__("_ZdlPv");

/* Sends a datagram to a socket: a path, or @ and an abstract name. Waits for room for so many seconds at most. */
int linux_notify(const char *address, const char *message, unsigned seconds);

/* Ends the process with `status` after writing `message` to stderr, when the time is over or something calls
 * exit(3), unless it is called again with 0 seconds first. The message must live until then.
 *
 * XOpenDisplay has no timeout: a host that drops packets or a stopped server holds it for minutes. And it
 * calls exit(1) when the server dies while it is opened. */
void linux_exit_after(unsigned seconds, const char *message, int status);

/* The version, and the commit it was built from where the build named it: `0.1.0 (1a2b3c4d5e6f)`. */
const char *xphase_version(void);

#endif
