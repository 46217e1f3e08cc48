#define _GNU_SOURCE
#include "CLinux.h"

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
