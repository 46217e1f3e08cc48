// Newer versions of GTK deprecate functions that Debian 12 has no substitutes for.
#define GDK_VERSION_MIN_REQUIRED GDK_VERSION_4_8
#include <gtk/gtk.h>
