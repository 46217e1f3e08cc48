#include "connection.h"

#include <X11/X.h>
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

void cxp_select(cxp_connection *c, uint32_t window, uint32_t mask)
{
    xChangeWindowAttributesReq *r = cxp_request(c, X_ChangeWindowAttributes, sizeof *r + sizeof mask);
    if (!r)
        return;
    r->window = window;
    r->valueMask = CWEventMask;
    memcpy(r + 1, &mask, sizeof mask);
}
