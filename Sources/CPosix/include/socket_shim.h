// Sockets: what Swift does not import. Linux manual pages, section 2 and 7.
#ifndef BANTER_SOCKET_SHIM_H
#define BANTER_SOCKET_SHIM_H

#include <netdb.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A stream socket of that family that does not block and is closed on
/// execve(2), or -1 and errno.
int posix_stream_socket(int family);

/// The next connection of a listening socket, which does not block, with small
/// segments sent at once where it is TCP; or -1 and errno. accept4(2).
int posix_accept(int listener);

/// Connects to a Unix socket, unix(7); 0, or -1 and errno. A path that is too
/// long is ENAMETOOLONG.
int posix_connect_unix(int socket, const char *path);

/// Makes a Unix socket that only its user may call, and whom nobody can call
/// before listen(2); 0, or -1 and errno.
int posix_bind_unix(int socket, const char *path);

/// Gives the socket at a path, which must be one's own, to a group (UINT32_MAX
/// for none) and sets its mode, umask(2) or not; 0, or -1 and errno. chown(2),
/// chmod(2).
int posix_lend_unix(const char *path, unsigned mode, uint32_t group);

/// Lets callers in; 0, or -1 and errno. listen(2).
int posix_start_listening(int socket);

/// Listens at an address, sharing it with none, also right after somebody
/// else; an IPv6 one for IPv6 only. 0, or -1 and errno.
int posix_listen(int socket, const struct addrinfo *address);

/// The names of a host for streams, getaddrinfo(3): 0, or an EAI code.
int posix_resolve(const char *host, const char *port, bool listening, struct addrinfo **result);

/// Sends small segments at once, tcp(7).
void posix_set_no_delay(int socket);

/// Whether a connect(2) that did not block has arrived, waiting for so many
/// milliseconds: 0, or -1 and errno.
int posix_await_connection(int socket, int milliseconds);

/// Who is at the other end of a Unix socket, SO_PEERCRED; 0, or -1 and errno.
int posix_peer_user(int socket, uint32_t *user);

/// The address of the other end, or of a listening socket itself, as text with
/// its port; empty for a Unix socket.
void posix_socket_name(int socket, bool peer, char *name, size_t size);

/// Whether an address is one of this machine's own, which nobody else reaches.
bool posix_is_loopback(const struct addrinfo *address);

/// What a descriptor is, getsockopt(2).
enum posix_socket_kind {
  /// None that callers can be accepted from.
  POSIX_SOCKET_OTHER,
  /// One that listens for TCP over IPv4 or IPv6.
  POSIX_SOCKET_INTERNET,
  /// A Unix socket that listens for streams.
  POSIX_SOCKET_UNIX,
};

enum posix_socket_kind posix_listening_socket_kind(int socket);

/// Writes the path at which a Unix socket listens, unix(7); `@` stands for the
/// NUL that an abstract address begins with, and an unnamed one is empty.
void posix_unix_socket_path(int socket, char *path, size_t size);

/// Sends one datagram to a Unix socket, whose address may be abstract and then
/// begins with `@`; waits for a second at most. Returns 0, or -1 and errno.
int posix_send_datagram(const char *address, const char *text);

#endif
