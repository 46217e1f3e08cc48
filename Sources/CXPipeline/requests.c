#include "connection.h"

#include <X11/X.h>
#include <X11/Xlibint.h>
#include <X11/Xproto.h>
#include <string.h>

static uint32_t ask_of(cxp_connection *c, uint8_t opcode, uint32_t id)
{
    xResourceReq *r = cxp_request(c, opcode, sizeof *r);
    if (!r)
        return 0;
    r->id = id;
    return (uint32_t)c->last_request;
}

uint32_t cxp_get_attributes(cxp_connection *c, uint32_t window)
{
    return ask_of(c, X_GetWindowAttributes, window);
}

uint32_t cxp_get_geometry(cxp_connection *c, uint32_t window)
{
    return ask_of(c, X_GetGeometry, window);
}

uint32_t cxp_get_tree(cxp_connection *c, uint32_t window)
{
    return ask_of(c, X_QueryTree, window);
}

uint32_t cxp_get_selection_owner(cxp_connection *c, uint32_t selection)
{
    return ask_of(c, X_GetSelectionOwner, selection);
}

uint32_t cxp_get_pointer(cxp_connection *c, uint32_t root)
{
    return ask_of(c, X_QueryPointer, root);
}

uint32_t cxp_get_focus(cxp_connection *c)
{
    return cxp_request(c, X_GetInputFocus, sizeof(xReq)) ? (uint32_t)c->last_request : 0;
}

uint32_t cxp_get_property(cxp_connection *c, uint32_t window, uint32_t property, uint32_t max_words)
{
    xGetPropertyReq *r = cxp_request(c, X_GetProperty, sizeof *r);
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
    xTranslateCoordsReq *r = cxp_request(c, X_TranslateCoords, sizeof *r);
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
    xQueryExtensionReq *r = cxp_request(c, opcode, sizeof *r + padded);
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

static void with_resource(cxp_connection *c, uint8_t opcode, uint32_t id)
{
    xResourceReq *r = cxp_request(c, opcode, sizeof *r);
    if (r)
        r->id = id;
}

/* A cross-hair, from the font that every server has. */
static uint32_t make_cursor(cxp_connection *c)
{
    static const char name[8] = "cursor";
    enum { length = 6, crosshair = 34 }; /* XC_crosshair */
    uint32_t font = xcb_generate_id(c->xcb), cursor = xcb_generate_id(c->xcb);
    xOpenFontReq *f = cxp_request(c, X_OpenFont, sizeof *f + sizeof name);
    if (!f)
        return None;
    f->fid = font;
    f->nbytes = length;
    memcpy(f + 1, name, sizeof name);
    xCreateGlyphCursorReq *g = cxp_request(c, X_CreateGlyphCursor, sizeof *g);
    if (!g)
        return None;
    *g = (xCreateGlyphCursorReq){ .reqType = X_CreateGlyphCursor, .length = sizeof *g / 4, .cid = cursor,
        .source = font, .mask = font, .sourceChar = crosshair, .maskChar = crosshair + 1,
        .backRed = 0xFFFF, .backGreen = 0xFFFF, .backBlue = 0xFFFF };
    with_resource(c, X_CloseFont, font);
    return cursor;
}

uint32_t cxp_grab_pointer(cxp_connection *c, uint32_t root, bool has_cursor)
{
    uint32_t cursor = has_cursor ? make_cursor(c) : None;
    xGrabPointerReq *r = cxp_request(c, X_GrabPointer, sizeof *r);
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
        with_resource(c, X_FreeCursor, cursor);
    return request;
}

uint32_t cxp_grab_keyboard(cxp_connection *c, uint32_t root)
{
    xGrabKeyboardReq *r = cxp_request(c, X_GrabKeyboard, sizeof *r);
    if (!r)
        return 0;
    r->grabWindow = root;
    r->time = CurrentTime;
    r->pointerMode = r->keyboardMode = GrabModeAsync;
    return (uint32_t)c->last_request;
}

void cxp_ungrab(cxp_connection *c)
{
    with_resource(c, X_UngrabPointer, CurrentTime);
    with_resource(c, X_UngrabKeyboard, CurrentTime);
    cxp_send(c);
}

uint32_t cxp_get_keys(cxp_connection *c, uint8_t *first)
{
    *first = (uint8_t)c->display->min_keycode;
    xGetKeyboardMappingReq *r = cxp_request(c, X_GetKeyboardMapping, sizeof *r);
    if (!r)
        return 0;
    r->firstKeyCode = *first;
    r->count = (CARD8)(c->display->max_keycode - c->display->min_keycode + 1);
    return (uint32_t)c->last_request;
}

void cxp_select(cxp_connection *c, uint32_t window, uint32_t mask)
{
    xChangeWindowAttributesReq *r = cxp_request(c, X_ChangeWindowAttributes, sizeof *r + sizeof mask);
    if (!r)
        return;
    r->window = window;
    r->valueMask = CWEventMask;
    memcpy(r + 1, &mask, sizeof mask);
}
