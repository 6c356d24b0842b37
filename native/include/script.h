/*
 * The whole interface of libstrata_script: Lua 5.1 with the libraries that Redis's scripts have.
 *
 * A state belongs to the thread that has opened it; only closing it may be another's. Every function returns a status
 * (STRATA_SCRIPT_...) unless said otherwise.
 * No error of Lua leaves the library: what is raised is caught here, and a function of the host returns before anything
 * is raised on its behalf, so that no jump passes over a frame of the caller's or the host's. What a function hands out
 * as strata_bytes is good until the next call with the same state.
 *
 * The stack of the thread needs 1 MB of room. Its locale (uselocale) is C from the opening on.
 *
 * strata_script_handshake comes first. After that nothing depends on global state.
 */
#ifndef STRATA_SCRIPT_H
#define STRATA_SCRIPT_H

#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

#if defined(__GNUC__)
#define STRATA_SCRIPT_EXPORT __attribute__((visibility("default")))
#else
#define STRATA_SCRIPT_EXPORT
#endif

/* Raised with every change of a function, a structure or the meaning of one. */
#define STRATA_SCRIPT_ABI_VERSION 5

/* Statuses. */
enum {
  STRATA_SCRIPT_OK = 0,
  STRATA_SCRIPT_E_VERSION = 1,  /* the caller speaks another version */
  STRATA_SCRIPT_E_LAYOUT = 2,   /* the caller's structures have other sizes or offsets */
  STRATA_SCRIPT_E_ARGUMENT = 3, /* an argument is outside its range */
  STRATA_SCRIPT_E_MEMORY = 4,   /* the host, or the system, gives no memory; the state can be used on */
  STRATA_SCRIPT_E_RAISED = 5,   /* the script does not compile, or has raised an error that it did not catch */
  STRATA_SCRIPT_E_STOPPED = 6,  /* the host has stopped it */
};

/* What a state is for. */
enum {
  STRATA_SCRIPT_OF_SCRIPTS = 0,   /* scripts, compiled one by one, which have KEYS and ARGV */
  STRATA_SCRIPT_OF_FUNCTIONS = 1, /* functions that libraries register, which are given keys and arguments */
};

/* What a function says that it may do. */
enum {
  STRATA_SCRIPT_NO_WRITES = 1,
  STRATA_SCRIPT_ALLOW_OOM = 2,
  STRATA_SCRIPT_ALLOW_STALE = 4,
  STRATA_SCRIPT_NO_CLUSTER = 8,
  STRATA_SCRIPT_ALLOW_CROSS_SLOT_KEYS = 16,
};

/* How the host's call is meant. */
enum {
  STRATA_SCRIPT_CALL = 0,      /* redis.call: an error reply is raised */
  STRATA_SCRIPT_PCALL = 1,     /* redis.pcall: it is returned */
  STRATA_SCRIPT_ACL_CHECK = 2, /* redis.acl_check_cmd: the reply is :1 or :0, or an error, which is raised */
};

/* What the host is told. */
enum {
  STRATA_SCRIPT_LOG = 0,      /* redis.log: number is the level (0 debug to 3 warning), the text its line */
  STRATA_SCRIPT_SET_RESP = 1, /* redis.setresp: number is 2 or 3: what replies to the script are to be written in */
  STRATA_SCRIPT_SET_REPL = 2, /* redis.set_repl: number is a combination of REPL_AOF (1) and REPL_REPLICA (2) */
};

/* Bytes somewhere; not ended by a zero. */
typedef struct strata_bytes {
  const uint8_t *data;
  int64_t length;
} strata_bytes;

/* An argument: where it begins, counted from the first byte of them all, and its bytes. */
typedef struct strata_argument {
  int32_t offset;
  int32_t length;
} strata_argument;

/* What a state asks of its owner. None of them may raise, throw or jump, nor call anything with the state but
 * strata_script_memory. */
typedef struct strata_script_host {
  void *owner; /* handed to all of them */

  /* Executes a command. The reply is one value in RESP (2, or 3 after SET_RESP), good until the next call.
   * Returns STRATA_SCRIPT_OK, or STRATA_SCRIPT_E_STOPPED: then the script ends, whatever it would catch. */
  int32_t (*call)(void *owner, int32_t how, const uint8_t *bytes, const strata_argument *arguments, int32_t count,
                  strata_bytes *reply);

  /* Something else that a script wishes. Returns STRATA_SCRIPT_OK, or STRATA_SCRIPT_E_ARGUMENT: a wrong number. */
  int32_t (*tell)(void *owner, int32_t what, int64_t number, const uint8_t *text, int64_t length);

  /* Takes memory for the state, or with a negative number gives it back; in steps, not for every value.
   * Returns STRATA_SCRIPT_OK, or STRATA_SCRIPT_E_MEMORY: there is none. Giving back never fails. */
  int32_t (*charge)(void *owner, int64_t bytes);

  /* Called now and then while a script runs: after 100,000 instructions, or as much work of a library.
   * Returns STRATA_SCRIPT_OK, or STRATA_SCRIPT_E_STOPPED: the script ends, whatever it would catch. */
  int32_t (*interrupt)(void *owner);
} strata_script_host;

/* How a state is opened. */
typedef struct strata_script_options {
  strata_script_host host;
  strata_bytes redis_version;   /* redis.REDIS_VERSION, "7.2.5" */
  int32_t redis_version_number; /* redis.REDIS_VERSION_NUM, 0x00070205 */
  int32_t purpose;              /* STRATA_SCRIPT_OF_... */
} strata_script_options;

/* One run. */
typedef struct strata_script_run {
  const uint8_t *bytes; /* where keys and arguments are counted from */
  const strata_argument *keys;
  const strata_argument *arguments;
  int32_t key_count;
  int32_t argument_count;
  int32_t protocol; /* 2 or 3: what the reply is written in */
  int32_t reserved; /* 0 */
} strata_script_run;

/* What became of a script that has ended otherwise than well. */
typedef struct strata_script_error {
  strata_bytes text;     /* with its code, as "ERR ..."; without line ends */
  strata_bytes source;   /* the chunk as Lua names it, "@user_script"; data is null where it is not known */
  int64_t line;          /* -1 where it is not known, and in a function of the library's */
  int32_t is_of_command; /* 1 when a command called by redis.call answered it, which has been counted then */
  int32_t wants_name;    /* 1 when text has no code and belongs behind "ERR Error running script NAME, " */
} strata_script_error;

/* A function that a library has registered. */
typedef struct strata_script_function {
  strata_bytes name;        /* letters, digits and underscores */
  strata_bytes description; /* data is null where there is none */
  int32_t function;         /* its number */
  int32_t flags;            /* of STRATA_SCRIPT_NO_WRITES and so on */
} strata_script_function;

typedef struct strata_script strata_script;

/* Says whether both sides mean the same. sizes: those of strata_bytes, strata_argument, strata_script_host,
 * strata_script_options, strata_script_run, strata_script_error and strata_script_function, in this order. */
STRATA_SCRIPT_EXPORT int32_t strata_script_handshake(uint32_t version, const uint32_t *sizes, int32_t count);

/* Makes a state. */
STRATA_SCRIPT_EXPORT int32_t strata_script_open(const strata_script_options *options, strata_script **script);

/* Frees a state and all it holds; null is allowed. Not from a function of its host. */
STRATA_SCRIPT_EXPORT void strata_script_close(strata_script *script);

/* Bytes that a state holds. */
STRATA_SCRIPT_EXPORT int64_t strata_script_memory(const strata_script *script);

/* Compiles a script, in a state of scripts; precompiled chunks are refused. The function's number is never 0.
 * E_RAISED: it is not Lua; error->text is the parser's message, as "user_script:1: '=' expected near '<eof>'". */
STRATA_SCRIPT_EXPORT int32_t strata_script_compile(strata_script *script, const uint8_t *body, int64_t length,
                                                   int32_t *function, strata_script_error *error);

/* Writes a compiled function as lua_dump does, for who wants to know what it does; it cannot be compiled again. */
STRATA_SCRIPT_EXPORT int32_t strata_script_dump(strata_script *script, int32_t function, strata_bytes *chunk);

/* Forgets a function. */
STRATA_SCRIPT_EXPORT void strata_script_forget(strata_script *script, int32_t function);

/* Runs a library's text, in a state of functions, so that it registers them; it is asked for an end meanwhile as a run
 * is, and may call nothing but redis.register_function and redis.log. OK: *functions are those it has registered, each
 * to be forgotten by its number. E_RAISED: error->text is all there is to say, as "Error compiling function: ...".
 * Otherwise than OK nothing of the library is left. */
STRATA_SCRIPT_EXPORT int32_t strata_script_load(strata_script *script, const uint8_t *body, int64_t length,
                                                const strata_script_function **functions, int32_t *count,
                                                strata_script_error *error);

/* Runs a function with KEYS and ARGV, or one of a library's with keys and arguments. OK: *reply is one value in RESP;
 * of *error only is_of_command is set, to whether that is an error which a command answered. E_RAISED, E_STOPPED and
 * E_MEMORY: *error says why. */
STRATA_SCRIPT_EXPORT int32_t strata_script_execute(strata_script *script, int32_t function,
                                                   const strata_script_run *run, strata_bytes *reply,
                                                   strata_script_error *error);

/* Frees what the last call has handed out, where that is much. */
STRATA_SCRIPT_EXPORT void strata_script_trim(strata_script *script);

/* Collects garbage, where there may be more than a little: for a host that is short of memory while no script runs.
 * What the last script was given goes with it. Whoever calls it again and again has nothing gone over in vain. */
STRATA_SCRIPT_EXPORT void strata_script_collect(strata_script *script);

#if defined(__cplusplus)
}
#endif

#endif
