#include "CLinux.h"

/* The only place that states the version. Packaging reads this line, too. */
#define XPHASE_VERSION "0.1.0"

const char *xphase_version(void)
{
#ifdef XPHASE_COMMIT
    return XPHASE_VERSION " (" XPHASE_COMMIT ")";
#else
    return XPHASE_VERSION;
#endif
}
