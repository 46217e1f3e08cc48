#include "connection.h"

#include <X11/X.h>
#include <X11/Xproto.h>
#include <X11/extensions/XResproto.h>
#include <X11/extensions/dpmsproto.h>
#include <X11/extensions/panoramiXproto.h>
#include <X11/extensions/randr.h>
#include <X11/extensions/randrproto.h>
#include <X11/extensions/recordproto.h>
#include <X11/extensions/saverproto.h>
#include <X11/extensions/shapeproto.h>
#include <X11/extensions/syncproto.h>
#include <string.h>

/* Requests without fields, and those whose only field is an ID. */
#define ASK(function, request) \
    uint32_t function(cxp_connection *c, uint8_t opcode) { return cxp_ask(c, opcode, request); }
#define ASK_OF(function, request) \
    uint32_t function(cxp_connection *c, uint8_t opcode, uint32_t id) { return cxp_ask_of(c, opcode, request, id); }
ASK(cxp_get_screens, X_XineramaQueryScreens)
ASK(cxp_get_power, X_DPMSInfo)
ASK(cxp_get_counters, X_SyncListSystemCounters)
ASK_OF(cxp_get_saver, X_ScreenSaverQueryInfo)
ASK_OF(cxp_get_shape_extents, X_ShapeQueryExtents)
ASK_OF(cxp_get_counter, X_SyncQueryCounter)

uint32_t cxp_get_monitors(cxp_connection *c, uint8_t randr, uint32_t root)
{
    xRRGetMonitorsReq *r = cxp_request(c, randr, X_RRGetMonitors, sizeof *r);
    if (!r)
        return 0;
    r->window = root;
    r->get_active = 1;
    return (uint32_t)c->last_request;
}

void cxp_select_saver(cxp_connection *c, uint8_t saver, uint32_t root, bool is_wanted)
{
    xScreenSaverSelectInputReq *r = cxp_request(c, saver, X_ScreenSaverSelectInput, sizeof *r);
    if (!r)
        return;
    r->drawable = root;
    r->eventMask = is_wanted ? ScreenSaverNotifyMask | ScreenSaverCycleMask : 0;
}

void cxp_select_shape(cxp_connection *c, uint8_t shape, uint32_t window)
{
    xShapeSelectInputReq *r = cxp_request(c, shape, X_ShapeSelectInput, sizeof *r);
    if (!r)
        return;
    r->window = window;
    r->enable = 1;
    r->pad1 = r->pad2 = 0;
}

uint32_t cxp_begin_sync(cxp_connection *c, uint8_t sync)
{
    xSyncInitializeReq *r = cxp_request(c, sync, X_SyncInitialize, sizeof *r);
    if (!r)
        return 0;
    r->majorVersion = SYNC_MAJOR_VERSION;
    r->minorVersion = SYNC_MINOR_VERSION;
    r->pad = 0;
    return (uint32_t)c->last_request;
}

uint32_t cxp_create_alarm(cxp_connection *c, uint8_t sync, uint32_t counter, int64_t value, bool rises)
{
    /* In the order of the bits of the mask. */
    const uint32_t values[] = {
        counter,
        0, /* an absolute value */
        (uint32_t)(value >> 32), (uint32_t)value,
        rises ? 0 : 1, /* PositiveTransition, NegativeTransition */
        0, 0, /* No delta, so that it stays active. */
        1, /* with events */
    };
    uint32_t id = xcb_generate_id(c->xcb);
    xSyncCreateAlarmReq *r = cxp_request(c, sync, X_SyncCreateAlarm, sizeof *r + sizeof values);
    if (!r)
        return 0;
    r->id = id;
    r->valueMask = XSyncCACounter | XSyncCAValueType | XSyncCAValue | XSyncCATestType | XSyncCADelta | XSyncCAEvents;
    memcpy(r + 1, values, sizeof values);
    return id;
}

void cxp_destroy_alarm(cxp_connection *c, uint8_t sync, uint32_t alarm)
{
    cxp_ask_of(c, sync, X_SyncDestroyAlarm, alarm);
}

uint32_t cxp_get_process(cxp_connection *c, uint8_t resource, uint32_t window)
{
    xXResClientIdSpec which = { .client = window, .mask = X_XResLocalClientPIDMask };
    xXResQueryClientIdsReq *r = cxp_request(c, resource, X_XResQueryClientIds, sizeof *r + sizeof which);
    if (!r)
        return 0;
    r->numSpecs = 1;
    memcpy(r + 1, &which, sizeof which);
    return (uint32_t)c->last_request;
}

uint32_t cxp_record(cxp_connection *c, uint8_t record, const uint32_t *clients, size_t count)
{
    /* One range: with several, X.Org's server (21.1.7) reports no event above 31. */
    static const xRecordRange range = { .deliveredEventsFirst = KeyPress, .deliveredEventsLast = GenericEvent };
    uint32_t context = xcb_generate_id(c->xcb);
    size_t size = sizeof(xRecordCreateContextReq) + count * sizeof *clients + sizeof range;
    xRecordCreateContextReq *r = cxp_request(c, record, X_RecordCreateContext, size);
    if (!r)
        return 0;
    r->context = context;
    r->elementHeader = 0;
    r->pad = 0;
    r->pad0 = 0;
    r->nClients = (CARD32)count;
    r->nRanges = 1;
    memcpy(r + 1, clients, count * sizeof *clients);
    memcpy((uint8_t *)(r + 1) + count * sizeof *clients, &range, sizeof range);
    return cxp_ask_of(c, record, X_RecordEnableContext, context);
}
