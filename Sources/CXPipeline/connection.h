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
    /* libxcb has no others in its queue. What reads from the socket takes this back. */
    bool is_drained;
    /* The codes of the events of extensions, 0 where the server lacks one. */
    uint8_t saver_notify, alarm_notify, shape_notify;
};

/* `data` is the second byte of a request: of an extension's, whose requests have the opcode in common, their number. */
void *cxp_request(cxp_connection *, uint8_t opcode, uint8_t data, size_t size);

/* A request with nothing else, and one whose only field is an id; each returns its number. */
uint32_t cxp_ask(cxp_connection *, uint8_t opcode, uint8_t data);
uint32_t cxp_ask_of(cxp_connection *, uint8_t opcode, uint8_t data, uint32_t id);

#endif
