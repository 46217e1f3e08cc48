#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int close_failed(int file)
{
    int error = errno;
    close(file);
    errno = error;
    return -1;
}

static int make_name(struct sockaddr_un *name, const char *path)
{
    *name = (struct sockaddr_un){ .sun_family = AF_UNIX };
    if (strlen(path) >= sizeof name->sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(name->sun_path, path);
    return 0;
}

int linux_listen(const char *path)
{
    struct sockaddr_un name;
    if (make_name(&name, path) < 0)
        return -1;
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0)
        return -1;
    /* The file gets the mode of the socket, so no other user can connect before it is changed. */
    if (fchmod(file, 0600) < 0 || bind(file, (struct sockaddr *)&name, sizeof name) < 0 || listen(file, SOMAXCONN) < 0)
        return close_failed(file);
    return file;
}

int linux_accept(int fd)
{
    int file = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (file < 0)
        return -1;
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(file, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid())
        return file;
    close(file);
    errno = EPERM;
    return -1;
}

int linux_connect(const char *path, unsigned seconds)
{
    struct sockaddr_un name;
    if (make_name(&name, path) < 0)
        return -1;
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file < 0)
        return -1;
    struct timeval patience = { .tv_sec = seconds };
    if (setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) < 0
        || setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) < 0
        || connect(file, (struct sockaddr *)&name, sizeof name) < 0)
        return close_failed(file);
    return file;
}

int linux_uevents(void)
{
    int file = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
    /* Group 1 receives the events of the kernel itself. */
    struct sockaddr_nl name = { .nl_family = AF_NETLINK, .nl_groups = 1 };
    if (file >= 0 && bind(file, (struct sockaddr *)&name, sizeof name) < 0)
        return close_failed(file);
    return file;
}
