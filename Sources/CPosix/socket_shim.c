#define _GNU_SOURCE
#include "socket_shim.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

int posix_stream_socket(int family) {
  return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

void posix_set_no_delay(int socket) {
  int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

int posix_accept(int listener) {
  int connection = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (connection >= 0) posix_set_no_delay(connection);
  return connection;
}

static int unix_address(const char *path, struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address->sun_path, path);
  return 0;
}

int posix_connect_unix(int socket, const char *path) {
  struct sockaddr_un address;
  if (unix_address(path, &address) != 0) return -1;
  return connect(socket, (struct sockaddr *)&address, sizeof address);
}

int posix_bind_unix(int socket, const char *path) {
  struct sockaddr_un address;
  if (unix_address(path, &address) != 0) return -1;
  // The file gets the mode of the socket; umask(2) would be everybody's.
  if (fchmod(socket, S_IRUSR | S_IWUSR) != 0) return -1;
  return bind(socket, (struct sockaddr *)&address, sizeof address);
}

int posix_lend_unix(const char *path, unsigned mode, uint32_t group) {
  // The one that is there now, and not what somebody puts in its place.
  int file = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return -1;
  struct stat status;
  char name[32];
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  int result = fstat(file, &status);
  if (result == 0 && (!S_ISSOCK(status.st_mode) || status.st_uid != geteuid())) {
    errno = EPERM;
    result = -1;
  }
  if (result == 0 && group != UINT32_MAX)
    result = fchownat(file, "", (uid_t)-1, group, AT_EMPTY_PATH);
  if (result == 0) result = chmod(name, mode);
  int error = errno;
  close(file);
  errno = error;
  return result;
}

int posix_start_listening(int socket) { return listen(socket, SOMAXCONN); }

int posix_listen(int socket, const struct addrinfo *address) {
  int on = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (address->ai_family == AF_INET6)
    setsockopt(socket, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  if (bind(socket, address->ai_addr, address->ai_addrlen) != 0) return -1;
  return listen(socket, SOMAXCONN);
}

int posix_resolve(const char *host, const char *port, bool listening, struct addrinfo **result) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = listening ? AI_PASSIVE : 0};
  return getaddrinfo(host, port, &hints, result);
}

int posix_await_connection(int socket, int milliseconds) {
  struct pollfd wait = {.fd = socket, .events = POLLOUT};
  int count = poll(&wait, 1, milliseconds);
  if (count < 0) return -1;
  if (count == 0) {
    errno = ETIMEDOUT;
    return -1;
  }
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) != 0) return -1;
  errno = error;
  return error == 0 ? 0 : -1;
}

int posix_peer_user(int socket, uint32_t *user) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -1;
  *user = credentials.uid;
  return 0;
}

void posix_socket_name(int socket, bool peer, char *name, size_t size) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  int result = peer ? getpeername(socket, (struct sockaddr *)&address, &length)
                    : getsockname(socket, (struct sockaddr *)&address, &length);
  name[0] = 0;
  if (result != 0) return;
  char host[INET6_ADDRSTRLEN];
  if (address.ss_family == AF_INET) {
    struct sockaddr_in *in = (struct sockaddr_in *)&address;
    inet_ntop(AF_INET, &in->sin_addr, host, sizeof host);
    snprintf(name, size, "%s:%d", host, ntohs(in->sin_port));
  } else if (address.ss_family == AF_INET6) {
    struct sockaddr_in6 *in = (struct sockaddr_in6 *)&address;
    inet_ntop(AF_INET6, &in->sin6_addr, host, sizeof host);
    snprintf(name, size, "[%s]:%d", host, ntohs(in->sin6_port));
  }
}

bool posix_is_loopback(const struct addrinfo *address) {
  if (address->ai_family == AF_INET) {
    const struct sockaddr_in *in = (const struct sockaddr_in *)address->ai_addr;
    return ntohl(in->sin_addr.s_addr) >> 24 == 127;
  }
  if (address->ai_family != AF_INET6) return false;
  const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)address->ai_addr;
  return IN6_IS_ADDR_LOOPBACK(&in->sin6_addr);
}

static int option(int socket, int name) {
  int value = 0;
  socklen_t size = sizeof value;
  return getsockopt(socket, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}

enum posix_socket_kind posix_listening_socket_kind(int socket) {
  if (option(socket, SO_TYPE) != SOCK_STREAM || option(socket, SO_ACCEPTCONN) != 1)
    return POSIX_SOCKET_OTHER;
  switch (option(socket, SO_DOMAIN)) {
    case AF_INET:
    case AF_INET6: return POSIX_SOCKET_INTERNET;
    case AF_UNIX: return POSIX_SOCKET_UNIX;
    default: return POSIX_SOCKET_OTHER;
  }
}

void posix_unix_socket_path(int socket, char *path, size_t size) {
  struct sockaddr_un address;
  socklen_t length = sizeof address;
  memset(&address, 0, sizeof address);
  path[0] = 0;
  if (getsockname(socket, (struct sockaddr *)&address, &length) != 0) return;
  size_t start = offsetof(struct sockaddr_un, sun_path);
  if (length <= start || size == 0) return;
  size_t count = length - start < size - 1 ? length - start : size - 1;
  memcpy(path, address.sun_path, count);
  path[count] = 0;
  if (path[0] == 0) path[0] = '@';
}

int posix_send_datagram(const char *address, const char *text) {
  struct sockaddr_un target;
  size_t length = strlen(address);
  if (length == 0 || length >= sizeof target.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memset(&target, 0, sizeof target);
  target.sun_family = AF_UNIX;
  memcpy(target.sun_path, address, length);
  if (target.sun_path[0] == '@') target.sun_path[0] = 0;
  int sender = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (sender < 0) return -1;
  struct timeval patience = {.tv_sec = 1};
  setsockopt(sender, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  ssize_t sent = sendto(sender, text, strlen(text), MSG_NOSIGNAL, (struct sockaddr *)&target,
                        offsetof(struct sockaddr_un, sun_path) + length);
  int error = errno;
  close(sender);
  errno = error;
  return sent < 0 ? -1 : 0;
}
