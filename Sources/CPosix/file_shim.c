#define _GNU_SOURCE
#include "file_shim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

const void *posix_memrchr(const void *bytes, int byte, size_t count) {
  return memrchr(bytes, byte, count);
}

bool posix_contains(const void *bytes, size_t count, const void *part, size_t part_count) {
  return memmem(bytes, count, part, part_count) != NULL;
}

int posix_inotify_open(void) { return inotify_init1(IN_NONBLOCK | IN_CLOEXEC); }

int posix_inotify_watch_file(int inotify, const char *path) {
  return inotify_add_watch(inotify, path, IN_MODIFY | IN_MOVE_SELF | IN_DELETE_SELF | IN_ATTRIB);
}

int posix_inotify_watch_folder(int inotify, const char *path) {
  return inotify_add_watch(
      inotify, path, IN_CREATE | IN_MOVED_TO | IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR);
}

void posix_inotify_unwatch(int inotify, int watch) { inotify_rm_watch(inotify, watch); }

static bool is_one_of(const char *entry, const char *name, const char *other_name) {
  if (name == NULL && other_name == NULL) return true;
  return (name != NULL && strcmp(entry, name) == 0)
      || (other_name != NULL && strcmp(entry, other_name) == 0);
}

struct posix_inotify_news posix_inotify_drain(int inotify, const char *name, const char *other_name) {
  char buffer[16384] __attribute__((aligned(__alignof__(struct inotify_event))));
  struct posix_inotify_news news = {false, false};
  ssize_t count;
  while ((count = read(inotify, buffer, sizeof buffer)) > 0) {
    for (ssize_t at = 0; at < count;) {
      const struct inotify_event *event = (const struct inotify_event *)(buffer + at);
      at += (ssize_t)(sizeof *event + event->len);
      if (event->mask & IN_IGNORED) continue;
      if (event->mask & (IN_CREATE | IN_MOVED_TO)) {
        if (is_one_of(event->len > 0 ? event->name : "", name, other_name)) news.names = true;
      } else if (event->mask & IN_MODIFY) {
        news.contents = true;
      } else {
        news.names = true;
      }
    }
  }
  return news;
}

bool posix_is_on_network(const char *path) {
  static const uint32_t types[] = {
      0x6969, 0x517B, 0xFE534D42, 0xFF534D42, // NFS, SMB, SMB 2, CIFS
      0x65735546, 0x01021997, 0x00C36400,     // FUSE, 9P, Ceph
      0x5346414F, 0x73757245, 0x0BD00BD0, 0x47504653, // AFS, Coda, Lustre, GPFS
      0x786F4256, 0xBACBACBC, // shared folders of VirtualBox and VMware
  };
  struct statfs status;
  if (statfs(path, &status) != 0) return false;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i] == (uint32_t)status.f_type) return true;
  return false;
}

int posix_note_use(const char *path) {
  struct timespec times[2] = {{0}, {.tv_nsec = UTIME_OMIT}};
  // The kernel's own time for files stands still for some milliseconds.
  clock_gettime(CLOCK_REALTIME, &times[0]);
  return utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
}

int posix_make_private_folder(const char *path) {
  char *part = strdup(path);
  if (part == NULL) return -1;
  int number = 0;
  for (char *slash = strchr(part + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    if (mkdir(part, 0700) != 0 && errno != EEXIST && number == 0) number = errno;
    *slash = '/';
  }
  int result = mkdir(part, 0700);
  // Why a folder above it could not be made says more than that it is missing.
  if (result != 0 && errno == ENOENT && number != 0) errno = number;
  free(part);
  return result == 0 || errno == EEXIST ? 0 : -1;
}

static int lock_byte(int descriptor, int64_t offset, int type, int command, struct flock *lock) {
  *lock = (struct flock){
      .l_type = (short)type, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
  return fcntl(descriptor, command, lock);
}

int posix_lock_byte(int descriptor, int64_t offset) {
  struct flock lock;
  return lock_byte(descriptor, offset, F_WRLCK, F_OFD_SETLK, &lock);
}

void posix_unlock_byte(int descriptor, int64_t offset) {
  struct flock lock;
  lock_byte(descriptor, offset, F_UNLCK, F_OFD_SETLK, &lock);
}

int posix_is_byte_locked(int descriptor, int64_t offset) {
  struct flock lock;
  if (lock_byte(descriptor, offset, F_WRLCK, F_OFD_GETLK, &lock) != 0) return -1;
  return lock.l_type != F_UNLCK;
}
