// The least that a hub can do: what the sockets alone cost. One thread, epoll(7).
//
// A client's first line is its greeting, which is answered by `joined`; every
// line after it goes to all others as it is. Nothing is read, kept or synced.
// What is to be written is gathered, and written once a turn.
//
//   yardstick PORT
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { maximum_clients = 4096, maximum_line = 64 * 1024 };

struct client {
  int socket;
  bool has_joined;
  size_t held, waiting, capacity;
  char input[maximum_line];
  char *output;
};

static struct client *clients[maximum_clients];
static int client_count, poller, listener;

static void append(struct client *client, const char *bytes, size_t count) {
  if (client->waiting + count > client->capacity) {
    client->capacity = 2 * (client->waiting + count);
    client->output = realloc(client->output, client->capacity);
    if (!client->output) abort();
  }
  memcpy(client->output + client->waiting, bytes, count);
  client->waiting += count;
}

static void watch(int socket, struct client *client) {
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
  epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event);
}

static void let_in(void) {
  int socket = accept4(listener, NULL, NULL, SOCK_NONBLOCK), on = 1;
  if (socket < 0) return;
  struct client *client = client_count < maximum_clients ? calloc(1, sizeof *client) : NULL;
  if (!client) {
    close(socket);
    return;
  }
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  client->socket = socket;
  clients[client_count++] = client;
  watch(socket, client);
}

static void let_go(int index) {
  struct client *client = clients[index];
  clients[index] = clients[--client_count];
  close(client->socket);
  free(client->output);
  free(client);
}

static int index_of(const struct client *client) {
  for (int index = 0; index < client_count; index++)
    if (clients[index] == client) return index;
  abort();
}

static void tell_others(const struct client *sender, const char *bytes, size_t count) {
  for (int index = 0; index < client_count; index++)
    if (clients[index] != sender) append(clients[index], bytes, count);
}

// Takes the whole lines of what has come.
static void hear(struct client *client) {
  ssize_t count =
    read(client->socket, client->input + client->held, maximum_line - client->held);
  if (count < 0 && errno == EAGAIN) return;
  if (count <= 0) return let_go(index_of(client));
  client->held += count;
  char *begin = client->input, *end = begin + client->held;
  char *greeting = client->has_joined ? NULL : memchr(begin, '\n', end - begin);
  if (greeting) {
    client->has_joined = true;
    append(client, "joined\n", 7);
    begin = greeting + 1;
  }
  char *last = client->has_joined ? memrchr(begin, '\n', end - begin) : NULL;
  if (last) {
    tell_others(client, begin, last + 1 - begin);
    begin = last + 1;
  }
  client->held = end - begin;
  memmove(client->input, begin, client->held);
  if (client->held == maximum_line) let_go(index_of(client));
}

// Writes to everybody what waits for him; from the end, since one who goes is
// replaced by the last.
static void write_all(void) {
  for (int index = client_count - 1; index >= 0; index--) {
    struct client *client = clients[index];
    if (client->waiting == 0) continue;
    ssize_t count = send(client->socket, client->output, client->waiting, MSG_NOSIGNAL);
    if (count < 0 && errno != EAGAIN) let_go(index);
    if (count <= 0) continue;
    client->waiting -= count;
    memmove(client->output, client->output + count, client->waiting);
  }
}

int main(int count, char **words) {
  if (count != 2) return 64;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(words[1])),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int on = 1;
  listener = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
      listen(listener, 512) != 0) {
    perror("yardstick");
    return 1;
  }
  poller = epoll_create1(0);
  watch(listener, NULL);
  while (true) {
    // One event a client: one who is let go is in no other of the same turn.
    struct epoll_event events[256];
    int ready = epoll_wait(poller, events, 256, 20);
    for (int index = 0; index < ready; index++) {
      if (events[index].data.ptr) hear(events[index].data.ptr);
      else let_in();
    }
    write_all();
  }
}
