#ifndef CLINUX_H
#define CLINUX_H

#include <linux/memfd.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <sys/fsuid.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
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
ssize_t tee(int from, int to, size_t count, unsigned flags);
pid_t gettid(void);
int accept4(int socket, struct sockaddr *address, socklen_t *size, int flags);
struct ucred {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

/* Requests a signal for this process when its parent ends. Swift cannot call prctl, which is variadic. */
int linux_end_with_parent(int signal);

/* `operator delete` of C++. Only programs with C++ code can call it; xphase has toml++. */
void linux_cxx_delete(void *memory) __asm__("_ZdlPv");

/* Writes `message` to stderr and ends the process with `status` when `seconds` have passed or something calls exit(3).
 * A call with 0 seconds cancels this. The message must live until then.
 *
 * XOpenDisplay has no timeout: a host that drops packets or a stopped server blocks it for minutes. It also calls
 * exit(1) when the server dies during the call. */
void linux_exit_after(unsigned seconds, const char *message, int status);

/* The version, and the commit if the build named one: `0.1.0 (1a2b3c4d5e6f)`. */
const char *xphase_version(void);

#endif
