#ifndef CXPIPELINE_H
#define CXPIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <xcb/xcb.h>

/* Requests, replies and events through XCB, on the connection that Xlib opened.
 *
 * Xlib waits for each reply and asks XCB for it twice; the second time searches all buffered replies. Here, requests
 * only go into a buffer, which is sent as a whole, and each reply is taken once it has arrived. Only a write to a full
 * socket blocks, so fewer requests should be in flight than a socket holds: 4096 requests are 96 KiB, and Linux has
 * room for more than 128 KiB.
 *
 * After cxp_connect(), only Xlib functions that make no request may use the display: events that arrive with a reply to
 * Xlib would stay in Xlib's queue.
 */
typedef struct cxp_connection cxp_connection;

/* Xlib's Display. Including Xlib.h here would declare it twice in Swift. */
struct _XDisplay;

/* Takes ownership of a display and its connection. Returns NULL if the XCB connection is not where libX11 1.2 to 1.8
 * keep it: its descriptor must be the display's. */
cxp_connection *cxp_connect(struct _XDisplay *);

/* Closes the socket and frees the display, without XCloseDisplay's XSync, which would block on a stopped server. */
void cxp_close(cxp_connection *);

/* Returns the number of requests made, provided that nothing else uses the display. */
uint64_t cxp_request_count(const cxp_connection *);

/* Returns whether the server is gone. */
bool cxp_is_broken(const cxp_connection *);

/* Returns the mask of the ID bits that distinguish the resources of one client. */
uint32_t cxp_resource_mask(const cxp_connection *);

/* Each buffers one request and returns its sequence number for cxp_take_reply(). */
uint32_t cxp_intern_atom(cxp_connection *, const char *name);
uint32_t cxp_get_atom_name(cxp_connection *, uint32_t atom);
uint32_t cxp_get_property(cxp_connection *, uint32_t window, uint32_t property, uint32_t max_words);
uint32_t cxp_get_attributes(cxp_connection *, uint32_t window);
uint32_t cxp_get_geometry(cxp_connection *, uint32_t window);
uint32_t cxp_get_position(cxp_connection *, uint32_t window, uint32_t root);
uint32_t cxp_get_tree(cxp_connection *, uint32_t window);
uint32_t cxp_get_selection_owner(cxp_connection *, uint32_t selection);
uint32_t cxp_get_pointer(cxp_connection *, uint32_t root);
uint32_t cxp_get_focus(cxp_connection *);

uint32_t cxp_query_extension(cxp_connection *, const char *name);

/* Grab the pointer, with a crosshair if `has_cursor`, and the keyboard. */
uint32_t cxp_grab_pointer(cxp_connection *, uint32_t root, bool has_cursor);
uint32_t cxp_grab_keyboard(cxp_connection *, uint32_t root);
/* Try to grab the keyboard or the pointer with an unmapped window. The server never grants that: it returns
 * GrabNotViewable, or AlreadyGrabbed if another client has the grab. */
uint32_t cxp_try_keyboard(cxp_connection *, uint32_t root);
uint32_t cxp_try_pointer(cxp_connection *, uint32_t root);
/* Gets the symbols of all keys. Stores the first keycode in `first`. */
uint32_t cxp_get_keys(cxp_connection *, uint8_t *first);

/* Releases the pointer and the keyboard. */
void cxp_ungrab(cxp_connection *);

/* Buffers a request that selects events of a window, replacing the previous selection. It has no reply. */
void cxp_select(cxp_connection *, uint32_t window, uint32_t mask);

/* Functions that buffer requests of extensions. They take the major opcode that QueryExtension returned, and must not
 * be called if the server lacks the extension. */

/* XINERAMA: the rectangles of the monitors. */
uint32_t cxp_get_screens(cxp_connection *, uint8_t xinerama);
/* RandR 1.5: the names, as atoms, and the rectangles of the monitors. */
uint32_t cxp_get_monitors(cxp_connection *, uint8_t randr, uint32_t root);
/* MIT-SCREEN-SAVER: the state of the saver of a root window, and the selection of its events, or of none. */
uint32_t cxp_get_saver(cxp_connection *, uint8_t saver, uint32_t root);
void cxp_select_saver(cxp_connection *, uint8_t saver, uint32_t root, bool is_wanted);
/* DPMS: the power level of the monitors. */
uint32_t cxp_get_power(cxp_connection *, uint8_t dpms);
/* SHAPE: whether a window is shaped, and the selection of its events. */
uint32_t cxp_get_shape_extents(cxp_connection *, uint8_t shape, uint32_t window);
void cxp_select_shape(cxp_connection *, uint8_t shape, uint32_t window);
/* SYNC: the request that must come first, the counters of the server, and the value of one. */
uint32_t cxp_begin_sync(cxp_connection *, uint8_t sync);
uint32_t cxp_get_counters(cxp_connection *, uint8_t sync);
uint32_t cxp_get_counter(cxp_connection *, uint8_t sync, uint32_t counter);
/* SYNC: creates an alarm that fires each time that a counter crosses a value, rising or falling. Returns its ID, 0
 * if the server is gone. An alarm that is created when the counter is already past the value does not fire at once. */
uint32_t cxp_create_alarm(cxp_connection *, uint8_t sync, uint32_t counter, int64_t value, bool rises);
void cxp_destroy_alarm(cxp_connection *, uint8_t sync, uint32_t alarm);

/* X-Resource: the process of the client that owns a window. */
uint32_t cxp_get_process(cxp_connection *, uint8_t resource, uint32_t window);

/* RECORD: records the events that the server delivers to these clients, each identified by the ID bits outside the
 * resource mask. The request then gets a stream of replies, and the server accepts no further request on this
 * connection. */
uint32_t cxp_record(cxp_connection *, uint8_t record, const uint32_t *clients, size_t count);

/* Sends the buffered requests. It may read replies and events, which poll(2) then no longer reports. */
void cxp_send(cxp_connection *);

/* Takes the reply to a request that was sent. Returns false if it has not arrived yet. `reply` is NULL if there will
 * be none, because the window or the server is gone. It is valid until the next call. */
bool cxp_take_reply(cxp_connection *, uint32_t request, const void **reply);

/* Discards the reply to a request when it arrives. */
void cxp_forget_reply(cxp_connection *, uint32_t request);

/* The types of extension events, beyond those of the core. */
enum { CXP_SAVER_NOTIFY = 128, CXP_ALARM_NOTIFY, CXP_SHAPE_NOTIFY };

/* Sets the codes that the server assigned to these events; 0 if it lacks the extension. */
void cxp_set_event_codes(cxp_connection *, uint8_t saver, uint8_t alarm, uint8_t shape);

/* The fields of an event that xphase uses. */
typedef struct {
    /* Saver: its root window. Alarm: its ID. Button or key: the child of the grabbed root window under the pointer. */
    uint32_t window;
    /* Creation and reparenting: the parent. Mapping and unmapping: the window on which the event was selected.
     * Property: its atom. Visibility: its state. Button or key: the root window under the pointer. */
    uint32_t value;
    /* The sequence number of the last request that the server had processed. */
    uint32_t sequence;
    /* ConfigureNotify: the sibling below, 0 for none. */
    uint32_t above;
    uint8_t type;
    /* Button or key: its number. Saver: its state and kind. Alarm: its state. Shape: its kind, and whether it is
     * set. CirculateNotify: the place. */
    uint8_t detail, mode;
    /* Whether a client sent the event with SendEvent. Such an event proves nothing. */
    bool is_sent;
    bool override_redirect;
    /* ConfigureNotify: the outer corner in the parent, and the size without the border. Shape: its extents. Button
     * or key: the position on the root window. */
    uint16_t border, width, height;
    int16_t x, y;
} cxp_event;

/* Reads these fields from an XCB event. Returns false for an error, or an event that xphase does not use. */
bool cxp_read_event(const cxp_connection *, const xcb_generic_event_t *, cxp_event *);

/* Takes the next event. Returns false if there is none. `reads`: also reads from the socket if no event is queued. */
bool cxp_next_event(cxp_connection *, bool reads, cxp_event *);

/* Returns whether events were read and not taken yet. poll(2) does not report them. */
bool cxp_has_event(cxp_connection *);

/* Returns to the kernel the memory that the allocator keeps after a burst of events. Each event is an allocation. */
void cxp_give_back_memory(void);

#endif
