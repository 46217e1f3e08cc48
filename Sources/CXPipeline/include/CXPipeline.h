#ifndef CXPIPELINE_H
#define CXPIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <xcb/xcb.h>

/* Requests, replies and events by XCB, on the connection that Xlib has opened.
 *
 * Xlib waits for each reply, and asks XCB twice for it; the second time searches all replies that are buffered. Here
 * requests only go into a buffer, which is sent as a whole, and each reply is taken when it is there. Nothing waits
 * for the server but a write into a socket that is full, so less is to be on its way than a socket holds: 4096
 * requests are 96 KiB, and Linux has room for more than 128.
 *
 * Nothing else may use the display after cxp_connect() but Xlib's functions that ask the server nothing: events that
 * came with a reply of Xlib's own would stay in Xlib's queue.
 */
typedef struct cxp_connection cxp_connection;

/* Xlib's Display, which its own header cannot be included for: Swift would see it twice. */
struct _XDisplay;

/* Takes over the connection of a display, and with it the display. NULL if XCB's connection is not where libX11 1.2 to
 * 1.8 have it: its descriptor must be the display's. */
cxp_connection *cxp_connect(struct _XDisplay *);

/* Closes the socket and frees the display, without XCloseDisplay's XSync: a server that is stopped holds up nothing. */
void cxp_close(cxp_connection *);

/* How many requests were made, as long as nothing else uses the display. */
uint64_t cxp_request_count(const cxp_connection *);

/* Whether the server is gone. */
bool cxp_is_broken(const cxp_connection *);

/* The bits of an id that tell the resources of one client apart. */
uint32_t cxp_resource_mask(const cxp_connection *);

/* Each puts one request into the buffer, and returns the number by which cxp_take_reply() finds its reply. */
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

/* Take the pointer, with a cross-hair if there is to be a cursor, and the keyboard. */
uint32_t cxp_grab_pointer(cxp_connection *, uint32_t root, bool has_cursor);
uint32_t cxp_grab_keyboard(cxp_connection *, uint32_t root);
/* Ask for the keyboard or the pointer with a window that is not mapped. A server gives them to no such window: it answers
 * GrabNotViewable, and AlreadyGrabbed where another client has it. */
uint32_t cxp_try_keyboard(cxp_connection *, uint32_t root);
uint32_t cxp_try_pointer(cxp_connection *, uint32_t root);
/* The symbols of all keys, of which `first` gets the first. */
uint32_t cxp_get_keys(cxp_connection *, uint8_t *first);

/* Gives back the pointer and the keyboard. */
void cxp_ungrab(cxp_connection *);

/* Puts a request for the events of a window into the buffer, in place of those asked for before. It has no reply. */
void cxp_select(cxp_connection *, uint32_t window, uint32_t mask);

/* The same for requests of extensions, whose major opcodes QueryExtension has told. A server that lacks the extension
 * must not be asked. */

/* XINERAMA: the rectangles of the monitors. */
uint32_t cxp_get_screens(cxp_connection *, uint8_t xinerama);
/* RandR 1.5: the names, as atoms, and the rectangles of the monitors. */
uint32_t cxp_get_monitors(cxp_connection *, uint8_t randr, uint32_t root);
/* MIT-SCREEN-SAVER: whether the saver of a root window is on, and how; and the events that tell of it, or none. */
uint32_t cxp_get_saver(cxp_connection *, uint8_t saver, uint32_t root);
void cxp_select_saver(cxp_connection *, uint8_t saver, uint32_t root, bool is_wanted);
/* DPMS: the power level of the monitors. */
uint32_t cxp_get_power(cxp_connection *, uint8_t dpms);
/* SHAPE: whether a window is shaped, its bounding shape, and the events that tell of that. */
uint32_t cxp_get_shape_extents(cxp_connection *, uint8_t shape, uint32_t window);
uint32_t cxp_get_shape(cxp_connection *, uint8_t shape, uint32_t window);
void cxp_select_shape(cxp_connection *, uint8_t shape, uint32_t window);
/* SYNC: what must come first, the counters of the server, and the value of one. */
uint32_t cxp_begin_sync(cxp_connection *, uint8_t sync);
uint32_t cxp_get_counters(cxp_connection *, uint8_t sync);
uint32_t cxp_get_counter(cxp_connection *, uint8_t sync, uint32_t counter);
/* SYNC: an alarm that tells each time that a counter rises to a value, or falls below it; returns its id, 0 if the
 * server is gone. One that is made when the counter is past the value does not tell that. */
uint32_t cxp_create_alarm(cxp_connection *, uint8_t sync, uint32_t counter, int64_t value, bool rises);
void cxp_destroy_alarm(cxp_connection *, uint8_t sync, uint32_t alarm);

/* X-Resource: the process of the client that a window is of. */
uint32_t cxp_get_process(cxp_connection *, uint8_t resource, uint32_t window);

/* RECORD: has the server report the events that it delivers to these clients, each named by the bits outside of the resource
 * mask. One reply follows the other then, and the server takes no further request from this connection. */
uint32_t cxp_record(cxp_connection *, uint8_t record, const uint32_t *clients, size_t count);

/* Sends what is in the buffer. It may read replies and events, which poll(2) does not see any longer. */
void cxp_send(cxp_connection *);

/* Takes the reply to a request that was sent. False if it has not come yet. `reply` is NULL where there will be none:
 * the window is gone, or the server. It is valid until the next call. */
bool cxp_take_reply(cxp_connection *, uint32_t request, const void **reply);

/* Discards the reply to a request when it comes. */
void cxp_forget_reply(cxp_connection *, uint32_t request);

/* The types of events of extensions, beyond those of the core. */
enum { CXP_SAVER_NOTIFY = 128, CXP_ALARM_NOTIFY, CXP_SHAPE_NOTIFY };

/* The codes that the server gives to these events; 0 where it lacks the extension. */
void cxp_set_event_codes(cxp_connection *, uint8_t saver, uint8_t alarm, uint8_t shape);

/* What xphase uses of an event. */
typedef struct {
    /* Of a saver its root window, of an alarm its id; of a button or key the child of the grabbed root window that the
     * pointer is on. */
    uint32_t window;
    /* Of creation and reparenting the parent, of mapping and unmapping the window that the event was told on; the atom
     * of a property; the state of a visibility; of a button or key the root window that the pointer is on. */
    uint32_t value;
    /* The number of the last request that the server had seen. */
    uint32_t sequence;
    /* Of ConfigureNotify the window below, 0 for none. */
    uint32_t above;
    uint8_t type;
    /* Of a button or key its number; of a saver its state and kind, of an alarm its state, of a shape its kind and
     * whether there is one; of CirculateNotify the place. */
    uint8_t detail, mode;
    /* Made by a client with SendEvent, and so no fact. */
    bool is_sent;
    bool override_redirect;
    /* Of ConfigureNotify, in the parent: the outer corner, and the size without the border; of a shape its extents;
     * of a button or key the place on the root window. */
    uint16_t border, width, height;
    int16_t x, y;
} cxp_event;

/* Takes that out of an event as XCB has it; false if it is none that tells anything, or an error. */
bool cxp_read_event(const cxp_connection *, const xcb_generic_event_t *, cxp_event *);

/* Takes the next event; false if there is none. `reads`: looks into the socket where none was read yet. */
bool cxp_next_event(cxp_connection *, bool reads, cxp_event *);

/* Whether events were read that nobody has taken: poll(2) does not see them. */
bool cxp_has_event(cxp_connection *);

/* Gives back what the allocator keeps of a storm of events, each of which had memory of its own. */
void cxp_give_back_memory(void);

#endif
