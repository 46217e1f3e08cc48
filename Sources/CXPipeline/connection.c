#include "connection.h"

#include <X11/Xlibint.h>
#include <stdlib.h>

/* Called when something else, such as Xlib, wants to write to the socket. */
static void give_back(void *closure)
{
    cxp_connection *c = closure;
    cxp_send(c);
    c->owns_socket = false;
}

cxp_connection *cxp_connect(Display *dpy)
{
    /* The first member of libX11's private data (Xxcbint.h). */
    xcb_connection_t *xcb = dpy->xcb ? *(xcb_connection_t **)dpy->xcb : NULL;
    if (!xcb || xcb_get_file_descriptor(xcb) != ConnectionNumber(dpy))
        return NULL;
    cxp_connection *c = calloc(1, sizeof *c);
    if (!c)
        abort();
    c->display = dpy;
    c->xcb = xcb;
    return c;
}

void cxp_close(cxp_connection *c)
{
    Display *dpy = c->display;
    free(c->reply);
    free(c->event);
    free(c->requests);
    free(c);
    /* The steps of XCloseDisplay before it closes the connection, without those that send requests. */
    for (_XExtension *ext = dpy->ext_procs; ext; ext = ext->next)
        if (ext->close_display)
            ext->close_display(dpy, &ext->codes);
    for (int i = 0; i < dpy->nscreens; i++)
        Xfree(dpy->screens[i].default_gc);
    dpy->flags |= XlibDisplayClosing;
    XCloseDisplay(dpy);
}

bool cxp_is_broken(const cxp_connection *c)
{
    return xcb_connection_has_error(c->xcb);
}

uint64_t cxp_request_count(const cxp_connection *c)
{
    return c->last_request;
}

uint32_t cxp_resource_mask(const cxp_connection *c)
{
    return (uint32_t)c->display->resource_mask;
}

/* Returns room for a request, numbered after the last one. Returns NULL if the server is gone. Running out of memory
 * ends the process, as everywhere in Swift. */
void *cxp_request(cxp_connection *c, uint8_t opcode, uint8_t data, size_t size)
{
    if (!c->owns_socket) {
        /* Errors then arrive as events, which are dropped. A failed request gets no reply. */
        if (!xcb_take_socket(c->xcb, give_back, c, 0, &c->last_request))
            return NULL;
        c->owns_socket = true;
        c->is_drained = false;
    }
    if (c->used + size > c->capacity) {
        size_t capacity = 2 * c->capacity + size + 4096;
        uint8_t *requests = realloc(c->requests, capacity);
        if (!requests)
            abort();
        c->requests = requests;
        c->capacity = capacity;
    }
    xReq *request = (xReq *)(c->requests + c->used);
    c->used += size;
    c->count++;
    c->last_request++;
    request->reqType = opcode;
    request->data = data;
    request->length = (CARD16)(size / 4);
    return request;
}

uint32_t cxp_ask(cxp_connection *c, uint8_t opcode, uint8_t data)
{
    return cxp_request(c, opcode, data, sizeof(xReq)) ? (uint32_t)c->last_request : 0;
}

uint32_t cxp_ask_of(cxp_connection *c, uint8_t opcode, uint8_t data, uint32_t id)
{
    xResourceReq *r = cxp_request(c, opcode, data, sizeof *r);
    if (!r)
        return 0;
    r->id = id;
    return (uint32_t)c->last_request;
}

void cxp_send(cxp_connection *c)
{
    if (!c->count)
        return;
    struct iovec part = { .iov_base = c->requests, .iov_len = c->used };
    uint64_t count = c->count;
    c->used = c->count = 0;
    /* xcb_writev() reads from the socket while the server reads nothing. */
    c->is_drained = false;
    xcb_writev(c->xcb, &part, 1, count);
}

bool cxp_take_reply(cxp_connection *c, uint32_t request, const void **reply)
{
    xcb_generic_error_t *error = NULL;
    void *found = NULL;
    c->is_drained = false;
    if (!xcb_poll_for_reply(c->xcb, request, &found, &error))
        return false;
    free(error);
    free(c->reply);
    *reply = c->reply = found;
    return true;
}

void cxp_forget_reply(cxp_connection *c, uint32_t request)
{
    xcb_discard_reply(c->xcb, request);
}
