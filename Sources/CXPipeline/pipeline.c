#include "CXPipeline.h"

#include <X11/Xlibint.h>
#include <stdlib.h>

struct cxp_batch {
    Display *display;
    _XAsyncHandler handler;
    cxp_answer *answers;
    size_t count, capacity, mark;
};

/* Copies what follows the fixed part of a reply; the rest of it is dropped. */
static void *take(Display *dpy, char *buf, int len, size_t size, size_t on_wire)
{
    char *data = size ? malloc(size) : NULL;
    _XGetAsyncData(dpy, data, buf, len, SIZEOF(xReply), data ? (int)size : 0, (int)on_wire);
    return data;
}

static void store_property(cxp_answer *a, Display *dpy, xGetPropertyReply *r, char *buf, int len)
{
    size_t on_wire = (size_t)r->length << 2;
    size_t size = (size_t)r->nItems * (r->format / 8);
    if (size > on_wire)
        size = on_wire;
    a->property.bytes = take(dpy, buf, len, size, on_wire);
    a->property.type = r->propertyType;
    a->property.format = r->format;
    a->property.count = a->property.bytes && r->format ? (uint32_t)(size / (r->format / 8)) : 0;
    a->property.remaining = r->bytesAfter;
}

static void store_tree(cxp_answer *a, Display *dpy, xQueryTreeReply *r, char *buf, int len)
{
    size_t on_wire = (size_t)r->length << 2;
    size_t size = (size_t)r->nChildren * 4;
    if (size > on_wire)
        size = on_wire;
    a->tree.children = take(dpy, buf, len, size, on_wire);
    a->tree.count = a->tree.children ? (uint32_t)(size / 4) : 0;
    a->tree.root = r->root;
    a->tree.parent = r->parent;
}

static Bool collect(Display *dpy, xReply *rep, char *buf, int len, XPointer data)
{
    cxp_batch *b = (cxp_batch *)data;
    union { xReply any; xGetWindowAttributesReply attributes; } space;
    cxp_answer *a = b->answers + b->mark;

    if (b->mark == b->count || dpy->last_request_read != a->sequence)
        return False;
    b->mark++;
    if (rep->generic.type == X_Error)
        return True;

    int extra = a->kind == CXP_ATTRIBUTES ? (SIZEOF(xGetWindowAttributesReply) - SIZEOF(xReply)) >> 2 : 0;
    bool all = a->kind != CXP_PROPERTY && a->kind != CXP_TREE;
    xReply *r = (xReply *)_XGetAsyncReply(dpy, (char *)&space, rep, buf, len, extra, all);
    a->answered = true;
    switch (a->kind) {
    case CXP_PROPERTY:
        store_property(a, dpy, (xGetPropertyReply *)r, buf, len);
        break;
    case CXP_TREE:
        store_tree(a, dpy, (xQueryTreeReply *)r, buf, len);
        break;
    case CXP_ATTRIBUTES: {
        xGetWindowAttributesReply *reply = (xGetWindowAttributesReply *)r;
        a->attributes.map_state = reply->mapState;
        a->attributes.override_redirect = reply->override;
        a->attributes.input_only = reply->class == InputOnly;
        a->attributes.all_events = reply->allEventMasks;
        break;
    }
    case CXP_GEOMETRY: {
        xGetGeometryReply *reply = (xGetGeometryReply *)r;
        a->geometry.width = reply->width + 2 * reply->borderWidth;
        a->geometry.height = reply->height + 2 * reply->borderWidth;
        break;
    }
    case CXP_POSITION:
        a->position.x = cvtINT16toInt(((xTranslateCoordsReply *)r)->dstX);
        a->position.y = cvtINT16toInt(((xTranslateCoordsReply *)r)->dstY);
        break;
    case CXP_OWNER:
        a->owner = ((xGetSelectionOwnerReply *)r)->owner;
        break;
    case CXP_POINTER:
        a->pointer.root = ((xQueryPointerReply *)r)->root;
        a->pointer.child = ((xQueryPointerReply *)r)->child;
        break;
    }
    return True;
}

/* Where the next answer goes. Out of memory ends the process, as everywhere in Swift. */
static cxp_answer *next(cxp_batch *b, uint8_t kind)
{
    if (b->count == b->capacity) {
        size_t capacity = b->capacity ? b->capacity * 2 : 64;
        cxp_answer *answers = realloc(b->answers, capacity * sizeof *answers);
        if (!answers)
            abort();
        b->answers = answers;
        b->capacity = capacity;
    }
    cxp_answer *a = b->answers + b->count++;
    *a = (cxp_answer){ .kind = kind };
    return a;
}

cxp_batch *cxp_begin(Display *dpy)
{
    cxp_batch *b = calloc(1, sizeof *b);
    if (!b)
        abort();
    XFlush(dpy);
    b->display = dpy;
    b->handler.handler = collect;
    b->handler.data = (XPointer)b;
    LockDisplay(dpy);
    b->handler.next = dpy->async_handlers;
    dpy->async_handlers = &b->handler;
    UnlockDisplay(dpy);
    return b;
}

/* Whether a request can be made. On a broken connection nothing empties Xlib's buffer any more, and GetReq
 * then yields NULL; what would have been asked stays unanswered. */
static bool has_room(Display *dpy, size_t size)
{
    if (dpy->bufptr + size > dpy->bufmax)
        _XFlush(dpy);
    return !(dpy->flags & XlibDisplayIOError);
}

/* GetReq and its like are macros around a local `dpy` and `req`. */
#define QUEUE(batch, wanted, name, fill)                \
    do {                                                \
        Display *dpy = (batch)->display;                \
        x##name##Req *req;                              \
        cxp_answer *a = next(batch, wanted);            \
        LockDisplay(dpy);                               \
        if (has_room(dpy, SIZEOF(x##name##Req))) {      \
            GetReq(name, req);                          \
            a->sequence = dpy->request;                 \
            fill                                        \
        }                                               \
        UnlockDisplay(dpy);                             \
    } while (0)

#define QUEUE_RESOURCE(batch, wanted, name, resource)   \
    do {                                                \
        Display *dpy = (batch)->display;                \
        xResourceReq *req;                              \
        cxp_answer *a = next(batch, wanted);            \
        LockDisplay(dpy);                               \
        if (has_room(dpy, SIZEOF(xResourceReq))) {      \
            GetResReq(name, resource, req);             \
            a->sequence = dpy->request;                 \
        }                                               \
        UnlockDisplay(dpy);                             \
    } while (0)

void cxp_get_property(cxp_batch *b, XID window, Atom property, uint32_t max_words)
{
    QUEUE(b, CXP_PROPERTY, GetProperty, {
        req->window = window;
        req->property = property;
        req->type = AnyPropertyType;
        req->delete = False;
        req->longOffset = 0;
        req->longLength = max_words;
    });
}

void cxp_get_attributes(cxp_batch *b, XID window)
{
    QUEUE_RESOURCE(b, CXP_ATTRIBUTES, GetWindowAttributes, window);
}

void cxp_get_geometry(cxp_batch *b, XID window)
{
    QUEUE_RESOURCE(b, CXP_GEOMETRY, GetGeometry, window);
}

void cxp_get_position(cxp_batch *b, XID window, XID root)
{
    QUEUE(b, CXP_POSITION, TranslateCoords, {
        req->srcWid = window;
        req->dstWid = root;
        req->srcX = 0;
        req->srcY = 0;
    });
}

void cxp_get_tree(cxp_batch *b, XID window)
{
    QUEUE_RESOURCE(b, CXP_TREE, QueryTree, window);
}

void cxp_get_selection_owner(cxp_batch *b, Atom selection)
{
    QUEUE_RESOURCE(b, CXP_OWNER, GetSelectionOwner, selection);
}

void cxp_get_pointer(cxp_batch *b, XID root)
{
    QUEUE_RESOURCE(b, CXP_POINTER, QueryPointer, root);
}

XID cxp_wait(cxp_batch *b)
{
    Window focus = None;
    int revert_to;
    XGetInputFocus(b->display, &focus, &revert_to);
    return focus;
}

const cxp_answer *cxp_answers(const cxp_batch *b)
{
    return b->answers;
}

void cxp_end(cxp_batch *b)
{
    Display *dpy = b->display;
    LockDisplay(dpy);
    DeqAsyncHandler(dpy, &b->handler);
    UnlockDisplay(dpy);
    for (size_t i = 0; i < b->count; i++) {
        if (b->answers[i].answered && b->answers[i].kind == CXP_PROPERTY)
            free(b->answers[i].property.bytes);
        if (b->answers[i].answered && b->answers[i].kind == CXP_TREE)
            free(b->answers[i].tree.children);
    }
    free(b->answers);
    free(b);
}

XID cxp_resource_mask(Display *dpy)
{
    return dpy->resource_mask;
}
