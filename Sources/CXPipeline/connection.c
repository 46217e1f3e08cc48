#include "CXPipeline.h"

const xcb_screen_t *cxp_root(xcb_connection_t *connection, int number)
{
    xcb_screen_iterator_t screens = xcb_setup_roots_iterator(xcb_get_setup(connection));
    while (screens.rem && number--)
        xcb_screen_next(&screens);
    return screens.rem ? screens.data : NULL;
}
