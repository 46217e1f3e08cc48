#include "CXPipeline.h"

#include <X11/Xlibint.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

/* How many events the room is kept for: more are a storm. */
enum { kept = 1024 };

struct cxp_events {
    cxp_event *events;
    size_t first, end, capacity;
    bool trims;
    /* The last event that a window itself was told of. */
    xEvent own;
};

static int forget(XExtData *data)
{
    cxp_events *e = (cxp_events *)data->private_data;
    free(e->events);
    free(e);
    return 0;
}

/* A conversion has no argument of its own, so that they hang on the display. */
static cxp_events *events_of(Display *dpy)
{
    XExtData *data = dpy->ext_data;
    while (data->free_private != forget)
        data = data->next;
    return (cxp_events *)data->private_data;
}

/* Whether it is the last event over again, as the parent of the window is told of it. In all that tells of the
 * structure of a window, who is told comes first, then the window. */
static bool is_copy(cxp_events *e, const xEvent *event)
{
    const size_t told = offsetof(xEvent, u.mapNotify.event), window = offsetof(xEvent, u.mapNotify.window);
    if (event->u.mapNotify.event == event->u.mapNotify.window) {
        e->own = *event;
        return false;
    }
    return !memcmp(event, &e->own, told)
        && !memcmp((const char *)event + window, (const char *)&e->own + window, sizeof *event - window);
}

/* What xphase uses of an event; false if it is none that tells anything. */
static bool read_event(cxp_event *to, const xEvent *event)
{
    to->type = event->u.u.type & 0x7F;
    to->is_synthetic = event->u.u.type & 0x80;
    switch (to->type) {
    case CreateNotify:
        to->window = event->u.createNotify.window;
        to->value = event->u.createNotify.parent;
        to->override_redirect = event->u.createNotify.override;
        return true;
    case MapNotify:
        to->window = event->u.mapNotify.window;
        to->value = event->u.mapNotify.event;
        to->override_redirect = event->u.mapNotify.override;
        return true;
    case ReparentNotify:
        to->window = event->u.reparent.window;
        to->value = event->u.reparent.parent;
        to->override_redirect = event->u.reparent.override;
        return true;
    case DestroyNotify:
    case UnmapNotify:
    case ConfigureNotify:
    case GravityNotify:
        to->window = event->u.mapNotify.window;
        return true;
    case PropertyNotify:
        to->window = event->u.property.window;
        to->value = event->u.property.atom;
        return true;
    case VisibilityNotify:
        to->window = event->u.visibility.window;
        to->value = event->u.visibility.state;
        return true;
    case FocusIn:
    case FocusOut:
        to->window = event->u.focus.window;
        to->detail = event->u.u.detail;
        to->mode = event->u.focus.mode;
        return true;
    case EnterNotify:
    case LeaveNotify:
        return true;
    default:
        return false;
    }
}

static bool tells_of_structure(int type)
{
    return type >= DestroyNotify && type <= GravityNotify && type != MapRequest && type != ConfigureRequest;
}

static void add(cxp_events *e, cxp_event event)
{
    if (e->end == e->capacity && e->first > e->capacity / 2) {
        memmove(e->events, e->events + e->first, (e->end - e->first) * sizeof *e->events);
        e->end -= e->first;
        e->first = 0;
    }
    if (e->end == e->capacity) {
        size_t capacity = e->capacity ? e->capacity * 2 : kept;
        cxp_event *events = realloc(e->events, capacity * sizeof *events);
        if (!events)
            abort();
        e->events = events;
        e->capacity = capacity;
    }
    e->events[e->end++] = event;
}

static Bool convert(Display *dpy, XEvent *unused, xEvent *event)
{
    (void)unused;
    /* As every conversion does. */
    _XSetLastRequestRead(dpy, (xGenericReply *)event);
    cxp_events *e = events_of(dpy);
    if (tells_of_structure(event->u.u.type) && is_copy(e, event))
        return False;
    cxp_event read = {0};
    if (read_event(&read, event))
        add(e, read);
    return False;
}

cxp_events *cxp_keep_events(Display *dpy, bool trims)
{
    cxp_events *e = calloc(1, sizeof *e);
    XExtData *data = calloc(1, sizeof *data);
    XExtCodes *codes = XAddExtension(dpy);
    if (!e || !data || !codes)
        abort();
    data->number = codes->extension;
    data->free_private = forget;
    data->private_data = (XPointer)e;
    e->trims = trims;
    XAddToExtensionList(&dpy->ext_data, data);
    for (int type = KeyPress; type < 128; type++)
        XESetWireToEvent(dpy, type, convert);
    /* A client is told of new keys unasked. While such an event waits in Xlib's queue, XPending reads nothing. */
    XEvent unasked;
    while (XQLength(dpy) > 0)
        XNextEvent(dpy, &unasked);
    return e;
}

size_t cxp_event_count(const cxp_events *e)
{
    return e->end - e->first;
}

bool cxp_next_event(cxp_events *e, cxp_event *event)
{
    if (e->first == e->end)
        return false;
    *event = e->events[e->first++];
    if (e->first < e->end)
        return true;
    e->first = e->end = 0;
    if (e->capacity > kept) {
        free(e->events);
        e->events = NULL;
        e->capacity = 0;
        /* What XCB made of as many events lies free between what is still used. */
        if (e->trims)
            malloc_trim(0);
    }
    return true;
}
