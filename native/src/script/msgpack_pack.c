/* cmsgpack.pack: values as MessagePack, in the shortest form of each. */
#include <limits.h>
#include <math.h>

#include "msgpack.h"

enum { NESTING_MAX = 16 };

static void put_value(lua_State *L, script_buffer *out, int level);

/* A type and a number of that many bytes, the highest first. */
static void put_number(lua_State *L, script_buffer *out, int type, uint64_t number, int bytes) {
  script_buffer_reserve(L, out, 9);
  char *at = out->data + out->length;
  *at++ = (char)type;
  for (int i = bytes - 1; i >= 0; i--) *at++ = (char)(number >> (8 * i) & 0xFF);
  out->length += (size_t)bytes + 1;
}

static void put_length(lua_State *L, script_buffer *out, uint64_t length, int type16) {
  if (length <= UINT16_MAX) {
    put_number(L, out, type16, length, 2);
  } else {
    put_number(L, out, type16 + 1, length, 4);
  }
}

static void put_string(lua_State *L, script_buffer *out) {
  size_t length = 0;
  const char *text = lua_tolstring(L, -1, &length);
  if (length < 32) {
    put_number(L, out, 0xa0 | (int)length, 0, 0);
  } else if (length <= UINT8_MAX) {
    put_number(L, out, 0xd9, length, 1);
  } else {
    put_length(L, out, length, 0xda);
  }
  script_buffer_append(L, out, text, length);
}

static void put_integer(lua_State *L, script_buffer *out, int64_t number) {
  const uint64_t bits = (uint64_t)number;
  if (number >= -32 && number <= 127) {
    put_number(L, out, (int)(bits & 0xFF), 0, 0);
  } else if (number > 0) {
    const int log = number <= UINT8_MAX ? 0 : number <= UINT16_MAX ? 1 : number <= UINT32_MAX ? 2 : 3;
    put_number(L, out, 0xcc + log, bits, 1 << log);
  } else {
    const int log = number >= INT8_MIN ? 0 : number >= INT16_MIN ? 1 : number >= INT32_MIN ? 2 : 3;
    put_number(L, out, 0xd0 + log, bits, 1 << log);
  }
}

static void put_float(lua_State *L, script_buffer *out, double number) {
  const float narrow = (float)number;
  if ((double)narrow == number) {
    uint32_t bits = 0;
    memcpy(&bits, &narrow, sizeof(bits));
    put_number(L, out, 0xca, bits, 4);
  } else {
    uint64_t bits = 0;
    memcpy(&bits, &number, sizeof(bits));
    put_number(L, out, 0xcb, bits, 8);
  }
}

static void put_lua_number(lua_State *L, script_buffer *out) {
  const double number = lua_tonumber(L, -1);
  const bool fits = number >= -9223372036854775808.0 && number < 9223372036854775808.0;
  if (fits && (double)(int64_t)number == number) {
    put_integer(L, out, (int64_t)number);
  } else {
    put_float(L, out, number);
  }
}

/* The number of elements when the keys of the table on top are 1 to that number, else -1. */
static int count_elements(lua_State *L) {
  int count = 0;
  int last = 0;
  luaL_checkstack(L, 2, "in function table_is_an_array");
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    const bool is_number = lua_type(L, -2) == LUA_TNUMBER;
    const double key = is_number ? lua_tonumber(L, -2) : 0;
    if (!(key > 0 && key <= INT_MAX && (double)(int)key == key)) {
      lua_pop(L, 2);
      return -1;
    }
    lua_pop(L, 1);
    if ((int)key > last) last = (int)key;
    count++;
  }
  return last == count ? count : -1;
}

static void put_map(lua_State *L, script_buffer *out, int level) {
  uint64_t count = 0;
  luaL_checkstack(L, 3, "in function mp_encode_lua_table_as_map");
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pop(L, 1);
    count++;
  }
  if (count <= 15) {
    put_number(L, out, 0x80 | (int)count, 0, 0);
  } else {
    put_length(L, out, count, 0xde);
  }
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pushvalue(L, -2);
    put_value(L, out, level + 1);
    put_value(L, out, level + 1);
  }
}

static void put_table(lua_State *L, script_buffer *out, int level) {
  const int count = count_elements(L);
  if (count < 0) {
    put_map(L, out, level);
    return;
  }
  if (count <= 15) {
    put_number(L, out, 0x90 | count, 0, 0);
  } else {
    put_length(L, out, (uint64_t)count, 0xdc);
  }
  luaL_checkstack(L, 1, "in function mp_encode_lua_table_as_array");
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, -1, i);
    put_value(L, out, level + 1);
  }
}

/* Takes the value on top. Tables nested deeper than 16 become nil, so that circles end. */
static void put_value(lua_State *L, script_buffer *out, int level) {
  script_work_or_raise(L, 1);
  switch (lua_type(L, -1)) {
    case LUA_TSTRING:
      put_string(L, out);
      break;
    case LUA_TBOOLEAN:
      put_number(L, out, lua_toboolean(L, -1) ? 0xc3 : 0xc2, 0, 0);
      break;
    case LUA_TNUMBER:
      put_lua_number(L, out);
      break;
    case LUA_TTABLE:
      if (level < NESTING_MAX) {
        put_table(L, out, level);
        break;
      }
      __attribute__((fallthrough));
    default:
      put_number(L, out, 0xc0, 0, 0);
      break;
  }
  lua_pop(L, 1);
}

int msgpack_pack(lua_State *L) {
  script_buffer *out = &script_of(L)->scratch;
  const size_t start = out->length;
  const int count = lua_gettop(L);
  if (count == 0) return luaL_argerror(L, 0, "MessagePack pack needs input.");
  if (!lua_checkstack(L, count)) return luaL_argerror(L, 0, "Too many arguments for MessagePack pack.");
  for (int i = 1; i <= count; i++) {
    lua_pushvalue(L, i);
    put_value(L, out, 0);
  }
  lua_pushlstring(L, out->data + start, out->length - start);
  out->length = start;
  return 1;
}
