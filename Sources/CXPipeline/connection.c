#include "CXPipeline.h"

#include <X11/Xlibint.h>

xcb_connection_t *cxp_connection(Display *dpy)
{
    /* The first member of libX11's private data (Xxcbint.h). */
    xcb_connection_t *xcb = dpy->xcb ? *(xcb_connection_t **)dpy->xcb : NULL;
    return xcb && xcb_get_file_descriptor(xcb) == ConnectionNumber(dpy) ? xcb : NULL;
}

void cxp_close(Display *dpy)
{
    /* The steps of XCloseDisplay before it closes the connection, without those that send requests. */
    for (_XExtension *ext = dpy->ext_procs; ext; ext = ext->next)
        if (ext->close_display)
            ext->close_display(dpy, &ext->codes);
    for (int i = 0; i < dpy->nscreens; i++)
        Xfree(dpy->screens[i].default_gc);
    dpy->flags |= XlibDisplayClosing;
    XCloseDisplay(dpy);
}
