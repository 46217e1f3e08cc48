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

/* The state of a connected socket, as include/net/tcp_states.h in the kernel has it. */
enum { established = 1 };

/* Reads the attributes of one socket; false where it has no name or no other end. */
static bool read_connection(const struct nlmsghdr *message, struct linux_unix_connection *to)
{
    const struct unix_diag_msg *socket = NLMSG_DATA(message);
    *to = (struct linux_unix_connection){ 0 };
    int left = (int)(message->nlmsg_len - NLMSG_LENGTH(sizeof *socket));
    for (const struct rtattr *a = (const void *)(socket + 1); RTA_OK(a, left); a = RTA_NEXT(a, left)) {
        size_t size = RTA_PAYLOAD(a);
        if (a->rta_type == UNIX_DIAG_PEER && size == sizeof to->client)
            memcpy(&to->client, RTA_DATA(a), size);
        if (a->rta_type == UNIX_DIAG_NAME && size < sizeof to->name) {
            memcpy(to->name, RTA_DATA(a), size);
            if (!to->name[0])
                to->name[0] = '@';
        }
    }
    return to->client && to->name[0];
}

struct linux_unix_connection *linux_unix_connections(size_t *count)
{
    struct {
        struct nlmsghdr header;
        struct unix_diag_req body;
    } request = {
        .header = { .nlmsg_len = sizeof request, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
        .body = { .sdiag_family = AF_UNIX, .udiag_states = 1 << established, .udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_PEER },
    };
    struct linux_unix_connection *found = NULL;
    *count = 0;
    int file = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (file < 0 || send(file, &request, sizeof request, 0) < 0)
        goto end;
    _Alignas(struct nlmsghdr) char answer[32768];
    for (ssize_t size; (size = recv(file, answer, sizeof answer, 0)) > 0;) {
        uint32_t left = (uint32_t)size;
        for (const struct nlmsghdr *m = (const void *)answer; NLMSG_OK(m, left); m = NLMSG_NEXT(m, left)) {
            struct linux_unix_connection connection;
            if (m->nlmsg_type == NLMSG_DONE || m->nlmsg_type == NLMSG_ERROR)
                goto end;
            if (!read_connection(m, &connection))
                continue;
            /* Room is doubled. */
            if (!(*count & (*count - 1))) {
                void *more = realloc(found, (*count ? 2 * *count : 1) * sizeof *found);
                if (!more)
                    abort();
                found = more;
            }
            found[(*count)++] = connection;
        }
    }
end:
    if (file >= 0)
        close(file);
    return found;
}
