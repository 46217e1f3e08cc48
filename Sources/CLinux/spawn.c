#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char *const *arguments;

/* glibc calls constructors with the arguments of main. */
__attribute__((constructor)) static void keep_arguments(int count, char *const *values)
{
    (void)count;
    arguments = values;
}

char *const *linux_arguments(void)
{
    return arguments;
}

char *const *linux_environment(void)
{
    return environ;
}

/* Shared with the child, which has the memory of this process until it runs the program or ends. */
struct start {
    char *const *arguments, *const *environment;
    const char *directory, *path;
    int input, output, error;
};

/* What the child runs before its program. A sanitizer would keep its books of the child's stack in the memory of both. */
#define IN_CHILD __attribute__((no_sanitize("address", "thread")))

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
/* The sanitizer's clone(3) expects that the child has memory of its own. */
int __clone(int (*)(void *), void *, int, void *, ...);
#define clone __clone
#endif
#endif

/* As execvpe(3), but what is no program is not given to a shell. Sets errno. */
IN_CHILD static void run(const struct start *start)
{
    const char *name = start->arguments[0];
    size_t name_size = strlen(name) + 1;
    if (name_size == 1 || strchr(name, '/')) {
        execve(name, start->arguments, start->environment);
        return;
    }
    int error = ENOENT;
    for (const char *folder = start->path, *end; folder; folder = *end ? end + 1 : NULL) {
        char file[PATH_MAX];
        end = strchrnul(folder, ':');
        size_t length = (size_t)(end - folder);
        if (length + 1 + name_size > sizeof file)
            continue;
        memcpy(file, folder, length);
        /* An empty one is the current directory. */
        if (length > 0)
            file[length++] = '/';
        memcpy(file + length, name, name_size);
        execve(file, start->arguments, start->environment);
        if (errno == EACCES)
            error = EACCES;
        else if (errno != ENOENT && errno != ENOTDIR && errno != ESTALE && errno != ENODEV && errno != ETIMEDOUT)
            return;
    }
    errno = error;
}

/* Only the child runs it, with all signals blocked. */
IN_CHILD static int begin(void *context)
{
    struct start *start = context;
    /* SIG_DFL, no flags and an empty mask, as the kernel has them: sigaction(2) leaves out what the C library keeps for
     * itself, which whoever started this process may have had ignored. */
    const unsigned long usual[8] = {0};
    for (int signal = 1; signal < NSIG; signal++)
        syscall(SYS_rt_sigaction, signal, usual, NULL, NSIG / 8);
    sigset_t none;
    sigemptyset(&none);
    if (setpgid(0, 0) == 0 && chdir(start->directory) == 0 && dup2(start->input, STDIN_FILENO) >= 0 &&
        dup2(start->output, STDOUT_FILENO) >= 0 && dup2(start->output, STDERR_FILENO) >= 0) {
        closefrom(STDERR_FILENO + 1);
        sigprocmask(SIG_SETMASK, &none, NULL);
        run(start);
    }
    start->error = errno;
    /* Ends the child. A sanitizer takes _exit(2) for the end of its parent. */
    return 127;
}

int linux_spawn(pid_t *pid, int *ended, char *const arguments[], char *const environment[], const char *directory,
                int input, int output)
{
    const char *path = getenv("PATH");
    struct start start = {arguments, environment, directory, path ? path : "/bin:/usr/bin", input, output, 0};
    /* This process waits until the child has left it. */
    char stack[32 * 1024] __attribute__((aligned(16)));
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    *pid = clone(begin, stack + sizeof stack, CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &start, ended);
    int error = *pid < 0 ? errno : start.error;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (*pid >= 0 && error) {
        waitpid(*pid, NULL, 0);
        close(*ended);
    }
    return error;
}

int linux_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -1;
    return fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

int linux_pidfd(pid_t pid)
{
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

int linux_pidfd_signal(int fd, int signal)
{
    return (int)syscall(SYS_pidfd_send_signal, fd, signal, NULL, 0);
}

pid_t linux_socket_peer(int fd)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : 0;
}

int linux_memory_file(const void *bytes, size_t count)
{
    int file = memfd_create("xphase", MFD_CLOEXEC);
    if (file < 0)
        return -1;
    const char *rest = bytes;
    while (count > 0) {
        ssize_t written = write(file, rest, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            close(file);
            return -1;
        }
        rest += written;
        count -= (size_t)written;
    }
    if (lseek(file, 0, SEEK_SET) < 0) {
        close(file);
        return -1;
    }
    return file;
}

int linux_spawn_inside(pid_t *pid, char *const arguments[], int output, int errors)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    if (!error)
        error = posix_spawnp(pid, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}
