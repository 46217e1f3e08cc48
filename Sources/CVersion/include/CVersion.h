#ifndef CVERSION_H
#define CVERSION_H

/* The version, and the commit it was built from where the build named it: `0.1.0 (1a2b3c4d5e6f)`. */
const char *xphase_version(void);

#endif
