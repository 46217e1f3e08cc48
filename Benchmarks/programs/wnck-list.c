// wnck-list [stay]: prints a line for each window that libwnck knows. With `stay` it then runs until it is ended.
#define WNCK_I_KNOW_THIS_IS_UNSTABLE
#include <gtk/gtk.h>
#include <libwnck/libwnck.h>
#include <stdio.h>

int main(int count, char **arguments)
{
    gtk_init(&count, &arguments);
    WnckHandle *handle = wnck_handle_new(WNCK_CLIENT_TYPE_APPLICATION);
    WnckScreen *screen = wnck_handle_get_default_screen(handle);
    wnck_screen_force_update(screen);
    for (GList *item = wnck_screen_get_windows(screen); item; item = item->next) {
        WnckWindow *window = item->data;
        WnckWorkspace *workspace = wnck_window_get_workspace(window);
        printf("0x%lx\t%s\t%s\t%d\t%d\t%d\t%s\n", wnck_window_get_xid(window),
               wnck_window_get_class_instance_name(window), wnck_window_get_class_group_name(window),
               wnck_window_get_pid(window), workspace ? wnck_workspace_get_number(workspace) : -1,
               wnck_window_is_minimized(window), wnck_window_get_name(window));
    }
    fflush(stdout);
    if (count > 1)
        gtk_main();
}
