#include "connection.h"

#include <X11/X.h>
#include <X11/Xlib.h>
#include <X11/Xproto.h>
#include <string.h>

/* Requests whose only field is an ID. */
#define ASK_OF(function, opcode) \
    uint32_t function(cxp_connection *c, uint32_t id) { return cxp_ask_of(c, opcode, 0, id); }
ASK_OF(cxp_get_attributes, X_GetWindowAttributes)
ASK_OF(cxp_get_geometry, X_GetGeometry)
ASK_OF(cxp_get_tree, X_QueryTree)
ASK_OF(cxp_get_selection_owner, X_GetSelectionOwner)
ASK_OF(cxp_get_pointer, X_QueryPointer)
ASK_OF(cxp_get_atom_name, X_GetAtomName)

uint32_t cxp_get_focus(cxp_connection *c)
{
    return cxp_ask(c, X_GetInputFocus, 0);
}

uint32_t cxp_get_property(cxp_connection *c, uint32_t window, uint32_t property, uint32_t max_words)
{
    xGetPropertyReq *r = cxp_request(c, X_GetProperty, 0, sizeof *r);
    if (!r)
        return 0;
    r->window = window;
    r->property = property;
    r->type = AnyPropertyType;
    r->longOffset = 0;
    r->longLength = max_words;
    return (uint32_t)c->last_request;
}

uint32_t cxp_get_position(cxp_connection *c, uint32_t window, uint32_t root)
{
    xTranslateCoordsReq *r = cxp_request(c, X_TranslateCoords, 0, sizeof *r);
    if (!r)
        return 0;
    r->srcWid = window;
    r->dstWid = root;
    r->srcX = r->srcY = 0;
    return (uint32_t)c->last_request;
}

/* InternAtom and QueryExtension have the same layout. */
static uint32_t ask_by_name(cxp_connection *c, uint8_t opcode, const char *name)
{
    size_t length = strlen(name);
    size_t padded = (length + 3) / 4 * 4;
    xQueryExtensionReq *r = cxp_request(c, opcode, 0, sizeof *r + padded);
    if (!r)
        return 0;
    r->nbytes = (CARD16)length;
    r->pad1 = r->pad2 = 0;
    memset(r + 1, 0, padded);
    memcpy(r + 1, name, length);
    return (uint32_t)c->last_request;
}

uint32_t cxp_intern_atom(cxp_connection *c, const char *name)
{
    return ask_by_name(c, X_InternAtom, name);
}

uint32_t cxp_query_extension(cxp_connection *c, const char *name)
{
    return ask_by_name(c, X_QueryExtension, name);
}

/* Creates a crosshair from the standard cursor font. */
static uint32_t make_cursor(cxp_connection *c)
{
    static const char name[8] = "cursor";
    enum { length = 6, crosshair = 34 }; /* XC_crosshair */
    uint32_t font = xcb_generate_id(c->xcb), cursor = xcb_generate_id(c->xcb);
    xOpenFontReq *f = cxp_request(c, X_OpenFont, 0, sizeof *f + sizeof name);
    if (!f)
        return None;
    f->fid = font;
    f->nbytes = length;
    memcpy(f + 1, name, sizeof name);
    xCreateGlyphCursorReq *g = cxp_request(c, X_CreateGlyphCursor, 0, sizeof *g);
    if (!g)
        return None;
    *g = (xCreateGlyphCursorReq){ .reqType = X_CreateGlyphCursor, .length = sizeof *g / 4, .cid = cursor,
        .source = font, .mask = font, .sourceChar = crosshair, .maskChar = crosshair + 1,
        .backRed = 0xFFFF, .backGreen = 0xFFFF, .backBlue = 0xFFFF };
    cxp_ask_of(c, X_CloseFont, 0, font);
    return cursor;
}

uint32_t cxp_grab_pointer(cxp_connection *c, uint32_t root, bool has_cursor)
{
    uint32_t cursor = has_cursor ? make_cursor(c) : None;
    xGrabPointerReq *r = cxp_request(c, X_GrabPointer, 0, sizeof *r);
    if (!r)
        return 0;
    r->grabWindow = root;
    r->eventMask = ButtonPressMask | ButtonReleaseMask;
    r->pointerMode = r->keyboardMode = GrabModeAsync;
    r->confineTo = None;
    r->cursor = cursor;
    r->time = CurrentTime;
    uint32_t request = (uint32_t)c->last_request;
    if (cursor)
        cxp_ask_of(c, X_FreeCursor, 0, cursor);
    return request;
}

uint32_t cxp_grab_keyboard(cxp_connection *c, uint32_t root)
{
    xGrabKeyboardReq *r = cxp_request(c, X_GrabKeyboard, 0, sizeof *r);
    if (!r)
        return 0;
    r->grabWindow = root;
    r->time = CurrentTime;
    r->pointerMode = r->keyboardMode = GrabModeAsync;
    return (uint32_t)c->last_request;
}

/* Creates a window that is never mapped. */
static uint32_t make_window(cxp_connection *c, uint32_t root)
{
    uint32_t window = xcb_generate_id(c->xcb), override_redirect = 1;
    xCreateWindowReq *w = cxp_request(c, X_CreateWindow, 0, sizeof *w + sizeof override_redirect);
    if (!w)
        return None;
    *w = (xCreateWindowReq){ .reqType = X_CreateWindow, .length = (sizeof *w + sizeof override_redirect) / 4,
        .wid = window, .parent = root, .width = 1, .height = 1, .class = InputOnly, .mask = CWOverrideRedirect };
    memcpy(w + 1, &override_redirect, sizeof override_redirect);
    return window;
}

uint32_t cxp_try_keyboard(cxp_connection *c, uint32_t root)
{
    uint32_t window = make_window(c, root), request = cxp_grab_keyboard(c, window);
    cxp_ask_of(c, X_DestroyWindow, 0, window);
    return request;
}

uint32_t cxp_try_pointer(cxp_connection *c, uint32_t root)
{
    uint32_t window = make_window(c, root), request = cxp_grab_pointer(c, window, false);
    cxp_ask_of(c, X_DestroyWindow, 0, window);
    return request;
}

void cxp_ungrab(cxp_connection *c)
{
    cxp_ask_of(c, X_UngrabPointer, 0, CurrentTime);
    cxp_ask_of(c, X_UngrabKeyboard, 0, CurrentTime);
    cxp_send(c);
}

uint32_t cxp_get_keys(cxp_connection *c, uint8_t *first)
{
    int lowest, highest;
    XDisplayKeycodes(c->display, &lowest, &highest);
    *first = (uint8_t)lowest;
    xGetKeyboardMappingReq *r = cxp_request(c, X_GetKeyboardMapping, 0, sizeof *r);
    if (!r)
        return 0;
    r->firstKeyCode = *first;
    r->count = (CARD8)(highest - lowest + 1);
    return (uint32_t)c->last_request;
}

void cxp_select(cxp_connection *c, uint32_t window, uint32_t mask)
{
    xChangeWindowAttributesReq *r = cxp_request(c, X_ChangeWindowAttributes, 0, sizeof *r + sizeof mask);
    if (!r)
        return;
    r->window = window;
    r->valueMask = CWEventMask;
    memcpy(r + 1, &mask, sizeof mask);
}
