#include "connection.h"

#include <X11/X.h>
#include <X11/Xmd.h>
#include <X11/extensions/saverproto.h>
#include <X11/extensions/shapeproto.h>
#include <X11/extensions/syncproto.h>
#include <malloc.h>
#include <stdlib.h>

void cxp_set_event_codes(cxp_connection *c, uint8_t saver, uint8_t alarm, uint8_t shape)
{
    c->saver_notify = saver;
    c->alarm_notify = alarm;
    c->shape_notify = shape;
}

/* The server assigns the codes of extension events. */
static bool read_extension_event(const cxp_connection *c, cxp_event *to, const xcb_generic_event_t *event)
{
    if (to->type < 64)
        return false;
    if (to->type == c->saver_notify) {
        const xScreenSaverNotifyEvent *saver = (const void *)event;
        to->type = CXP_SAVER_NOTIFY;
        to->window = saver->root;
        to->detail = saver->state;
        to->mode = saver->kind;
        return true;
    }
    if (to->type == c->alarm_notify) {
        const xSyncAlarmNotifyEvent *alarm = (const void *)event;
        to->type = CXP_ALARM_NOTIFY;
        to->window = alarm->alarm;
        to->detail = alarm->state;
        return true;
    }
    if (to->type == c->shape_notify) {
        const xShapeNotifyEvent *shape = (const void *)event;
        to->type = CXP_SHAPE_NOTIFY;
        to->window = shape->window;
        to->detail = shape->kind;
        to->mode = shape->shaped;
        to->x = shape->x;
        to->y = shape->y;
        to->width = shape->width;
        to->height = shape->height;
        return true;
    }
    return false;
}

bool cxp_read_event(const cxp_connection *c, const xcb_generic_event_t *event, cxp_event *to)
{
    *to = (cxp_event){ .type = event->response_type & 0x7F, .is_sent = event->response_type & 0x80,
                       .sequence = event->full_sequence };
    switch (to->type) {
    case XCB_CREATE_NOTIFY: {
        const xcb_create_notify_event_t *created = (const void *)event;
        to->window = created->window;
        to->value = created->parent;
        to->x = created->x;
        to->y = created->y;
        to->width = created->width;
        to->height = created->height;
        to->border = created->border_width;
        to->override_redirect = created->override_redirect;
        return true;
    }
    case XCB_MAP_NOTIFY: {
        const xcb_map_notify_event_t *mapped = (const void *)event;
        to->window = mapped->window;
        to->value = mapped->event;
        to->override_redirect = mapped->override_redirect;
        return true;
    }
    case XCB_REPARENT_NOTIFY: {
        const xcb_reparent_notify_event_t *reparented = (const void *)event;
        to->window = reparented->window;
        to->value = reparented->parent;
        to->override_redirect = reparented->override_redirect;
        return true;
    }
    case XCB_CONFIGURE_NOTIFY: {
        const xcb_configure_notify_event_t *configured = (const void *)event;
        to->window = configured->window;
        to->value = configured->event;
        to->above = configured->above_sibling;
        to->x = configured->x;
        to->y = configured->y;
        to->width = configured->width;
        to->height = configured->height;
        to->border = configured->border_width;
        to->override_redirect = configured->override_redirect;
        return true;
    }
    case XCB_DESTROY_NOTIFY:
    case XCB_UNMAP_NOTIFY:
    case XCB_GRAVITY_NOTIFY: {
        const xcb_unmap_notify_event_t *unmapped = (const void *)event;
        to->window = unmapped->window;
        to->value = unmapped->event;
        return true;
    }
    case XCB_CIRCULATE_NOTIFY: {
        const xcb_circulate_notify_event_t *circulated = (const void *)event;
        to->window = circulated->window;
        to->value = circulated->event;
        to->detail = circulated->place;
        return true;
    }
    case XCB_PROPERTY_NOTIFY: {
        const xcb_property_notify_event_t *changed = (const void *)event;
        to->window = changed->window;
        to->value = changed->atom;
        return true;
    }
    case XCB_CLIENT_MESSAGE: {
        const xcb_client_message_event_t *message = (const void *)event;
        to->window = message->window;
        to->value = message->type;
        return true;
    }
    case XCB_VISIBILITY_NOTIFY: {
        const xcb_visibility_notify_event_t *visibility = (const void *)event;
        to->window = visibility->window;
        to->value = visibility->state;
        return true;
    }
    case XCB_FOCUS_IN:
    case XCB_FOCUS_OUT: {
        const xcb_focus_in_event_t *focus = (const void *)event;
        to->window = focus->event;
        to->detail = focus->detail;
        to->mode = focus->mode;
        return true;
    }
    case XCB_KEY_PRESS:
    case XCB_BUTTON_PRESS:
    case XCB_BUTTON_RELEASE: {
        const xcb_button_press_event_t *pressed = (const void *)event;
        to->window = pressed->child;
        to->value = pressed->root;
        to->detail = pressed->detail;
        to->x = pressed->root_x;
        to->y = pressed->root_y;
        return true;
    }
    case XCB_ENTER_NOTIFY:
    case XCB_LEAVE_NOTIFY:
        return true;
    default:
        return read_extension_event(c, to, event);
    }
}

/* Xlib and libxcb take the socket back before they use the connection, which may queue events. */
static bool is_drained(const cxp_connection *c)
{
    return c->is_drained && c->owns_socket;
}

static bool poll_queue(cxp_connection *c)
{
    c->event = xcb_poll_for_queued_event(c->xcb);
    c->is_drained = !c->event;
    return c->event;
}

static bool poll_socket(cxp_connection *c)
{
    /* Takes a queued event first. */
    c->event = xcb_poll_for_event(c->xcb);
    c->is_drained = !c->event;
    return c->event;
}

bool cxp_has_event(cxp_connection *c)
{
    return c->event || (!is_drained(c) && poll_queue(c));
}

bool cxp_next_event(cxp_connection *c, bool reads, cxp_event *event)
{
    while (c->event || (reads ? poll_socket(c) : !is_drained(c) && poll_queue(c))) {
        bool is_read = cxp_read_event(c, c->event, event);
        free(c->event);
        c->event = NULL;
        if (is_read)
            return true;
    }
    return false;
}

void cxp_give_back_memory(void)
{
    malloc_trim(0);
}
