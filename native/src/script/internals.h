/*
 * The few fields of Lua's structures that are read directly: by Lua's interface, looking at one value takes a call, and
 * every command of a script would take some thirty. Nothing is written. That the structures are as expected is checked
 * when a state is opened (script_check_state, script_check_layout).
 */
#ifndef STRATA_SCRIPT_INTERNALS_H
#define STRATA_SCRIPT_INTERNALS_H

#include <lua.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A value, as it lies on the stack and in tables; type is LUA_T... */
typedef struct script_value {
  union {
    const void *object;
    lua_Number number;
    int boolean;
  } as;
  int type;
} script_value;

enum {
  STATE_TOP = 16,
  STATE_BASE = 24,
  STATE_GLOBAL = 32,
  STATE_STACK = 64,
  GLOBAL_OWNER = 24,
  STRING_LENGTH = 16,
  STRING_BYTES = 24,
  FUNCTION_IS_C = 10,
  FUNCTION_ENVIRONMENT = 24,
  /* Table is next (8), tt (1), marked (1), flags (1), lsizenode (1), metatable (8), array (8), node (8), lastfree (8),
   * gclist (8), sizearray (4). */
  TABLE_TYPE = 8,
  TABLE_FLAGS = 10,
  TABLE_LOG_NODES = 11,
  TABLE_METATABLE = 16,
  TABLE_ARRAY = 24,
  TABLE_NODES = 32,
  TABLE_ARRAY_SIZE = 56
};

static inline const void *script_field(const void *structure, int offset) {
  const void *pointer = NULL;
  memcpy(&pointer, (const char *)structure + offset, sizeof(pointer));
  return pointer;
}

/* What lua_newstate was given. */
static inline void *script_owner(lua_State *L) {
  return (void *)(uintptr_t)script_field(script_field(L, STATE_GLOBAL), GLOBAL_OWNER);
}

/* The first value of the function that runs, and the end of the last one. */
static inline const script_value *script_base(lua_State *L) { return script_field(L, STATE_BASE); }
static inline const script_value *script_top(lua_State *L) { return script_field(L, STATE_TOP); }

static inline const char *script_text(const script_value *string, size_t *length) {
  memcpy(length, (const char *)string->as.object + STRING_LENGTH, sizeof(*length));
  return (const char *)string->as.object + STRING_BYTES;
}

static inline int script_array_size(const void *table) {
  int size = 0;
  memcpy(&size, (const char *)table + TABLE_ARRAY_SIZE, sizeof(size));
  return size;
}

#endif
