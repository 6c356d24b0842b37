/*
 * What the parts of libstrata_script share: the state, its buffers, its budget of work, and how errors are raised.
 *
 * Lua's errors are jumps: no function here holds anything that must be given back while it calls one that may raise.
 * What is temporary lies in the state's scratch buffer, which survives a jump, or on Lua's stack.
 */
#ifndef STRATA_SCRIPT_STATE_H
#define STRATA_SCRIPT_STATE_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "arena.h"
#include "internals.h"
#include "numbers.h"
#include "script.h"

/* Work between two questions to the host, in units of about one instruction (10 ns). */
#define SCRIPT_INTERRUPT_WORK 100000
/* Instructions between two looks at the budget. */
#define SCRIPT_HOOK_INSTRUCTIONS 1000
/* What a unit of work copies, compares or allocates. */
#define SCRIPT_BYTES_PER_UNIT 32
/* A slow instruction (a long walk through a table, say) is noticed by the clock instead. */
#define SCRIPT_INTERRUPT_NANOSECONDS 4000000
/* Freed bytes that the C library may keep. */
#define SCRIPT_FREE_KEPT (16 << 20)
/* Buffers that grew larger are given back after the run. */
#define SCRIPT_BUFFER_KEPT 65536
/* Garbage that a run may leave behind, if it is not more than what is in use; and what an idle state may have of it
 * when the host asks for it. A script that allocates no more is not collected by Lua itself. */
#define SCRIPT_GARBAGE_KEPT (1 << 20)
#define SCRIPT_GARBAGE_IDLE (64 << 10)
/* What a state keeps for small blocks. Between two collections scripts leave as much garbage as there is else. */
#define SCRIPT_ARENA_BYTES (128 << 10)
/* KEYS and ARGV of up to so many entries, with so many bytes, are kept for the next script. */
#define SCRIPT_KEPT_ENTRIES 8
#define SCRIPT_KEPT_BYTES 1024
/* Room that lua_checkstack lets a C function have (LUAI_MAXCSTACK). */
#define SCRIPT_STACK_SLOTS 8000
/* A chunk to compile; Lua's lexer counts some lengths in int. */
#define SCRIPT_CHUNK_MAX (512 << 20)

/* Bytes that grow; owned by the state, so that a jump leaks nothing. */
typedef struct script_buffer {
  char *data;
  size_t length;
  size_t capacity;
} script_buffer;

/* What the writer of replies is in the middle of. */
typedef struct reply_frame {
  int kind;
  int index;
  int count;
} reply_frame;

/* cjson's settings, which hold for one run. */
typedef struct json_settings {
  int sparse_convert;
  int sparse_ratio;
  int sparse_safe;
  int encode_depth;
  int decode_depth;
  int encode_invalid; /* 0 refused, 1 as they are, 2 as null */
  int decode_invalid;
  int precision;
  int keep_buffer;
} json_settings;

struct strata_script {
  lua_State *main;
  lua_State *running; /* the coroutine that runs, or main */
  strata_script_host host;

  script_arena arena;
  int64_t used;             /* bytes allocated */
  int64_t charged;          /* bytes that the host has given */
  int64_t most_charged;     /* the most since the C library gave its free pages back */
  int64_t settled;          /* bytes in use after the last full collection */
  int64_t allocations_left; /* for tests: that many succeed; negative: all */

  int64_t budget; /* work until the host is asked */
  int64_t asked_at;
  bool stopping;
  bool collector_changed;

  bool of_functions;
  bool loading; /* a library: its functions are registered */
  bool limited; /* the globals are a loading library's */

  const void *globals;
  const void *arrays[2];                        /* the tables that are KEYS and ARGV now */
  const void *kept[2][SCRIPT_KEPT_ENTRIES + 1]; /* those that are kept, by how many elements they are for */
  const void *empty_node;                       /* what a table without fields has for its fields */

  int protocol; /* of the reply to the client */
  int resp;     /* of the replies to the script */
  const strata_script_run *run;

  script_buffer scratch; /* length is the end of what is in use: users nest */
  script_buffer reply;
  script_buffer text;   /* of the error */
  script_buffer source; /* of the error */
  strata_argument *arguments;
  size_t argument_capacity;
  reply_frame *frames;
  size_t frame_capacity;

  /* What the library that loads has registered. Until it has loaded, texts are places in library_text. */
  strata_script_function *registered;
  size_t registered_count;
  size_t registered_capacity;
  script_buffer library_text;

  int32_t line;
  bool has_source;
  bool is_of_command;
  bool wants_name;

  uint64_t string_key[2]; /* of the hashes of long strings */
  uint32_t random[3];
  json_settings json;
};

/* What a state's stack holds from the bottom, always. */
enum {
  SLOT_HANDLER = 1,
  SLOT_COMPILE, /* nil in a state of functions */
  SLOT_EXPLAIN,
  SLOT_COLLECT,
  SLOT_FUNCTIONS,
  SLOT_GLOBALS,
  SLOT_WRITE,
  SLOT_KEYS, /* the name; nil in a state of functions, as the next three */
  SLOT_ARGV,
  SLOT_KEPT_KEYS,
  SLOT_KEPT_ARGV,
  SLOT_LOAD, /* nil in a state of scripts, as the next three */
  SLOT_EXPLAIN_LOAD,
  SLOT_METATABLE,  /* of the globals */
  SLOT_EVERYTHING, /* where it leads when a function runs */
  SLOT_COUNT = SLOT_EVERYTHING,
  KEPT_NAMES /* in the registry alone: the names that the loading library has registered */
};

static inline strata_script *script_of(lua_State *L) { return script_owner(L); }

/* memory.c */
void *script_allocate(void *owner, void *old, size_t old_size, size_t new_size);
/* From here on small blocks come from there. False: there is no memory for it. */
bool script_open_arena(strata_script *script);
/* Where much was freed, the kernel gets the pages. */
void script_return_pages(strata_script *script);
bool script_interrupt(strata_script *script);
void script_hook(lua_State *L, lua_Debug *at);
void script_buffer_free(strata_script *script, script_buffer *buffer);
void script_buffer_trim(strata_script *script, script_buffer *buffer);
/* Makes a buffer grow by so many bytes behind length. Raises when there is no memory, or more than 2 GiB are needed. */
void script_buffer_grow(lua_State *L, script_buffer *buffer, size_t more);
/* The same without Lua: false when there is no memory. */
bool script_buffer_try_reserve(strata_script *script, script_buffer *buffer, size_t more);
/* Room for count entries of a size in an array of the state's. Raises. */
void *script_grow(lua_State *L, void *array, size_t *capacity, size_t count, size_t size);

/* Counts work. True when the host wants the script to end: the caller stops what it does by script_raise_stop; one that
 * cannot raise just goes on, the next instruction of Lua ends the script. */
static inline bool script_work(strata_script *script, size_t units) {
  script->budget -= (int64_t)units;
  return script->budget <= 0 ? script_interrupt(script) : script->stopping;
}

/* The same where it may raise. */
void script_work_or_raise(lua_State *L, size_t units);

/* Makes room for more bytes behind length. Raises as script_buffer_grow does. */
static inline void script_buffer_reserve(lua_State *L, script_buffer *buffer, size_t more) {
  if (more > buffer->capacity - buffer->length) script_buffer_grow(L, buffer, more);
}

static inline void script_buffer_append(lua_State *L, script_buffer *buffer, const void *bytes, size_t length) {
  script_buffer_reserve(L, buffer, length);
  if (length != 0) memcpy(buffer->data + buffer->length, bytes, length);
  buffer->length += length;
}

static inline void script_buffer_put(lua_State *L, script_buffer *buffer, char byte) {
  if (buffer->length == buffer->capacity) script_buffer_reserve(L, buffer, 1);
  buffer->data[buffer->length++] = byte;
}

#define script_buffer_literal(L, buffer, text) script_buffer_append(L, buffer, "" text, sizeof(text) - 1)

/* errors.c */
int script_handle_error(lua_State *L);  /* lua_CFunction: makes a table of an error, with its source and line */
int script_explain_error(lua_State *L); /* lua_CFunction: takes such a table apart into the state's fields */
void script_push_error(lua_State *L, const char *text);
/* line: "-CODE text" without its end. */
void script_push_error_line(lua_State *L, const char *line, size_t length);
int script_raise(lua_State *L, const char *text);
_Noreturn void script_raise_stop(lua_State *L);
_Noreturn void script_raise_memory(lua_State *L);
/* The C string's bytes into the error's text. */
void script_set_text(strata_script *script, const char *text, size_t length);

/* internals.c: what needs to know Lua's own structures */
void script_set_readonly(lua_State *L, int index, bool readonly);
bool script_is_readonly(lua_State *L, int index);
/* Whether the table is as lua_createtable makes one for so many elements, whatever the elements are by now. */
bool script_is_plain_array(const strata_script *script, const void *table, int count);
/* Whether the structures are what they are taken for: of a new state, which nothing may be done with before, and of all
 * the others. */
bool script_check_state(lua_State *L, const strata_script *script);
bool script_check_layout(lua_State *L);
/* Whose work this thread does from here on. */
void script_set_current(strata_script *script);
/* Calls a function protected, with the stack's slots as they are. An error stands above the first slots then, as
 * lua_pcall leaves it. */
int script_protect(strata_script *script, void (*function)(lua_State *L, void *owner), int slots);

/* string_table.c: Lua's table of all strings */
void script_choose_string_key(strata_script *script);
/* Whether it is what it is taken for: of a new state. */
bool script_check_strings(lua_State *L);
/* Strings in the longest of its lists. */
int32_t script_longest_list(lua_State *L);

/* resp_reader.c: pushes the value. Raises when the bytes are not one value in RESP. */
void script_read_reply(lua_State *L, const uint8_t *data, int64_t length);
/* Pushes the value where it is a string or a number, as most are. False: it is something else, or no value. */
bool script_read_scalar(lua_State *L, const strata_bytes *reply);

/* resp_writer.c: the value on top of the main stack as RESP into the state's reply, and pops it. */
void script_write_reply(lua_State *L);
/* Keeps what that needs. */
void script_open_writer(lua_State *L);

/* sha1.c: 40 hexadecimal digits. Raises when it is to end. */
void script_sha1(lua_State *L, const void *data, size_t length, char *hex);

/* The libraries; each leaves the stack as it was. */
void script_open_libraries(lua_State *L, const strata_script_options *options);
void script_open_base(lua_State *L);
void script_open_coroutine(lua_State *L);
void script_open_redis(lua_State *L, const strata_script_options *options);
/* Of redis's fields what a library finds that loads; the new table is pushed. */
void script_push_loading_redis(lua_State *L);
void script_open_string(lua_State *L);
void script_open_random(lua_State *L);
void script_open_json(lua_State *L);
void script_open_msgpack(lua_State *L);
void script_open_struct(lua_State *L);
void script_open_bit(lua_State *L);
void script_reset_random(strata_script *script);
void script_reset_json(strata_script *script);

/* Sets functions as fields of the table on top of the stack. */
void script_set_functions(lua_State *L, const luaL_Reg *functions);

/* script.c: what the exported functions have in common. */
bool script_is_busy(const strata_script *script);
void script_begin(strata_script *script);
/* Lua runs from here on. */
void script_enter(strata_script *script);
/* Turns the error on top of the main stack into the state's fields, and pops it. */
int32_t script_fail(strata_script *script, int status);
/* What a run may leave behind: buffers, garbage, a hook on every instruction, settings of the collector. */
void script_clean_up(strata_script *script, int32_t result);
void script_hand_out(const strata_script *script, strata_script_error *error);
/* Keeps the value on top of the stack in the registry, and pops it. */
void script_keep(lua_State *L, int slot);

/* run.c: lets go what the last script was given as KEYS and ARGV. Nothing is allocated. */
void script_drop_arguments(strata_script *script);
/* Keeps what runs scripts. */
void script_open_scripts(lua_State *L);

/* library.c: makes of a state with all its libraries one of functions, and keeps what runs and loads. */
void script_open_functions(lua_State *L);
/* What a function that is called finds as globals is there. */
void script_free_globals(lua_State *L, strata_script *script);

/* base.c: the runner's way to the interpreter's protected load, which refuses precompiled chunks */
int script_load(lua_State *L, const char *data, size_t length, const char *name);

#endif
