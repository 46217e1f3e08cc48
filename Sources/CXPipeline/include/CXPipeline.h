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

/* Returns the screen with a number, which the server has described at the start of a connection. Returns NULL if there is
 * none. */
const xcb_screen_t *cxp_root(xcb_connection_t *connection, int number);

#endif
