#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
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
