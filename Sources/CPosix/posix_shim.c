#define _GNU_SOURCE
#include "posix_shim.h"

#include <sys/wait.h>

bool posix_did_exit(int status, int *exit_status) {
  *exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return WIFEXITED(status);
}

extern char **environ;

char **posix_environment(void) { return environ; }
