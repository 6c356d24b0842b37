// What the kernel alone costs: a server of one thread that finds the end of each RESP command and answers a constant,
// through epoll, one read and one write a turn. It keeps no keys. Whatever a server beside it needs more is its own.
//
// Usage: floor --port PORT [--bytes N]
//   GET is answered by N bytes (100), MGET by as many of them as it has keys, PING by PONG, all else by OK.
//
// It listens on 127.0.0.1 and trusts its clients: a command or reply beyond the buffers ends the connection.
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { INPUT_BYTES = 1 << 21, OUTPUT_BYTES = 1 << 22, EVENTS = 256, BACKLOG = 511 };

// A client. Its buffer is its own only while a command is incomplete or the client does not read.
struct client {
  int socket;
  char *unread;  // the beginning of a command
  size_t unread_bytes;
  char *unsent;
  size_t unsent_bytes;
};

static int poller;
static size_t value_bytes = 100;
static char *value;  // a bulk string, with its header
static size_t value_length;
static char input[INPUT_BYTES];
static char output[OUTPUT_BYTES];

static void fail(const char *what) {
  fprintf(stderr, "floor: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void *allocate(size_t bytes) {
  void *memory = malloc(bytes);
  if (memory == NULL) {
    fail("memory");
  }
  return memory;
}

static void close_client(struct client *client) {
  close(client->socket);
  free(client->unread);
  free(client->unsent);
  free(client);
}

// read_number: the number at *at behind its sign, up to the end of the line. False where that is not there.
static bool read_number(const char **at, const char *end, size_t *number) {
  const char *p = *at + 1;
  size_t n = 0;
  for (; p < end && *p >= '0' && *p <= '9'; p++) {
    n = n * 10 + (size_t)(*p - '0');
  }
  if (end - p < 2) {
    return false;
  }
  *at = p + 2;
  *number = n;
  return true;
}

// skip_command: goes over one command, of which there may be a part only.
static bool skip_command(const char **at, const char *end, size_t *arguments, const char **name) {
  const char *p = *at;
  if (end - p < 4 || !read_number(&p, end, arguments)) {
    return false;
  }
  *name = NULL;
  for (size_t i = 0; i < *arguments; i++) {
    size_t length;
    if (end - p < 4 || !read_number(&p, end, &length) || end - p < 2 || (size_t)(end - p) - 2 < length) {
      return false;
    }
    *name = *name == NULL ? p : *name;
    p += length + 2;
  }
  *at = p;
  return true;
}

// answer: writes the reply to a command. Null where there is no room for it.
static char *answer(char *to, const char *name, size_t arguments) {
  const char first = name == NULL ? 'O' : (char)(*name & ~0x20);
  const size_t values = first == 'G' ? 1 : first == 'M' ? arguments - 1 : 0;
  if ((size_t)(output + OUTPUT_BYTES - to) < 64 || (size_t)(output + OUTPUT_BYTES - to) - 64 < values * value_length) {
    return NULL;
  }
  if (first == 'M') {
    to += sprintf(to, "*%zu\r\n", values);
  }
  for (size_t i = 0; i < values; i++) {
    memcpy(to, value, value_length);
    to += value_length;
  }
  if (values == 0) {
    const char *text = first == 'P' ? "+PONG\r\n" : "+OK\r\n";
    const size_t length = strlen(text);
    memcpy(to, text, length);
    to += length;
  }
  return to;
}

// await: says what the client is waited for: that it sends, or that it reads.
static void await(struct client *client, uint32_t events) {
  struct epoll_event event = {.events = events, .data = {.ptr = client}};
  if (epoll_ctl(poller, EPOLL_CTL_MOD, client->socket, &event) != 0) {
    fail("epoll_ctl");
  }
}

// send_all: sends what it can and keeps the rest. False where the connection has ended.
static bool send_all(struct client *client, const char *bytes, size_t length) {
  while (length > 0) {
    const ssize_t sent = send(client->socket, bytes, length, MSG_NOSIGNAL);
    if (sent < 0 && errno == EAGAIN) {
      client->unsent = allocate(length);
      memcpy(client->unsent, bytes, length);
      client->unsent_bytes = length;
      await(client, EPOLLOUT);
      return true;
    }
    if (sent < 0) {
      return false;
    }
    bytes += sent;
    length -= (size_t)sent;
  }
  return true;
}

static bool send_rest(struct client *client) {
  char *rest = client->unsent;
  const size_t length = client->unsent_bytes;
  client->unsent = NULL;
  client->unsent_bytes = 0;
  await(client, EPOLLIN);
  const bool goes_on = send_all(client, rest, length);
  free(rest);
  return goes_on;
}

// serve: one turn of a client. False where the connection has ended.
static bool serve(struct client *client) {
  if (client->unsent != NULL) {
    return send_rest(client);
  }
  size_t had = client->unread_bytes;
  if (had > 0) {
    memcpy(input, client->unread, had);
    free(client->unread);
    client->unread = NULL;
    client->unread_bytes = 0;
  }
  const ssize_t received = recv(client->socket, input + had, INPUT_BYTES - had, 0);
  if (received <= 0) {
    return received < 0 && errno == EAGAIN && had == 0;
  }
  const char *at = input;
  const char *end = input + had + received;
  const char *name;
  size_t arguments;
  char *to = output;
  while (at < end && skip_command(&at, end, &arguments, &name)) {
    to = answer(to, name, arguments);
    if (to == NULL) {
      return false;
    }
  }
  if (at < end) {
    client->unread_bytes = (size_t)(end - at);
    client->unread = allocate(client->unread_bytes);
    memcpy(client->unread, at, client->unread_bytes);
  }
  return (size_t)(end - at) < INPUT_BYTES && send_all(client, output, (size_t)(to - output));
}

static void accept_client(int listener) {
  const int socket = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (socket < 0) {
    return;
  }
  const int one = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  struct client *client = allocate(sizeof *client);
  *client = (struct client){.socket = socket};
  struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = client}};
  if (epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event) != 0) {
    fail("epoll_ctl");
  }
}

static int listen_on(unsigned short port) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int one = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0 ||
      bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, BACKLOG) != 0) {
    fail("the port");
  }
  return listener;
}

// number_of: what stands behind a flag.
static size_t number_of(const char *flag, const char *text) {
  char *end;
  errno = 0;
  const unsigned long number = strtoul(text, &end, 10);
  if (errno != 0 || *end != '\0' || end == text || number > OUTPUT_BYTES / 2) {
    fprintf(stderr, "floor: %s takes a number of at most %d\n", flag, OUTPUT_BYTES / 2);
    exit(2);
  }
  return number;
}

int main(int count, char **words) {
  size_t port = 0;
  for (int i = 1; i + 1 < count; i += 2) {
    if (strcmp(words[i], "--port") == 0) {
      port = number_of(words[i], words[i + 1]);
    } else if (strcmp(words[i], "--bytes") == 0) {
      value_bytes = number_of(words[i], words[i + 1]);
    } else {
      port = 0;
      break;
    }
  }
  if (port == 0 || port > UINT16_MAX || count % 2 == 0) {
    fprintf(stderr, "usage: floor --port PORT [--bytes N]\n");
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  value = allocate(value_bytes + 32);
  const int header = sprintf(value, "$%zu\r\n", value_bytes);
  memset(value + header, 'x', value_bytes);
  memcpy(value + header + (int)value_bytes, "\r\n", 2);
  value_length = (size_t)header + value_bytes + 2;
  const int listener = listen_on((unsigned short)port);
  poller = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = NULL}};
  if (poller < 0 || epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event) != 0) {
    fail("epoll");
  }
  struct epoll_event events[EVENTS];
  while (true) {
    const int ready = epoll_wait(poller, events, EVENTS, -1);
    for (int i = 0; i < ready; i++) {
      struct client *client = events[i].data.ptr;
      if (client == NULL) {
        accept_client(listener);
      } else if (!serve(client)) {
        close_client(client);
      }
    }
  }
}
