// The minimal program that reads what xphase reads of all windows, in the same passes: it sends the requests of a pass
// together, over XCB alone. It prints a line for each listed window.
#include <err.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <xcb/xcb.h>

// As many atoms as xphase requests. The first ones name the properties to read.
static const char *const names[] = {
    "_NET_CLIENT_LIST", "_NET_CLIENT_LIST_STACKING", "_NET_ACTIVE_WINDOW", "_NET_CURRENT_DESKTOP",
    "_NET_SHOWING_DESKTOP", "_NET_SUPPORTING_WM_CHECK", "WM_STATE", "_NET_WM_STATE", "_NET_WM_DESKTOP",
    "_NET_WM_WINDOW_TYPE", "WM_TRANSIENT_FOR", "WM_CLASS", "WM_NAME", "_NET_WM_NAME", "_NET_WM_PID",
    "WM_CLIENT_MACHINE", "WM_WINDOW_ROLE", "UTF8_STRING", "_NET_SUPPORTED", "_NET_WM_STATE_HIDDEN", "_NET_WM_STATE_SHADED",
    "_NET_WM_STATE_STICKY", "_NET_WM_WINDOW_TYPE_DESKTOP", "_NET_WM_WINDOW_TYPE_DOCK",
    "_NET_WM_WINDOW_TYPE_TOOLBAR", "_NET_WM_WINDOW_TYPE_MENU", "_NET_WM_WINDOW_TYPE_UTILITY",
    "_NET_WM_WINDOW_TYPE_SPLASH", "_NET_WM_WINDOW_TYPE_DIALOG", "_NET_WM_WINDOW_TYPE_DROPDOWN_MENU",
    "_NET_WM_WINDOW_TYPE_POPUP_MENU", "_NET_WM_WINDOW_TYPE_TOOLTIP", "_NET_WM_WINDOW_TYPE_NOTIFICATION",
    "_NET_WM_WINDOW_TYPE_COMBO", "_NET_WM_WINDOW_TYPE_DND", "_NET_WM_WINDOW_TYPE_NORMAL", "_NET_WM_CM_S0",
    "WM_S0"};
enum { name_count = sizeof names / sizeof *names, of_root = 6, state = of_root, of_window = 11 };
enum { class_of, name_of, title_of, pid_of, kept };
// The indices of these properties among those of a window.
static const int kept_at[kept] = {5, 6, 7, 8};
static const uint32_t longest = 1 << 16;

typedef struct {
    xcb_window_t id;
    bool is_client, is_top_level;
    xcb_get_window_attributes_cookie_t attributes;
    xcb_get_geometry_cookie_t geometry;
    xcb_translate_coordinates_cookie_t position;
    xcb_query_tree_cookie_t tree;
    xcb_get_property_cookie_t properties[of_window];
} Window;

typedef struct {
    xcb_connection_t *connection;
    xcb_window_t root;
    xcb_atom_t atoms[name_count];
    Window *windows;
    size_t count;
} Reader;

static xcb_get_property_cookie_t ask_property(Reader *reader, xcb_window_t window, int name)
{
    return xcb_get_property(reader->connection, 0, window, reader->atoms[name], XCB_ATOM_ANY, 0, longest);
}

static void select_events(Reader *reader, xcb_window_t window, uint32_t mask)
{
    xcb_change_window_attributes(reader->connection, window, XCB_CW_EVENT_MASK, &mask);
}

static void read_atoms(Reader *reader)
{
    xcb_intern_atom_cookie_t asked[name_count];
    for (int name = 0; name < name_count; name++)
        asked[name] = xcb_intern_atom(reader->connection, 0, (uint16_t)strlen(names[name]), names[name]);
    for (int name = 0; name < name_count; name++) {
        xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(reader->connection, asked[name], NULL);
        reader->atoms[name] = reply ? reply->atom : XCB_ATOM_NONE;
        free(reply);
    }
}

static int by_id(const void *left, const void *right)
{
    xcb_window_t one = ((const Window *)left)->id, other = ((const Window *)right)->id;
    return (one > other) - (one < other);
}

// Merges the clients in _NET_CLIENT_LIST with the children of the root window: each window once, sorted by id.
static void merge(Reader *reader, const xcb_window_t *clients, int clients_count,
                  const xcb_window_t *children, int children_count)
{
    Window *windows = calloc((size_t)(clients_count + children_count) + 1, sizeof *windows);
    if (!windows)
        err(EX_OSERR, "calloc");
    for (int client = 0; client < clients_count; client++)
        windows[client] = (Window){.id = clients[client], .is_client = true};
    for (int child = 0; child < children_count; child++)
        windows[clients_count + child] = (Window){.id = children[child], .is_top_level = true};
    qsort(windows, (size_t)(clients_count + children_count), sizeof *windows, by_id);
    reader->windows = windows;
    for (int next = 0; next < clients_count + children_count; next++) {
        Window *last = reader->count ? &windows[reader->count - 1] : NULL;
        if (last && last->id == windows[next].id) {
            last->is_client |= windows[next].is_client;
            last->is_top_level |= windows[next].is_top_level;
        } else {
            windows[reader->count++] = windows[next];
        }
    }
}

static void read_root(Reader *reader)
{
    xcb_connection_t *connection = reader->connection;
    select_events(reader, reader->root,
                  XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_STRUCTURE_NOTIFY |
                      XCB_EVENT_MASK_PROPERTY_CHANGE | XCB_EVENT_MASK_FOCUS_CHANGE);
    xcb_get_geometry_cookie_t bounds = xcb_get_geometry(connection, reader->root);
    xcb_get_property_cookie_t properties[of_root];
    for (int name = 0; name < of_root; name++)
        properties[name] = ask_property(reader, reader->root, name);
    xcb_get_selection_owner_cookie_t owners[2];
    for (int owner = 0; owner < 2; owner++)
        owners[owner] = xcb_get_selection_owner(connection, reader->atoms[name_count - 2 + owner]);
    xcb_get_window_attributes_cookie_t attributes = xcb_get_window_attributes(connection, reader->root);
    xcb_query_tree_cookie_t asked_tree = xcb_query_tree(connection, reader->root);
    xcb_get_input_focus_cookie_t focus = xcb_get_input_focus(connection);

    free(xcb_get_geometry_reply(connection, bounds, NULL));
    xcb_get_property_reply_t *clients = xcb_get_property_reply(connection, properties[0], NULL);
    for (int name = 1; name < of_root; name++)
        free(xcb_get_property_reply(connection, properties[name], NULL));
    for (int owner = 0; owner < 2; owner++)
        free(xcb_get_selection_owner_reply(connection, owners[owner], NULL));
    free(xcb_get_window_attributes_reply(connection, attributes, NULL));
    xcb_query_tree_reply_t *tree = xcb_query_tree_reply(connection, asked_tree, NULL);
    free(xcb_get_input_focus_reply(connection, focus, NULL));
    if (!clients || !tree)
        errx(EX_UNAVAILABLE, "the display is lost");
    merge(reader, xcb_get_property_value(clients), xcb_get_property_value_length(clients) / 4,
          xcb_query_tree_children(tree), xcb_query_tree_children_length(tree));
    free(clients);
    free(tree);
}

// Requests everything about a client. For another child of the root window, requests only whether it is a client after
// all.
static void ask(Reader *reader, Window *window)
{
    xcb_connection_t *connection = reader->connection;
    if (window->is_client)
        select_events(reader, window->id,
                      XCB_EVENT_MASK_PROPERTY_CHANGE | XCB_EVENT_MASK_FOCUS_CHANGE |
                          (window->is_top_level ? 0 : XCB_EVENT_MASK_STRUCTURE_NOTIFY));
    window->attributes = xcb_get_window_attributes(connection, window->id);
    if (!window->is_client) {
        window->properties[0] = ask_property(reader, window->id, state);
        return;
    }
    window->geometry = xcb_get_geometry(connection, window->id);
    if (!window->is_top_level) {
        window->position = xcb_translate_coordinates(connection, window->id, reader->root, 0, 0);
        window->tree = xcb_query_tree(connection, window->id);
    }
    for (int name = 0; name < of_window; name++)
        window->properties[name] = ask_property(reader, window->id, of_root + name);
}

static void print_text(xcb_get_property_reply_t *reply)
{
    // WM_CLASS consists of two strings; this prints the first.
    if (reply)
        printf("\t%.*s", xcb_get_property_value_length(reply), (char *)xcb_get_property_value(reply));
}

static void take(Reader *reader, Window *window)
{
    xcb_connection_t *connection = reader->connection;
    free(xcb_get_window_attributes_reply(connection, window->attributes, NULL));
    if (!window->is_client) {
        free(xcb_get_property_reply(connection, window->properties[0], NULL));
        return;
    }
    free(xcb_get_geometry_reply(connection, window->geometry, NULL));
    if (!window->is_top_level) {
        free(xcb_translate_coordinates_reply(connection, window->position, NULL));
        free(xcb_query_tree_reply(connection, window->tree, NULL));
    }
    xcb_get_property_reply_t *replies[of_window];
    for (int name = 0; name < of_window; name++)
        replies[name] = xcb_get_property_reply(connection, window->properties[name], NULL);
    printf("0x%x", window->id);
    for (int text = class_of; text < pid_of; text++)
        print_text(replies[kept_at[text]]);
    xcb_get_property_reply_t *pid = replies[kept_at[pid_of]];
    if (pid && xcb_get_property_value_length(pid) == 4)
        printf("\t%u", *(uint32_t *)xcb_get_property_value(pid));
    putchar('\n');
    for (int name = 0; name < of_window; name++)
        free(replies[name]);
}

int main(void)
{
    Reader reader = {.connection = xcb_connect(NULL, NULL)};
    if (xcb_connection_has_error(reader.connection))
        errx(EX_UNAVAILABLE, "cannot open the display");
    reader.root = xcb_setup_roots_iterator(xcb_get_setup(reader.connection)).data->root;
    read_atoms(&reader);
    read_root(&reader);
    for (size_t window = 0; window < reader.count; window++)
        ask(&reader, &reader.windows[window]);
    for (size_t window = 0; window < reader.count; window++)
        take(&reader, &reader.windows[window]);
    free(reader.windows);
    xcb_disconnect(reader.connection);
}
