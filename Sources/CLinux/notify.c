#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int linux_notify(const char *address, const char *message, unsigned seconds)
{
    struct sockaddr_un name = { .sun_family = AF_UNIX };
    size_t length = strlen(address);
    if (length >= sizeof name.sun_path || (*address != '/' && *address != '@')) {
        errno = EINVAL;
        return -1;
    }
    memcpy(name.sun_path, address, length);
    if (*address == '@')
        name.sun_path[0] = '\0';

    int file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (file < 0)
        return -1;
    struct timeval patience = { .tv_sec = seconds };
    setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    ssize_t sent = sendto(file, message, strlen(message), MSG_NOSIGNAL | (seconds ? 0 : MSG_DONTWAIT),
                          (struct sockaddr *)&name, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
    int error = errno;
    close(file);
    errno = error;
    return sent < 0 ? -1 : 0;
}
