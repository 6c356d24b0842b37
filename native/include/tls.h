/*
 * The whole interface of libstrata_tls: a server's end of TLS over a socket that does not block, by the system's
 * OpenSSL.
 *
 * What is received is decrypted to the caller's memory, and what is sent is encrypted and given to the socket, by one
 * call each: nothing waits, and no thread is made. An engine, with the connections made with it, belongs to one thread
 * at a time; a context is shared by all, and lives until the last of its connections is closed.
 *
 * strata_tls_handshake comes first. After that nothing depends on global state but OpenSSL's own.
 */
#ifndef STRATA_TLS_H
#define STRATA_TLS_H

#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

#if defined(__GNUC__)
#define STRATA_TLS_EXPORT __attribute__((visibility("default")))
#else
#define STRATA_TLS_EXPORT
#endif

/* Raised with every change of a function, a structure or the meaning of one. */
#define STRATA_TLS_ABI_VERSION 3

/* Statuses. */
enum {
  STRATA_TLS_OK = 0,
  STRATA_TLS_E_VERSION = 1,  /* the caller speaks another version */
  STRATA_TLS_E_LAYOUT = 2,   /* the caller's structures have other sizes */
  STRATA_TLS_E_MEMORY = 3,   /* the system gives no memory */
  STRATA_TLS_E_SETTINGS = 4, /* OpenSSL does not take the settings: see strata_tls_problem */
};

/* What strata_tls_receive and strata_tls_send return when the connection has ended. */
enum { STRATA_TLS_ENDED = -1 };

/* The least room that strata_tls_receive takes: a record, and what one receives with it. */
enum { STRATA_TLS_LEAST_ROOM = 32768 };

/* Bits of strata_tls_settings.protocols. */
enum {
  STRATA_TLS_1_0 = 1,
  STRATA_TLS_1_1 = 2,
  STRATA_TLS_1_2 = 4,
  STRATA_TLS_1_3 = 8,
};

/* strata_tls_settings.clients: what is asked of clients. */
enum {
  STRATA_TLS_CLIENTS_ANY = 0,      /* no certificate */
  STRATA_TLS_CLIENTS_OPTIONAL = 1, /* who shows one, shows a right one */
  STRATA_TLS_CLIENTS_KNOWN = 2,    /* a right certificate */
};

/* Which of the settings OpenSSL does not take. */
enum {
  STRATA_TLS_PROBLEM_CONTEXT = 1,
  STRATA_TLS_PROBLEM_CERTIFICATE = 2,
  STRATA_TLS_PROBLEM_KEY = 3,
  STRATA_TLS_PROBLEM_AUTHORITIES = 4,
  STRATA_TLS_PROBLEM_CIPHERS = 5,
  STRATA_TLS_PROBLEM_CIPHERSUITES = 6,
  STRATA_TLS_PROBLEM_PARAMETERS = 7,
};

/* How connections are made. Texts end with a zero; those that are not given are null. */
typedef struct strata_tls_settings {
  const char *certificate_file; /* PEM: the certificate, and those it is signed with */
  const char *key_file;         /* PEM */
  const char *key_password;
  const char *authorities_file; /* PEM: whose certificates of clients are right */
  const char *authorities_folder;
  const char *parameters_file; /* PEM: parameters of Diffie and Hellman's exchange for TLS 1.2; null chooses some */
  const char *ciphers;         /* TLS 1.2 and before; null for OpenSSL's own */
  const char *ciphersuites;    /* TLS 1.3; null for OpenSSL's own */
  int32_t protocols;
  int32_t clients;
  int32_t prefers_own_ciphers; /* whether the server's order of ciphers counts, rather than the client's */
  int32_t gives_tickets;       /* whether clients may go on with a session; it lies with them, encrypted */
  int64_t ticket_seconds;      /* for how long they may */
} strata_tls_settings;

/* Why a context was not opened. */
typedef struct strata_tls_problem {
  int32_t setting; /* STRATA_TLS_PROBLEM_... */
  char text[252];  /* OpenSSL's reason, ended by a zero; empty where it gives none */
} strata_tls_problem;

/* What the owner of a connection looks at without a call; changed by the connection's functions alone. */
typedef struct strata_tls_state {
  int64_t unsent_bytes;   /* encrypted, and not taken by the socket yet: goes first with the next send */
  int64_t error;          /* why it has ended, for strata_tls_error_text; 0 where the client has ended it */
  int32_t is_established; /* whether the handshake is over */
  int32_t verify_result;  /* of the client's certificate, for strata_tls_verify_text; 0 for a right one, or none */
  int32_t holds_record;   /* whether OpenSSL has memory for a record of which the end has not come */
} strata_tls_state;

typedef struct strata_tls_context strata_tls_context;
typedef struct strata_tls_engine strata_tls_engine;
typedef struct strata_tls_connection strata_tls_connection;

/* Compares the version, and the sizes of strata_tls_settings, strata_tls_problem and strata_tls_state. */
STRATA_TLS_EXPORT int32_t strata_tls_handshake(uint32_t version, const uint32_t *sizes, int32_t count);

/* Reads the files, and makes what connections are made from. */
STRATA_TLS_EXPORT int32_t strata_tls_context_open(const strata_tls_settings *settings, strata_tls_context **context,
                                                  strata_tls_problem *problem);
/* When the server's certificate expires, in seconds since 1970. */
STRATA_TLS_EXPORT int64_t strata_tls_context_expiry(const strata_tls_context *context);
/* No connection is made from it any more. */
STRATA_TLS_EXPORT void strata_tls_context_close(strata_tls_context *context);

/* What the connections of a thread share: the memory for what is encrypted. */
STRATA_TLS_EXPORT int32_t strata_tls_engine_open(strata_tls_engine **engine);
/* After the last of its connections. */
STRATA_TLS_EXPORT void strata_tls_engine_close(strata_tls_engine *engine);

/* Makes the server's end of an accepted socket, which stays the caller's. The handshake follows. */
STRATA_TLS_EXPORT int32_t strata_tls_open(strata_tls_engine *engine, strata_tls_context *context, int32_t socket,
                                          strata_tls_connection **connection, const strata_tls_state **state);
/* Goes on with the handshake, by what the client has sent of it; strata_tls_state tells when it is over.
 * Returns 0, or STRATA_TLS_ENDED. */
STRATA_TLS_EXPORT int32_t strata_tls_shake_hands(strata_tls_connection *connection);
/* Gives the connection to another engine, and so to another thread, at whose functions the former owner stops. */
STRATA_TLS_EXPORT void strata_tls_move(strata_tls_connection *connection, strata_tls_engine *engine);
/* Receives, once, after the handshake, and decrypts what has come whole. With only_whole the start of a record stays
 * with the socket, which tells of it when all of it is there: it takes no memory of the process.
 * Returns bytes; 0 when there are none now; STRATA_TLS_ENDED. */
STRATA_TLS_EXPORT int64_t strata_tls_receive(strata_tls_connection *connection, uint8_t *buffer, int64_t size,
                                             int32_t only_whole);
/* Encrypts and sends, until the socket takes no more.
 * Returns bytes that were encrypted, of which the last may be unsent; STRATA_TLS_ENDED. */
STRATA_TLS_EXPORT int64_t strata_tls_send(strata_tls_connection *connection, const uint8_t *bytes, int64_t length);
/* Tells the client that no more comes, as far as the socket takes it. */
STRATA_TLS_EXPORT void strata_tls_end_output(strata_tls_connection *connection);
/* Gives all back but the socket. */
STRATA_TLS_EXPORT void strata_tls_close(strata_tls_connection *connection);

/* What strata_tls_state.error is in words; ended by a zero. */
STRATA_TLS_EXPORT void strata_tls_error_text(int64_t error, char *text, int64_t size);
/* What strata_tls_state.verify_result is in words; ended by a zero. */
STRATA_TLS_EXPORT void strata_tls_verify_text(int32_t result, char *text, int64_t size);

#if defined(__cplusplus)
}
#endif

#endif
