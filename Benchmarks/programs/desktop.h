// Windows as clients make them, and the properties that a window manager maintains.
#pragma once

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <stdbool.h>

Display *desktop_open(void);
Atom desktop_atom(Display *display, const char *name);

// Makes a window of the application NAME, with NAME as its title and all properties that a toolkit sets. With `state`
// it also sets WM_STATE, which only window managers write.
Window desktop_window(Display *display, const char *name, int place, bool state);

void desktop_title(Display *display, Window window, const char *title);

// Sets _NET_CLIENT_LIST and _NET_CLIENT_LIST_STACKING of the root window.
void desktop_list(Display *display, const Window *windows, int count);

// Sets _NET_ACTIVE_WINDOW of the root window.
void desktop_active(Display *display, Window window);

// Announces a running window manager, whose check window this is.
void desktop_check(Display *display, Window window);
