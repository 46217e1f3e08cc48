#ifndef CONNECTION_H
#define CONNECTION_H

#include "CXPipeline.h"

#include <xcb/xcbext.h>

struct cxp_connection {
    struct _XDisplay *display;
    xcb_connection_t *xcb;
    /* XCB leaves the writing to us until it needs the socket itself. */
    bool owns_socket;
    /* The number of the last request that is in the buffer or was sent. */
    uint64_t last_request;
    uint8_t *requests;
    size_t used, capacity, count;
    void *reply;
    /* An event that was looked for and is not taken yet. */
    xcb_generic_event_t *event;
    /* The codes of the events of extensions, 0 where the server lacks one. */
    uint8_t saver_notify, alarm_notify, shape_notify;
};

void *cxp_request(cxp_connection *, uint8_t opcode, size_t size);

#endif
