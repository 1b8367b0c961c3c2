// Fan-out: one publisher and many receivers in one room of a server; how much
// it delivers, how soon, and for how much of its CPU time.
//
// One thread with epoll(7). The payload of a message holds a marker, its number
// and the time; each receiver checks that every message comes once and in
// order. Windowed, at most --window messages are on their way to the slowest
// receiver, so that no server is flooded into dropping any. Paced, --rate
// messages a second are sent, and the time to each receiver is counted.
//
//   --protocol lines|irc|redis|nats  --port N  --pid N (whose CPU time counts)
//   --receivers N  --seconds S  --size BYTES  --window N | --rate N
//   lines only, with %d for a number and %s for the payload:
//   --hello LINE (may be repeated)  --ready TEXT  --message LINE
//
// Prints one JSON object.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
  maximum_hellos = 4,
  maximum_frame = 16 * 1024,
  receive_bytes = 128 * 1024,
  send_bytes = 1024 * 1024,
  // `|`, ten digits, `,`, nineteen digits, `;`
  mark_bytes = 32,
  // Of a microsecond each.
  latency_slots = 500 * 1000,
};

static const uint64_t second = 1000000000;

static struct {
  const char *protocol, *ready, *message;
  const char *hellos[maximum_hellos];
  int hello_count, port, pid, receivers, size, window, rate;
  double seconds;
} options = {.protocol = "lines", .ready = "", .message = "%s",
             .receivers = 100, .size = 200, .window = 64, .seconds = 1.5};

struct receiver {
  int socket;
  // The number of the message that is to come next.
  uint32_t next;
  uint64_t received, lost, duplicated;
  size_t held;
  char bytes[receive_bytes];
};

static struct receiver *receivers;
static uint32_t latencies[latency_slots];
static uint64_t latency_count;

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(1);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * second + time.tv_nsec;
}

// The CPU seconds of the server, proc_pid_stat(5).
static double server_seconds(void) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", options.pid);
  FILE *file = fopen(path, "r");
  if (!file) fail("the server is not there any more");
  size_t count = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[count] = 0;
  unsigned long user = 0, system = 0;
  // After the name, which may hold anything.
  const char *rest = strrchr(text, ')');
  const char *format = ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu";
  if (!rest || sscanf(rest, format, &user, &system) != 2) fail("%s: cannot be read", path);
  return (double)(user + system) / sysconf(_SC_CLK_TCK);
}

// MARK: Talking, one line after the other, before anything is measured

static void say(int socket, const char *text) {
  size_t length = strlen(text);
  while (length > 0) {
    ssize_t count = write(socket, text, length);
    if (count <= 0) fail("write: %s", strerror(errno));
    text += count;
    length -= count;
  }
}

// Reads until `text` has come; answers the PING of IRC servers meanwhile.
static void wait_for(int socket, const char *text) {
  static char heard[1024 * 1024];
  size_t length = 0;
  uint64_t deadline = now() + 15 * second;
  while (true) {
    struct pollfd wait = {.fd = socket, .events = POLLIN};
    if (poll(&wait, 1, 5000) <= 0 || now() > deadline || length == sizeof heard - 1)
      fail("no '%s' in: %.500s", text, heard);
    ssize_t count = read(socket, heard + length, sizeof heard - 1 - length);
    if (count <= 0) fail("hung up instead of '%s': %.500s", text, heard);
    length += count;
    heard[length] = 0;
    char *ping = strcmp(options.protocol, "irc") == 0 ? strstr(heard, "PING ") : NULL;
    if (ping && (ping == heard || ping[-1] == '\n') && strchr(ping, '\n')) {
      char pong[300];
      snprintf(pong, sizeof pong, "PONG %.*s\r\n", (int)strcspn(ping + 5, "\r\n"), ping + 5);
      say(socket, pong);
      memcpy(ping, "DONE ", 5);
    }
    if (strstr(heard, text)) return;
  }
}

// Writes `template` with its %d and %s filled in; returns the length.
static size_t fill(char *out, const char *template, uint32_t number, const char *payload) {
  char *end = out;
  for (const char *next = template; *next; next++) {
    if (next[0] == '%' && next[1] == 'd') {
      end += sprintf(end, "%u", number);
      next++;
    } else if (next[0] == '%' && next[1] == 's') {
      end = stpcpy(end, payload);
      next++;
    } else {
      *end++ = *next;
    }
  }
  *end++ = '\n';
  *end = 0;
  return end - out;
}

// MARK: Protocols

struct protocol {
  const char *name;
  // Says who is there; `number` is another one for each.
  void (*enter)(int socket, int number, bool publishes);
  // What is left to do when everybody has entered.
  void (*join)(int socket);
  // Writes one message, and returns its length.
  size_t (*frame)(char *out, uint32_t number, const char *payload);
};

static void lines_enter(int socket, int number, bool publishes) {
  (void)publishes;
  char line[2048];
  for (int index = 0; index < options.hello_count; index++) {
    fill(line, options.hellos[index], number, "");
    say(socket, line);
  }
  wait_for(socket, options.ready);
}

static void lines_join(int socket) { (void)socket; }

static size_t lines_frame(char *out, uint32_t number, const char *payload) {
  return fill(out, options.message, number, payload);
}

// RFC 1459. Some servers register new users once a second only, all at once:
// so they are waited for together.
static void irc_enter(int socket, int number, bool publishes) {
  (void)publishes;
  char line[128];
  snprintf(line, sizeof line, "NICK u%d\r\nUSER u%d 0 * :u%d\r\n", number, number, number);
  say(socket, line);
}

static void irc_join(int socket) {
  wait_for(socket, " 422 ");
  say(socket, "JOIN #bench\r\n");
  wait_for(socket, " 366 ");
}

static size_t irc_frame(char *out, uint32_t number, const char *payload) {
  (void)number;
  return sprintf(out, "PRIVMSG #bench :%s\r\n", payload);
}

// https://redis.io/docs/latest/develop/reference/protocol-spec/
static void redis_enter(int socket, int number, bool publishes) {
  (void)number;
  if (publishes) return;
  say(socket, "SUBSCRIBE bench\r\n");
  wait_for(socket, ":1\r\n");
}

static size_t redis_frame(char *out, uint32_t number, const char *payload) {
  (void)number;
  return sprintf(out, "*3\r\n$7\r\nPUBLISH\r\n$5\r\nbench\r\n$%d\r\n%s\r\n", options.size, payload);
}

// https://docs.nats.io/reference/reference-protocols/nats-protocol
static void nats_enter(int socket, int number, bool publishes) {
  (void)number;
  wait_for(socket, "INFO");
  say(socket, "CONNECT {\"verbose\":false,\"pedantic\":false}\r\n");
  if (!publishes) say(socket, "SUB bench 1\r\n");
  say(socket, "PING\r\n");
  wait_for(socket, "PONG");
}

static size_t nats_frame(char *out, uint32_t number, const char *payload) {
  (void)number;
  return sprintf(out, "PUB bench %d\r\n%s\r\n", options.size, payload);
}

static const struct protocol protocols[] = {
  {"lines", lines_enter, lines_join, lines_frame},
  {"irc", irc_enter, irc_join, irc_frame},
  {"redis", redis_enter, lines_join, redis_frame},
  {"nats", nats_enter, lines_join, nats_frame},
};

static const struct protocol *protocol_named(const char *name) {
  for (size_t index = 0; index < sizeof protocols / sizeof *protocols; index++)
    if (strcmp(protocols[index].name, name) == 0) return &protocols[index];
  fail("there is no protocol %s", name);
}

static size_t make_frame(const struct protocol *protocol, char *out, uint32_t number) {
  static char payload[4096];
  int length = snprintf(payload, sizeof payload, "|%010u,%019llu;", number,
                        (unsigned long long)now());
  memset(payload + length, 'x', options.size - length);
  payload[options.size] = 0;
  return protocol->frame(out, number, payload);
}

// MARK: Receiving

static uint64_t digits(const char *text, int count) {
  uint64_t value = 0;
  for (int index = 0; index < count; index++) value = value * 10 + (text[index] - '0');
  return value;
}

static void take_mark(struct receiver *receiver, const char *mark, uint64_t time) {
  uint32_t number = digits(mark + 1, 10);
  receiver->received++;
  if (number == receiver->next) {
    receiver->next++;
  } else if (number > receiver->next) {
    receiver->lost += number - receiver->next;
    receiver->next = number + 1;
  } else {
    receiver->duplicated++;
  }
  if (options.rate == 0) return;
  uint64_t microseconds = (time - digits(mark + 12, 19)) / 1000;
  latencies[microseconds < latency_slots ? microseconds : latency_slots - 1]++;
  latency_count++;
}

// Takes what has come; returns whether anything had.
static bool take(struct receiver *receiver) {
  ssize_t count =
    read(receiver->socket, receiver->bytes + receiver->held, receive_bytes - receiver->held);
  if (count < 0 && errno == EAGAIN) return false;
  if (count <= 0) fail("a receiver was let go after %u messages", receiver->next);
  uint64_t time = now();
  char *next = receiver->bytes, *end = next + receiver->held + count, *mark;
  while ((mark = memchr(next, '|', end - next))) {
    next = mark;
    if (end - mark < mark_bytes) break;
    take_mark(receiver, mark, time);
    next = mark + mark_bytes;
  }
  receiver->held = mark ? end - mark : 0;
  memmove(receiver->bytes, next, receiver->held);
  return true;
}

// Drops what the publisher itself is told; NATS wants to know that it is there.
static void drop(int publisher) {
  static char bytes[64 * 1024];
  ssize_t count;
  while ((count = read(publisher, bytes, sizeof bytes)) > 0)
    if (strcmp(options.protocol, "nats") == 0 && memmem(bytes, count, "PING\r\n", 6))
      say(publisher, "PONG\r\n");
  if (count == 0) fail("the publisher was let go");
}

// MARK: Measuring

static int connect_to_server(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(options.port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int connection = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) != 0)
    fail("connect: %s", strerror(errno));
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return connection;
}

// Connects everybody; returns the publisher's socket.
static int gather(const struct protocol *protocol) {
  receivers = calloc(options.receivers, sizeof *receivers);
  if (!receivers) fail("there is not enough memory");
  for (int index = 0; index < options.receivers; index++) {
    receivers[index].socket = connect_to_server();
    protocol->enter(receivers[index].socket, index, false);
  }
  int publisher = connect_to_server();
  protocol->enter(publisher, options.receivers, true);
  for (int index = 0; index < options.receivers; index++) protocol->join(receivers[index].socket);
  protocol->join(publisher);
  for (int index = 0; index < options.receivers; index++)
    fcntl(receivers[index].socket, F_SETFL, O_NONBLOCK);
  fcntl(publisher, F_SETFL, O_NONBLOCK);
  return publisher;
}

// Drops what is told of those who have come, until nothing is for a while.
static void settle(int publisher) {
  char bytes[4096];
  bool is_quiet = false;
  while (!is_quiet) {
    usleep(200 * 1000);
    is_quiet = read(publisher, bytes, sizeof bytes) <= 0;
    for (int index = 0; index < options.receivers; index++)
      while (read(receivers[index].socket, bytes, sizeof bytes) > 0) is_quiet = false;
  }
}

static uint32_t slowest(void) {
  uint32_t least = UINT32_MAX;
  for (int index = 0; index < options.receivers; index++)
    if (receivers[index].next < least) least = receivers[index].next;
  return least;
}

struct totals {
  uint64_t time, received, lost, duplicated;
  double server;
};

static struct totals totals(void) {
  struct totals result = {.time = now(), .server = server_seconds()};
  for (int index = 0; index < options.receivers; index++) {
    result.received += receivers[index].received;
    result.lost += receivers[index].lost;
    result.duplicated += receivers[index].duplicated;
  }
  return result;
}

// How many messages there are to be by now.
static uint32_t wanted(uint64_t begin) {
  if (options.rate == 0) return slowest() + options.window;
  return (now() - begin) * options.rate / second;
}

// Sends and receives for half a second that does not count, and for as long
// as is asked for; returns what was there in between.
static struct totals load(const struct protocol *protocol, int publisher, int poller) {
  static char output[send_bytes];
  size_t length = 0, written = 0;
  uint32_t sent = 0;
  uint64_t begin = now(), warm = begin + second / 2, heard = begin;
  uint64_t end = warm + (uint64_t)(options.seconds * second);
  struct totals start = {0};
  while (now() < end) {
    if (start.time == 0 && now() >= warm) {
      start = totals();
      memset(latencies, 0, sizeof latencies);
      latency_count = 0;
    }
    uint32_t goal = wanted(begin);
    while (sent < goal && length < sizeof output - maximum_frame)
      length += make_frame(protocol, output + length, sent++);
    if (written < length) {
      ssize_t count = write(publisher, output + written, length - written);
      if (count < 0 && errno != EAGAIN) fail("the publisher: %s", strerror(errno));
      if (count > 0) written += count;
      if (written == length) written = length = 0;
    }
    struct epoll_event events[256];
    int count = epoll_wait(poller, events, 256, options.rate || written < length ? 1 : 20);
    for (int index = 0; index < count; index++) {
      uint32_t number = events[index].data.u32;
      if (number == (uint32_t)options.receivers) drop(publisher);
      else if (take(&receivers[number])) heard = now();
    }
    if (now() - heard > 5 * second) fail("nothing came for 5 s; %u of %u did", slowest(), sent);
  }
  return start;
}

static double latency(double part) {
  uint64_t wanted = latency_count * part, count = 0;
  for (int slot = 0; slot < latency_slots; slot++)
    if ((count += latencies[slot]) > wanted) return slot / 1000.0;
  return latency_slots / 1000.0;
}

static void report(struct totals start, struct totals end) {
  double seconds = (double)(end.time - start.time) / second;
  double deliveries = end.received - start.received, cpu = end.server - start.server;
  printf("{\"deliveries\": %.0f, \"per_cpu_second\": %.0f, \"cpu\": %.3f, \"lost\": %llu, "
         "\"duplicated\": %llu",
         deliveries / seconds, cpu > 0 ? deliveries / cpu : 0, cpu / seconds,
         (unsigned long long)end.lost, (unsigned long long)end.duplicated);
  if (options.rate) printf(", \"p50\": %.3f, \"p99\": %.3f", latency(0.5), latency(0.99));
  puts("}");
}

static void read_options(int count, char **words) {
  for (int index = 1; index + 1 < count; index += 2) {
    const char *name = words[index], *value = words[index + 1];
    if (strcmp(name, "--protocol") == 0) options.protocol = value;
    else if (strcmp(name, "--port") == 0) options.port = atoi(value);
    else if (strcmp(name, "--pid") == 0) options.pid = atoi(value);
    else if (strcmp(name, "--receivers") == 0) options.receivers = atoi(value);
    else if (strcmp(name, "--seconds") == 0) options.seconds = atof(value);
    else if (strcmp(name, "--size") == 0) options.size = atoi(value);
    else if (strcmp(name, "--window") == 0) options.window = atoi(value);
    else if (strcmp(name, "--rate") == 0) options.rate = atoi(value);
    else if (strcmp(name, "--ready") == 0) options.ready = value;
    else if (strcmp(name, "--message") == 0) options.message = value;
    else if (strcmp(name, "--hello") == 0 && options.hello_count < maximum_hellos)
      options.hellos[options.hello_count++] = value;
    else fail("%s: what is that?", name);
  }
  if (options.size < mark_bytes || options.size > 4000) fail("--size is from 32 to 4000");
  if (options.receivers < 1 || options.window < 1) fail("--receivers and --window are above 0");
}

int main(int count, char **words) {
  read_options(count, words);
  // Whatever a server does, this ends.
  alarm(60 + (unsigned)options.seconds);
  const struct protocol *protocol = protocol_named(options.protocol);
  int publisher = gather(protocol);
  settle(publisher);
  int poller = epoll_create1(0);
  for (int index = 0; index <= options.receivers; index++) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = index};
    int socket = index < options.receivers ? receivers[index].socket : publisher;
    epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event);
  }
  struct totals start = load(protocol, publisher, poller);
  report(start, totals());
  return 0;
}
