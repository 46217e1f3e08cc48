#ifndef CXEXT_H
#define CXEXT_H

/* The module CXlib, so that Swift sees one declaration of each type. */
#include "../../Sources/CXlib/CXlib.h"

#include <X11/extensions/dpms.h>
#include <X11/extensions/shape.h>
#include <X11/extensions/sync.h>

#endif
