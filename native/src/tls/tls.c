/* Connections: what the socket gives goes through OpenSSL to the caller, and back. */
#include <errno.h>
#include <openssl/err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "tls_parts.h"

enum {
  RECORD = 16384,          /* bytes of a record at most, decrypted */
  HEADER = 5,              /* bytes that tell a record's kind, version and length (RFC 8446, 5.1) */
  MOST_ADDED = 2048,       /* bytes that encryption adds to a record at most */
  INPUT = 1 << 20,         /* bytes received by one call at most */
  PIECE = 4 * RECORD,      /* bytes encrypted before they are sent */
  MOST_UNSENT = 2 * PIECE, /* bytes that may wait; what is more, a client has had made by its messages, and not read */
  MOST_MESSAGES = 16       /* records of the protocol's own that a call takes: a change of keys is much work */
};

/* Memory that grows as it is written to. */
typedef struct bytes {
  uint8_t *data;
  size_t length;
  size_t capacity;
} bytes;

/* How OpenSSL reads and writes: made once, by strata_tls_handshake, for the process. */
static BIO_METHOD *method;

struct strata_tls_engine {
  uint8_t *input;        /* what was received */
  const uint8_t *source; /* what of it OpenSSL has not taken */
  size_t source_bytes;
  bytes sink; /* what OpenSSL has encrypted, and the socket was not given */
};

struct strata_tls_connection {
  strata_tls_state state; /* the first, for the caller */
  strata_tls_engine *engine;
  SSL *ssl;
  int socket;
  int has_failed;
  int has_input_ended; /* the client sends no more, and may read still */
  int awaited;         /* bytes from which on the socket tells of input, where it is not the first */
  uint8_t *unsent;     /* encrypted, and not taken by the socket */
  size_t unsent_start; /* of it, what was taken since */
};

static int append(bytes *to, const void *data, size_t length) {
  if (to->capacity - to->length < length) {
    const size_t capacity = (to->length + length) * 2;
    uint8_t *grown = realloc(to->data, capacity);
    if (grown == NULL) return 0;
    to->data = grown;
    to->capacity = capacity;
  }
  memcpy(to->data + to->length, data, length);
  to->length += length;
  return 1;
}

static int bio_read(BIO *bio, char *buffer, int size) {
  strata_tls_engine *engine = BIO_get_data(bio);
  BIO_clear_retry_flags(bio);
  if (engine->source_bytes == 0) {
    BIO_set_retry_read(bio);
    return -1;
  }
  const size_t given = engine->source_bytes < (size_t)size ? engine->source_bytes : (size_t)size;
  memcpy(buffer, engine->source, given);
  engine->source += given;
  engine->source_bytes -= given;
  return (int)given;
}

static int bio_write(BIO *bio, const char *data, int length) {
  strata_tls_engine *engine = BIO_get_data(bio);
  BIO_clear_retry_flags(bio);
  return append(&engine->sink, data, (size_t)length) ? length : -1;
}

static long bio_control(BIO *bio, int command, long number, void *pointer) {
  (void)bio;
  (void)number;
  (void)pointer;
  return command == BIO_CTRL_FLUSH;
}

int32_t strata_tls_handshake(uint32_t version, const uint32_t *sizes, int32_t count) {
  if (version != STRATA_TLS_ABI_VERSION) return STRATA_TLS_E_VERSION;
  const uint32_t ours[] = {sizeof(strata_tls_settings), sizeof(strata_tls_problem), sizeof(strata_tls_state)};
  const int32_t all = sizeof(ours) / sizeof(ours[0]);
  if (count != all || memcmp(sizes, ours, sizeof(ours)) != 0) return STRATA_TLS_E_LAYOUT;
  if (method == NULL) {
    method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "strata");
    if (method == NULL) return STRATA_TLS_E_MEMORY;
    BIO_meth_set_read(method, bio_read);
    BIO_meth_set_write(method, bio_write);
    BIO_meth_set_ctrl(method, bio_control);
  }
  return STRATA_TLS_OK;
}

int32_t strata_tls_engine_open(strata_tls_engine **engine) {
  strata_tls_engine *made = *engine = calloc(1, sizeof(*made));
  if (made == NULL) return STRATA_TLS_E_MEMORY;
  made->input = malloc(INPUT); /* Only what was written to takes memory. */
  if (made->input != NULL) return STRATA_TLS_OK;
  free(made);
  *engine = NULL;
  return STRATA_TLS_E_MEMORY;
}

void strata_tls_engine_close(strata_tls_engine *engine) {
  free(engine->input);
  free(engine->sink.data);
  free(engine);
}

int32_t strata_tls_open(strata_tls_engine *engine, strata_tls_context *context, int32_t socket,
                        strata_tls_connection **connection, const strata_tls_state **state) {
  strata_tls_connection *made = calloc(1, sizeof(*made));
  BIO *bio = BIO_new(method);
  SSL *ssl = SSL_new(context->ssl);
  if (made == NULL || bio == NULL || ssl == NULL) {
    free(made);
    BIO_free(bio);
    SSL_free(ssl);
    ERR_clear_error();
    return STRATA_TLS_E_MEMORY;
  }
  BIO_set_data(bio, engine);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl, bio, bio);
  SSL_set_accept_state(ssl);
  made->engine = engine;
  made->ssl = ssl;
  made->socket = socket;
  *connection = made;
  *state = &made->state;
  return STRATA_TLS_OK;
}

void strata_tls_move(strata_tls_connection *connection, strata_tls_engine *engine) {
  BIO_set_data(SSL_get_rbio(connection->ssl), engine);
  connection->engine = engine;
}

void strata_tls_close(strata_tls_connection *connection) {
  SSL_free(connection->ssl);
  free(connection->unsent);
  free(connection);
}

static int is_transient(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

/* Returns bytes that the socket has taken, or -1. */
static int64_t give(strata_tls_connection *connection, const uint8_t *data, size_t length) {
  size_t sent = 0;
  while (sent < length) {
    const ssize_t now = send(connection->socket, data + sent, length - sent, MSG_NOSIGNAL);
    if (now < 0) return is_transient(errno) ? (int64_t)sent : -1;
    sent += (size_t)now;
  }
  return (int64_t)sent;
}

/* Sends what waits. Returns whether the socket is there still. */
static int flush_unsent(strata_tls_connection *connection) {
  if (connection->state.unsent_bytes == 0) return 1;
  const int64_t sent =
      give(connection, connection->unsent + connection->unsent_start, (size_t)connection->state.unsent_bytes);
  if (sent < 0) return 0;
  connection->unsent_start += (size_t)sent;
  connection->state.unsent_bytes -= sent;
  if (connection->state.unsent_bytes == 0) {
    free(connection->unsent);
    connection->unsent = NULL;
    connection->unsent_start = 0;
  }
  return 1;
}

/* Adds what was encrypted to what waits. */
static int keep(strata_tls_connection *connection, const uint8_t *data, size_t length) {
  const size_t held = (size_t)connection->state.unsent_bytes;
  uint8_t *grown = malloc(held + length);
  if (grown == NULL) return 0;
  if (held != 0) memcpy(grown, connection->unsent + connection->unsent_start, held);
  memcpy(grown + held, data, length);
  free(connection->unsent);
  connection->unsent = grown;
  connection->unsent_start = 0;
  connection->state.unsent_bytes = (int64_t)(held + length);
  return 1;
}

/* Sends what was encrypted, behind what waits. Returns whether the socket is there still, and what it left is kept. */
static int flush_sink(strata_tls_connection *connection) {
  bytes *sink = &connection->engine->sink;
  const size_t length = sink->length;
  if (length == 0) return 1;
  sink->length = 0;
  int64_t sent = 0;
  if (connection->state.unsent_bytes == 0) {
    sent = give(connection, sink->data, length);
    if (sent < 0) return 0;
  }
  return (size_t)sent == length || keep(connection, sink->data + sent, length - (size_t)sent);
}

/* The connection cannot be used any more. */
static int64_t fail(strata_tls_connection *connection) {
  const unsigned long error = ERR_peek_last_error();
  connection->has_failed = 1;
  if (connection->state.error == 0) connection->state.error = (int64_t)error;
  if (connection->state.verify_result == 0) {
    connection->state.verify_result = (int32_t)SSL_get_verify_result(connection->ssl);
  }
  ERR_clear_error();
  return STRATA_TLS_ENDED;
}

/* Decrypts what was received. Returns bytes, or ENDED. */
static int64_t decrypt(strata_tls_connection *connection, uint8_t *buffer, size_t size) {
  const strata_tls_engine *engine = connection->engine;
  size_t total = 0;
  int messages = 0;
  while ((engine->source_bytes != 0 || SSL_pending(connection->ssl) != 0) && total < size) {
    size_t read = 0;
    const int result = SSL_read_ex(connection->ssl, buffer + total, size - total, &read);
    total += read;
    if (result <= 0) {
      const int error = SSL_get_error(connection->ssl, result);
      if (error == SSL_ERROR_WANT_READ) {
        if (engine->source_bytes == 0) break;
        if (++messages <= MOST_MESSAGES) continue; /* It was one of the protocol's own. */
      }
      if (error == SSL_ERROR_ZERO_RETURN) {
        connection->has_input_ended = 1;
      } else {
        (void)fail(connection);
      }
      break;
    }
  }
  return total == 0 && (connection->has_failed || connection->has_input_ended) ? STRATA_TLS_ENDED : (int64_t)total;
}

/* Has the socket tell of input from so many bytes on; 0 for any. */
static void await(strata_tls_connection *connection, int bytes) {
  const int least = bytes == 0 ? 1 : bytes;
  if (connection->awaited == bytes) return;
  connection->awaited = bytes;
  (void)setsockopt(connection->socket, SOL_SOCKET, SO_RCVLOWAT, &least, sizeof(least));
}

/* Whether a record may begin so, of which at least a byte is there. */
static int begins_record(const uint8_t *data, size_t length) {
  const int is_kind = data[0] >= SSL3_RT_CHANGE_CIPHER_SPEC && data[0] <= SSL3_RT_APPLICATION_DATA;
  return is_kind && (length < 2 || data[1] == SSL3_VERSION_MAJOR) &&
         (length < HEADER || (data[3] << 8 | data[4]) <= RECORD + MOST_ADDED);
}

/* Of what has come, the bytes of the records that are whole. Where there is none, the first one's end is awaited with
 * the socket: OpenSSL would take memory for all of it. A socket that tells of less has ended, or cannot hold as much:
 * then all is to be taken, as is what is no record. */
static size_t whole_records(strata_tls_connection *connection, const uint8_t *data, size_t length) {
  size_t whole = 0;
  size_t next = HEADER;
  while (whole < length) {
    if (!begins_record(data + whole, length - whole)) {
      await(connection, 0);
      return length;
    }
    if (length - whole < HEADER) break;
    next = HEADER + ((size_t)data[whole + 3] << 8 | data[whole + 4]);
    if (next > length - whole) break;
    whole += next;
    next = HEADER;
  }
  if (whole == 0 && connection->awaited != (int)next) {
    await(connection, (int)next);
    return 0;
  }
  await(connection, 0);
  return whole == 0 ? length : whole;
}

int32_t strata_tls_shake_hands(strata_tls_connection *connection) {
  strata_tls_engine *engine = connection->engine;
  if (connection->has_failed) return STRATA_TLS_ENDED;

  /* OpenSSL takes a record at a time, and no more of them than the handshake's: what the client has sent behind those
   * stays with the socket, for whoever has the connection then. */
  const ssize_t there = recv(connection->socket, engine->input, INPUT, MSG_PEEK);
  if (there <= 0) return there < 0 && is_transient(errno) ? 0 : STRATA_TLS_ENDED;
  const size_t given = whole_records(connection, engine->input, (size_t)there);
  if (given == 0) return 0;
  ERR_clear_error();
  engine->source = engine->input;
  engine->source_bytes = given;
  const int result = SSL_do_handshake(connection->ssl);
  connection->state.is_established = result > 0;
  if (result <= 0 && SSL_get_error(connection->ssl, result) != SSL_ERROR_WANT_READ) (void)fail(connection);

  /* What follows an error is nobody's; if it stayed, the client might not receive the alert. */
  const size_t taken = connection->has_failed ? (size_t)there : given - engine->source_bytes;
  engine->source_bytes = 0;
  const int is_taken = recv(connection->socket, NULL, taken, MSG_TRUNC) == (ssize_t)taken;
  return is_taken && flush_sink(connection) && !connection->has_failed ? 0 : STRATA_TLS_ENDED;
}

int64_t strata_tls_receive(strata_tls_connection *connection, uint8_t *buffer, int64_t size, int32_t only_whole) {
  strata_tls_engine *engine = connection->engine;
  if (connection->has_failed || connection->has_input_ended || size < STRATA_TLS_LEAST_ROOM) return STRATA_TLS_ENDED;

  /* With an unfinished record from before, no more than fits when it is decrypted: nothing is left over. */
  size_t room = (size_t)size - RECORD < INPUT ? (size_t)size - RECORD : INPUT;
  if ((only_whole && !connection->state.holds_record) || connection->awaited != 0) {
    const size_t most = (size_t)size < INPUT ? (size_t)size : INPUT;
    const ssize_t there = recv(connection->socket, engine->input, most, MSG_PEEK);
    if (there <= 0) return there < 0 && is_transient(errno) ? 0 : STRATA_TLS_ENDED;
    room = whole_records(connection, engine->input, (size_t)there);
    if (room == 0) return 0;
  }
  const ssize_t received = recv(connection->socket, engine->input, room, 0);
  if (received <= 0) return received < 0 && is_transient(errno) ? 0 : STRATA_TLS_ENDED;
  ERR_clear_error();
  engine->source = engine->input;
  engine->source_bytes = (size_t)received;
  const int64_t decrypted = decrypt(connection, buffer, (size_t)size);
  if (engine->source_bytes != 0 && !connection->has_input_ended) {
    connection->has_failed = 1; /* What follows an error is nobody's. */
  }
  engine->source_bytes = 0;
  connection->state.holds_record = SSL_has_pending(connection->ssl);
  if (!flush_sink(connection) || connection->state.unsent_bytes > MOST_UNSENT) return STRATA_TLS_ENDED;

  /* What came before the end is dealt with first; then the socket tells of it. */
  if ((connection->has_failed || connection->has_input_ended) && decrypted > 0) shutdown(connection->socket, SHUT_RD);
  return decrypted;
}

int64_t strata_tls_send(strata_tls_connection *connection, const uint8_t *bytes, int64_t length) {
  if (connection->has_failed || !flush_unsent(connection)) return STRATA_TLS_ENDED;
  int64_t total = 0;
  if (length > 0) ERR_clear_error();
  while (total < length && connection->state.unsent_bytes == 0) {
    const int64_t piece = length - total < PIECE ? length - total : PIECE;
    size_t written = 0;
    const int result = SSL_write_ex(connection->ssl, bytes + total, (size_t)piece, &written);
    if (result <= 0) {
      connection->engine->sink.length = 0;
      return fail(connection);
    }
    total += (int64_t)written;
    if (!flush_sink(connection)) return STRATA_TLS_ENDED;
  }
  return total;
}

void strata_tls_end_output(strata_tls_connection *connection) {
  if (connection->has_failed || !connection->state.is_established) return;
  ERR_clear_error();
  (void)SSL_shutdown(connection->ssl);
  ERR_clear_error();
  (void)flush_sink(connection);
}

void strata_tls_error_text(int64_t error, char *text, int64_t size) {
  ERR_error_string_n((unsigned long)error, text, (size_t)size);
}

void strata_tls_verify_text(int32_t result, char *text, int64_t size) {
  const char *words = X509_verify_cert_error_string(result);
  const size_t length = strlen(words) < (size_t)size ? strlen(words) : (size_t)size - 1;
  memcpy(text, words, length);
  text[length] = 0;
}
