#include "CLinux.h"

/* The one place of the version: packaging reads this line, too. */
#define XPHASE_VERSION "0.1.0"

const char *xphase_version(void)
{
#ifdef XPHASE_COMMIT
    return XPHASE_VERSION " (" XPHASE_COMMIT ")";
#else
    return XPHASE_VERSION;
#endif
}
