#ifndef CXPIPELINE_H
#define CXPIPELINE_H

/* What Swift needs of XCB and of the protocols besides Xlib.h: libxcb comes with libX11. XCB's own headers of extensions
 * belong to other packages. */
#include <X11/X.h>
#include <X11/Xproto.h>
#include <X11/extensions/XResproto.h>
#include <X11/extensions/dpmsproto.h>
#include <X11/extensions/randr.h>
#include <X11/extensions/recordproto.h>
#include <X11/extensions/saverproto.h>
#include <X11/extensions/shapeproto.h>
#include <X11/extensions/syncproto.h>
#include <malloc.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>

/* Xlib's Display. Including Xlib.h here would declare it twice in Swift. */
struct _XDisplay;

/* Returns the XCB connection of a display. Returns NULL if it is not where libX11 1.2 to 1.8 keep it: its descriptor
 * must be the display's. */
xcb_connection_t *cxp_connection(struct _XDisplay *);

/* Closes the socket and frees the display, without XCloseDisplay's XSync, which would block on a stopped server. */
void cxp_close(struct _XDisplay *);

#endif
