#ifndef CLINUX_H
#define CLINUX_H

#include <linux/memfd.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <time.h>

/* Functions that Swift's Glibc module does not import. Unless stated otherwise, they return -1 and set errno on
 * failure. */

/* The arguments of the process, terminated by a NULL. Swift's CommandLine needs /proc, and replaces bytes that are not
 * UTF-8. */
char *const *linux_arguments(void);

/* The environment of the process, each entry NAME=VALUE, terminated by a NULL. */
char *const *linux_environment(void);

/* Declared in spawn.h for _DEFAULT_SOURCE only. Each returns 0 or an error number. */
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *directory);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

/* Declared for _GNU_SOURCE only, which Swift's Glibc module does not define. */
int pipe2(int ends[2], int flags);
int memfd_create(const char *name, unsigned flags);

/* Returns a pidfd, which is readable once the process has ended. */
int linux_pidfd(pid_t pid);

/* Sends a signal to the process of a pidfd. */
int linux_pidfd_signal(int fd, int signal);

/* Returns the process at the other end of a local socket; 0 if it is unknown. */
pid_t linux_socket_peer(int fd);

/* Returns a non-blocking socket that listens on a path with mode 0600. */
int linux_listen(const char *path);

/* Accepts the next connection, which is non-blocking, too. Closes a connection of another user, and fails with
 * EPERM. */
int linux_accept(int fd);

/* Connects to such a socket. No operation on the connection blocks for longer than `seconds`. */
int linux_connect(const char *path, unsigned seconds);

/* Returns a non-blocking socket that receives the kernel's device events. */
int linux_uevents(void);

/* A named Unix socket: a listening one, or the server's end of a connection. */
struct linux_unix_socket {
    /* The inode, as in /proc/PID/fd. */
    uint32_t inode;
    /* The inode of the other end; 0 for a listening socket. */
    uint32_t peer;
    /* The number of connections waiting to be accepted, or of bytes waiting to be read. */
    uint32_t waiting;
    /* Not 0 if the other end has unread data. */
    uint32_t unread;
    bool listens;
    /* An abstract name begins with @. */
    char name[109];
};

/* Returns all such sockets of this network namespace. The caller frees the array. */
struct linux_unix_socket *linux_unix_sockets(size_t *count);

/* Requests a signal for this process when its parent ends. */
int linux_end_with_parent(int signal);

/* `operator delete` of C++. Only programs with C++ code can call it; xphase has toml++. */
void linux_cxx_delete(void *memory) __asm__("_ZdlPv");

/* Sends a datagram to a socket: a path, or @ and an abstract name. Waits for room for at most `seconds`. */
int linux_notify(const char *address, const char *message, unsigned seconds);

/* Writes `message` to stderr and ends the process with `status` when `seconds` have passed or something calls exit(3).
 * A call with 0 seconds cancels this. The message must live until then.
 *
 * XOpenDisplay has no timeout: a host that drops packets or a stopped server blocks it for minutes. It also calls
 * exit(1) when the server dies during the call. */
void linux_exit_after(unsigned seconds, const char *message, int status);

/* The version, and the commit if the build named one: `0.1.0 (1a2b3c4d5e6f)`. */
const char *xphase_version(void);

#endif
