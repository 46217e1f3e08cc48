#include "CXPipeline.h"

#include <X11/Xlibint.h>
#include <pthread.h>
#include <stdlib.h>

static XIOErrorHandler previous;

/* Pipelines hang their handlers before this one, and so get the errors that are theirs. */
static Bool drop_error(Display *dpy, xReply *rep, char *buf, int len, XPointer data)
{
    (void)dpy, (void)buf, (void)len, (void)data;
    return rep->generic.type == X_Error;
}

static int lose_display(Display *dpy)
{
    for (_XAsyncHandler *handler = dpy->async_handlers; handler; handler = handler->next)
        if (handler->handler == drop_error)
            return 0;
    return previous ? previous(dpy) : 0;
}

static void install(void)
{
    previous = XSetIOErrorHandler(lose_display);
}

void *cxp_keep_errors(Display *dpy)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    _XAsyncHandler *handler = calloc(1, sizeof *handler);
    if (!handler)
        abort();
    handler->handler = drop_error;
    LockDisplay(dpy);
    handler->next = dpy->async_handlers;
    dpy->async_handlers = handler;
    UnlockDisplay(dpy);
    return handler;
}
