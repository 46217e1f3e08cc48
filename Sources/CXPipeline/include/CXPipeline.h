#ifndef CXPIPELINE_H
#define CXPIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Many read requests, one round trip.
 *
 * Xlib's own calls wait for each reply. Here requests are only sent, and an
 * async handler of libX11 collects their replies while cxp_wait() waits for
 * the answer to the last one.
 *
 * What must not be changed:
 *  - cxp_begin() flushes, then installs the handler, and only then may requests be
 *    made: replies to requests sent before a handler stands are thrown away by Xlib.
 *  - Replies come in the order of the requests, so a queue with one read mark does.
 *    A reply is ours when its sequence number is that of the answer at the mark.
 *  - A dead window is an error reply: the answer stays unanswered, and the error
 *    goes no further.
 *  - After the connection broke nothing more is answered; cxp_wait() still returns.
 */

/* Xlib's Display, which its own header cannot be included for: Swift would see it twice. */
struct _XDisplay;

enum cxp_kind {
    CXP_PROPERTY,
    CXP_ATTRIBUTES,
    CXP_GEOMETRY,
    CXP_POSITION,
    CXP_TREE,
    CXP_OWNER,
    CXP_POINTER
};

typedef struct {
    uint8_t kind;
    bool answered;
    unsigned long sequence;
    union {
        struct { uint32_t type, format, count, remaining; uint8_t *bytes; } property;
        struct { uint8_t map_state; bool override_redirect, input_only; uint32_t all_events; } attributes;
        struct { int32_t width, height; } geometry; /* with the borders */
        struct { int32_t x, y; } position;          /* of the outer corner, on the root */
        struct { uint32_t root, parent, count; uint32_t *children; } tree;
        uint32_t owner;
        struct { uint32_t root, child; } pointer;
    };
} cxp_answer;

typedef struct cxp_batch cxp_batch;

cxp_batch *cxp_begin(struct _XDisplay *display);

/* Each queues one request; its answer stands at the index that the order of calls gives it. */
void cxp_get_property(cxp_batch *, unsigned long window, unsigned long property, uint32_t max_words);
void cxp_get_attributes(cxp_batch *, unsigned long window);
void cxp_get_geometry(cxp_batch *, unsigned long window);
void cxp_get_position(cxp_batch *, unsigned long window, unsigned long root);
void cxp_get_tree(cxp_batch *, unsigned long window);
void cxp_get_selection_owner(cxp_batch *, unsigned long selection);
void cxp_get_pointer(cxp_batch *, unsigned long root);

/* Waits for all that was queued: one round trip. Returns the window with the input focus,
 * None (0) or PointerRoot (1), since that read is the wait. */
unsigned long cxp_wait(cxp_batch *);

const cxp_answer *cxp_answers(const cxp_batch *);

/* Ends the batch; the answers and their bytes are gone. */
void cxp_end(cxp_batch *);

/* The bits of an id that tell the resources of one client apart. */
unsigned long cxp_resource_mask(struct _XDisplay *);

/* Keeps the errors of a display from Xlib's handlers, which belong to the process: those of its requests are
 * dropped, and a lost connection is told to its exit handler alone (XSetIOErrorExitHandler). Every other display
 * keeps the handlers that it had. Returns what free(3) is to be called with after the display is closed. */
void *cxp_keep_errors(struct _XDisplay *);

/* The events of a display, kept in place of Xlib's own queue, which keeps the room of all events that ever waited
 * at once and copies each twice.
 *
 * Xlib lets a display have its own conversions of events (XESetWireToEvent), and one that returns False has the
 * event not queued. These take what xphase uses of an event, so that Xlib's queue stays empty and XPending(3)
 * only reads. An event that follows as the copy for the window's parent is left out: it says the same.
 */
typedef struct {
    uint32_t window;
    /* Of creation and reparenting the parent, of mapping the window that the event was told on; the atom of a
     * property; the state of a visibility. */
    uint32_t value;
    uint8_t type;
    uint8_t detail, mode;
    bool is_synthetic;
    bool override_redirect;
} cxp_event;

typedef struct cxp_events cxp_events;

/* To be called once, before any event is asked for. They live as long as the display. After a storm `trims` has the
 * allocator give back what it keeps, for which every thread of the process may have to wait. */
cxp_events *cxp_keep_events(struct _XDisplay *, bool trims);

/* How many wait. */
size_t cxp_event_count(const cxp_events *);

/* Takes the first that waits; false if none does. With the last one of a storm its memory is given back. */
bool cxp_next_event(cxp_events *, cxp_event *);

#endif
