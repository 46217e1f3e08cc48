#define _GNU_SOURCE
#include "CLinux.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Socket states, from include/net/tcp_states.h in the kernel. */
enum { linux_connected = 1, linux_listening = 10 };

/* Reads the attributes of one socket. */
static struct linux_unix_socket read_socket(const struct nlmsghdr *message)
{
    const struct unix_diag_msg *found = NLMSG_DATA(message);
    struct linux_unix_socket to = { .inode = found->udiag_ino, .listens = found->udiag_state == linux_listening };
    int left = (int)(message->nlmsg_len - NLMSG_LENGTH(sizeof *found));
    for (const struct rtattr *a = (const void *)(found + 1); RTA_OK(a, left); a = RTA_NEXT(a, left)) {
        size_t size = RTA_PAYLOAD(a);
        if (a->rta_type == UNIX_DIAG_PEER && size == sizeof to.peer)
            memcpy(&to.peer, RTA_DATA(a), size);
        if (a->rta_type == UNIX_DIAG_RQLEN && size == sizeof(struct unix_diag_rqlen)) {
            const struct unix_diag_rqlen *queues = RTA_DATA(a);
            to.waiting = queues->udiag_rqueue;
            to.unread = queues->udiag_wqueue;
        }
        if (a->rta_type == UNIX_DIAG_NAME && size < sizeof to.name) {
            memcpy(to.name, RTA_DATA(a), size);
            if (!to.name[0])
                to.name[0] = '@';
        }
    }
    return to;
}

struct linux_unix_socket *linux_unix_sockets(size_t *count)
{
    struct {
        struct nlmsghdr header;
        struct unix_diag_req body;
    } request = {
        .header = { .nlmsg_len = sizeof request, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
        .body = { .sdiag_family = AF_UNIX,
            .udiag_states = 1 << linux_connected | 1 << linux_listening,
            .udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_PEER | UDIAG_SHOW_RQLEN },
    };
    struct linux_unix_socket *found = NULL;
    *count = 0;
    int file = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (file < 0 || send(file, &request, sizeof request, 0) < 0)
        goto end;
    _Alignas(struct nlmsghdr) char answer[32768];
    for (ssize_t size; (size = recv(file, answer, sizeof answer, 0)) > 0;) {
        uint32_t left = (uint32_t)size;
        for (const struct nlmsghdr *m = (const void *)answer; NLMSG_OK(m, left); m = NLMSG_NEXT(m, left)) {
            if (m->nlmsg_type == NLMSG_DONE || m->nlmsg_type == NLMSG_ERROR)
                goto end;
            struct linux_unix_socket socket = read_socket(m);
            /* Skip unnamed sockets, which are the clients' ends and socket pairs. */
            if (!socket.name[0])
                continue;
            /* The capacity is a power of two. */
            if (!(*count & (*count - 1))) {
                void *more = realloc(found, (*count ? 2 * *count : 1) * sizeof *found);
                if (!more)
                    abort();
                found = more;
            }
            found[(*count)++] = socket;
        }
    }
end:
    if (file >= 0)
        close(file);
    return found;
}
