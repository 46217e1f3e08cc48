#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
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

static int set_actions(posix_spawn_file_actions_t *actions, const char *directory, int input, int output)
{
    int error = posix_spawn_file_actions_addchdir_np(actions, directory);
    if (!error)
        error = posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(actions, output, STDERR_FILENO);
    if (!error)
        error = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
    return error;
}

static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    sigemptyset(&none);
    /* sigfillset leaves out what the C library keeps for itself, and posix_spawn would have that ignored. */
    memset(&all, 0xFF, sizeof all);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &all);
    posix_spawnattr_setpgroup(attributes, 0);
    return posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

int linux_spawn(pid_t *pid, char *const arguments[], char *const environment[], const char *directory, int input,
                int output)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = set_attributes(&attributes);
        if (!error)
            error = set_actions(&actions, directory, input, output);
        if (!error)
            error = posix_spawnp(pid, arguments[0], &actions, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
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
