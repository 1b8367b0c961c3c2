#define _GNU_SOURCE
#include "process_shim.h"

#include <pty.h>
#include <sys/ioctl.h>
#include <fcntl.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

char **posix_environment(void) { return environ; }

int posix_pipe_cloexec(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int posix_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

short posix_spawn_new_session(void) { return POSIX_SPAWN_SETSID; }

int posix_exit_status(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int posix_open_process(int id) { return pidfd_open(id, 0); }

int posix_signal_process(int process, int number) {
  return pidfd_send_signal(process, number, NULL, 0);
}

int posix_pretended_terminal(int ends[2], unsigned short cell_width,
                             unsigned short cell_height) {
  struct winsize size = {.ws_row = 100, .ws_col = 200};
  size.ws_xpixel = size.ws_col * cell_width;
  size.ws_ypixel = size.ws_row * cell_height;
  if (openpty(&ends[0], &ends[1], NULL, NULL, &size) != 0) return -1;
  for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  return 0;
}
