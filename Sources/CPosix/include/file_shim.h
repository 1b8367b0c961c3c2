// Files: what Swift does not import. Linux manual pages, section 2, 3 and 7.
#ifndef BANTER_FILE_SHIM_H
#define BANTER_FILE_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// memrchr(3), a GNU extension.
const void *posix_memrchr(const void *bytes, int byte, size_t count);

/// Whether a part of `bytes` is the same as `part`, memmem(3), a GNU extension.
bool posix_contains(const void *bytes, size_t count, const void *part, size_t part_count);

/// A new instance of inotify(7) that does not block, or -1 and errno.
int posix_inotify_open(void);

/// Watches a file for changes of its contents, its name and its links.
/// Returns the watch descriptor, or -1 and errno.
int posix_inotify_watch_file(int inotify, const char *path);

/// Watches a folder for entries that come into it. Returns the watch
/// descriptor, or -1 and errno.
int posix_inotify_watch_folder(int inotify, const char *path);

/// Ends a watch.
void posix_inotify_unwatch(int inotify, int watch);

/// What inotify had to tell.
struct posix_inotify_news {
  /// The contents of a watched file have changed.
  bool contents;
  /// Something else has: a file or folder was moved, removed or made.
  bool names;
};

/// Takes everything that waits to be read. Entries that come into a folder
/// count only when they have one of the names, each of which may be null; when
/// all are null, every entry counts.
struct posix_inotify_news posix_inotify_drain(int inotify, const char *name, const char *other_name);

/// Whether `path` is on a file system that other machines, or programs in user
/// space, may change, by the f_type of statfs(2); not where that cannot be had.
bool posix_is_on_network(const char *path);

/// Makes a folder for its owner only, and those above it, as far as they are
/// missing, mkdir(2). Returns 0, or -1 and errno.
int posix_make_private_folder(const char *path);

/// Marks a file as used just now by its time of access, and leaves the time of
/// its last change alone, utimensat(2). Returns 0, or -1 and errno.
int posix_note_use(const char *path);

/// Locks one byte of a file without waiting, F_OFD_SETLK of fcntl(2). Returns
/// 0, or -1 and errno.
int posix_lock_byte(int descriptor, int64_t offset);

/// Gives a byte's lock up.
void posix_unlock_byte(int descriptor, int64_t offset);

/// Whether another open file holds the byte's lock: 1, 0, or -1 and errno.
int posix_is_byte_locked(int descriptor, int64_t offset);

#endif
