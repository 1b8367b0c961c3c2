// Processes: what Swift does not import. Linux manual pages, section 2, 3, 7.
#ifndef BANTER_PROCESS_SHIM_H
#define BANTER_PROCESS_SHIM_H

#include <spawn.h>

/// environ(7), which changes only when this process changes it.
char **posix_environment(void);

/// pipe2(2) with O_CLOEXEC; 0, or -1 and errno.
int posix_pipe_cloexec(int ends[2]);

/// posix_spawn_file_actions_addclosefrom_np(3), a GNU extension.
int posix_spawn_close_from(posix_spawn_file_actions_t *actions, int first);

/// POSIX_SPAWN_SETSID of posix_spawnattr_setflags(3), a GNU extension.
short posix_spawn_new_session(void);

/// The exit status in `status` of wait(2), or 128 and the signal that ended it.
int posix_exit_status(int status);

/// A descriptor that stands for a process, whatever becomes of its id,
/// pidfd_open(2); or -1 and errno. It can be read once the process has ended.
int posix_open_process(int id);

/// pidfd_send_signal(2); 0, or -1 and errno.
int posix_signal_process(int process, int number);

/// A terminal that nobody looks at, with a window whose cells have that size in
/// pixels: its own end and the one of a child, both closed on exec (openpty(3)).
/// Returns 0, or -1 with errno set.
int posix_pretended_terminal(int ends[2], unsigned short cell_width,
                             unsigned short cell_height);

#endif
