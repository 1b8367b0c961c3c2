// What the C library has and Swift does not import: GNU extensions, macros
// and variadic functions. Linux manual pages, section 2 and 3.
#ifndef BANTER_POSIX_SHIM_H
#define BANTER_POSIX_SHIM_H

#include <stdbool.h>
#include <sys/types.h>

/// Whether `status` of waitpid(2) tells of an exit, and its status.
bool posix_did_exit(int status, int *exit_status);

/// environ(7), which changes only when this process changes it.
char **posix_environment(void);

#endif
