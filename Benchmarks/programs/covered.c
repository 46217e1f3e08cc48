// The minimal program that reports each window that is no longer covered. It follows the stacking order and the
// geometry of the root window's children by events, and checks the windows that a change can affect. It handles
// rectangles only.
#include "desktop.h"

#include <err.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>
#include <unistd.h>

enum { most_pieces = 1000, most_windows = 1 << 16 };

typedef struct {
    int left, top, right, bottom;
} box;

typedef struct child {
    Window window;
    box place;
    bool is_covered;
    struct child *above, *below;
} child;

// The child above the ring is the lowest one; the child below it is the topmost one.
static child ring = {.above = &ring, .below = &ring};
static child *table[2 * most_windows];

static child **slot(Window window)
{
    size_t place = window * 2654435761u % (2 * most_windows);
    while (table[place] && table[place]->window != window)
        place = (place + 1) % (2 * most_windows);
    return &table[place];
}

static void unlink_child(child *moved)
{
    moved->above->below = moved->below;
    moved->below->above = moved->above;
}

static void link_above(child *moved, child *lower)
{
    moved->below = lower;
    moved->above = lower->above;
    lower->above->below = moved;
    lower->above = moved;
}

static bool meet(box a, box b)
{
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

static int subtract(box *rest, int count, box hole)
{
    for (int index = 0; index < count;) {
        box old = rest[index];
        if (!meet(old, hole)) {
            index++;
            continue;
        }
        rest[index] = rest[--count];
        if (hole.top > old.top)
            rest[count++] = (box){old.left, old.top, old.right, hole.top};
        if (hole.bottom < old.bottom)
            rest[count++] = (box){old.left, hole.bottom, old.right, old.bottom};
        int top = hole.top > old.top ? hole.top : old.top;
        int bottom = hole.bottom < old.bottom ? hole.bottom : old.bottom;
        if (hole.left > old.left)
            rest[count++] = (box){old.left, top, hole.left, bottom};
        if (hole.right < old.right)
            rest[count++] = (box){hole.right, top, old.right, bottom};
        if (count > most_pieces)
            return count;
    }
    return count;
}

static bool is_covered(const child *judged)
{
    static box rest[most_pieces + 8];
    int count = 1;
    rest[0] = judged->place;
    for (child *above = judged->above; above != &ring && count > 0; above = above->above) {
        count = subtract(rest, count, above->place);
        if (count > most_pieces)
            return false;
    }
    return count == 0;
}

static void judge(child *judged)
{
    bool was = judged->is_covered;
    judged->is_covered = is_covered(judged);
    if (was && !judged->is_covered) {
        char line[32];
        int length = snprintf(line, sizeof line, "0x%lx\n", judged->window);
        if (write(STDOUT_FILENO, line, (size_t)length) < 0)
            _exit(1);
    }
}

// Judges a child that was moved, and the children that it is or was above.
static void restack(XConfigureEvent event)
{
    child *moved = *slot(event.window);
    if (!moved)
        return;
    child *lower = event.above ? *slot(event.above) : &ring;
    child *old = moved->below;
    unlink_child(moved);
    link_above(moved, lower ? lower : old);
    judge(moved);
    for (child *below = moved->below; below != old && below != &ring; below = below->below)
        if (meet(below->place, moved->place))
            judge(below);
}

int main(void)
{
    Display *display = desktop_open();
    Window root = DefaultRootWindow(display), ignored, *children;
    unsigned count;
    XSelectInput(display, root, SubstructureNotifyMask);
    if (!XQueryTree(display, root, &ignored, &ignored, &children, &count) || count >= most_windows)
        errx(EX_UNAVAILABLE, "there are too many windows");
    for (unsigned index = 0; index < count; index++) {
        XWindowAttributes found;
        if (!XGetWindowAttributes(display, children[index], &found) || found.map_state != IsViewable)
            continue;
        child *new = calloc(1, sizeof *new);
        if (!new)
            err(EX_OSERR, "calloc");
        new->window = children[index];
        new->place = (box){found.x, found.y, found.x + found.width, found.y + found.height};
        link_above(new, ring.below);
        *slot(new->window) = new;
    }
    for (child *each = ring.below; each != &ring; each = each->below)
        each->is_covered = is_covered(each);
    puts("ready");
    fflush(stdout);
    struct pollfd socket = {.fd = ConnectionNumber(display), .events = POLLIN};
    for (;;) {
        while (XPending(display)) {
            XEvent event;
            XNextEvent(display, &event);
            if (event.type == ConfigureNotify)
                restack(event.xconfigure);
        }
        poll(&socket, 1, -1);
    }
}
