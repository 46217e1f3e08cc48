#ifndef CONNECTION_H
#define CONNECTION_H

#include "CXPipeline.h"

#include <xcb/xcbext.h>

struct cxp_connection {
    struct _XDisplay *display;
    xcb_connection_t *xcb;
    /* Whether XCB leaves writing to us. XCB takes the socket back when it has to write. */
    bool owns_socket;
    /* The sequence number of the last request that was buffered or sent. */
    uint64_t last_request;
    uint8_t *requests;
    size_t used, capacity, count;
    void *reply;
    /* An event that was polled and not taken yet. */
    xcb_generic_event_t *event;
    /* Whether libxcb's event queue is empty. Reading from the socket clears this. */
    bool is_drained;
    /* The codes of extension events; 0 if the server lacks the extension. */
    uint8_t saver_notify, alarm_notify, shape_notify;
};

/* Buffers a request. `data` is its second byte: for an extension, whose requests share the opcode, the minor opcode. */
void *cxp_request(cxp_connection *, uint8_t opcode, uint8_t data, size_t size);

/* Buffer a request without fields, and one whose only field is an ID. Each returns the sequence number. */
uint32_t cxp_ask(cxp_connection *, uint8_t opcode, uint8_t data);
uint32_t cxp_ask_of(cxp_connection *, uint8_t opcode, uint8_t data, uint32_t id);

#endif
