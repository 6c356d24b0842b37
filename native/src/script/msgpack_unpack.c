/* cmsgpack.unpack and its kin: MessagePack as values. Extension types are refused. */
#include <limits.h>

#include "msgpack.h"

/* Nested tables take the stack of the thread, too. */
enum { DEPTH_MAX = 2500 };

static const char kTooMany[] = "too many return values at once; use unpack_one or unpack_limit instead.";

typedef enum input_error { INPUT_GOOD, INPUT_SHORT, INPUT_BAD } input_error;

typedef struct input {
  const uint8_t *at;
  size_t left;
  input_error error;
  int depth;
} input;

static void read_value(lua_State *L, input *in);

static bool has(input *in, size_t bytes) {
  if (in->left >= bytes) return true;
  in->error = INPUT_SHORT;
  return false;
}

static void skip(input *in, size_t bytes) {
  in->at += bytes;
  in->left -= bytes;
}

/* The number behind the type, of that many bytes; goes on behind it. False: it is not there. */
static bool read_number(input *in, size_t bytes, uint64_t *number) {
  if (!has(in, bytes + 1)) return false;
  *number = 0;
  for (size_t i = 1; i <= bytes; i++) *number = *number << 8 | in->at[i];
  skip(in, bytes + 1);
  return true;
}

static void read_string(lua_State *L, input *in, size_t length) {
  if (!has(in, length)) return;
  lua_pushlstring(L, (const char *)in->at, length);
  skip(in, length);
}

static void read_array(lua_State *L, input *in, uint64_t count) {
  lua_newtable(L);
  luaL_checkstack(L, 1, "in function mp_decode_to_lua_array");
  for (uint64_t i = 0; i < count; i++) {
    read_value(L, in);
    if (in->error != INPUT_GOOD) return;
    lua_rawseti(L, -2, (int)(i + 1));
  }
}

static void read_map(lua_State *L, input *in, uint64_t count) {
  lua_newtable(L);
  for (uint64_t i = 0; i < count; i++) {
    read_value(L, in);
    if (in->error == INPUT_GOOD) read_value(L, in);
    if (in->error != INPUT_GOOD) return;
    lua_rawset(L, -3);
  }
}

static void read_integer(lua_State *L, input *in, int type) {
  uint64_t bits = 0;
  const int log = type & 3;
  if (!read_number(in, (size_t)1 << log, &bits)) return;
  const int shift = 64 - (8 << log);
  const int64_t number = (int64_t)(bits << shift);
  /* 64 bits without sign are taken as signed. */
  lua_pushnumber(L, (lua_Number)(type >= 0xd0 ? number >> shift : (int64_t)bits));
}

static void read_float(lua_State *L, input *in, int type) {
  uint64_t bits = 0;
  if (!read_number(in, type == 0xca ? 4 : 8, &bits)) return;
  if (type == 0xca) {
    const uint32_t low = (uint32_t)bits;
    float number = 0;
    memcpy(&number, &low, sizeof(number));
    lua_pushnumber(L, number);
  } else {
    double number = 0;
    memcpy(&number, &bits, sizeof(number));
    lua_pushnumber(L, number);
  }
}

/* Strings, arrays and maps whose length follows: in 1, 2 or 4 bytes by the type. */
static void read_sized(lua_State *L, input *in, int type) {
  uint64_t length = 0;
  const size_t bytes = type == 0xd9 ? 1 : type == 0xda || type == 0xdc || type == 0xde ? 2 : 4;
  if (!read_number(in, bytes, &length)) return;
  if (type <= 0xdb) {
    read_string(L, in, (size_t)length);
  } else if (type <= 0xdd) {
    read_array(L, in, length);
  } else {
    read_map(L, in, length);
  }
}

/* What the first byte holds itself. */
static void read_short(lua_State *L, input *in, int type) {
  skip(in, 1);
  if (type < 0x80) {
    lua_pushinteger(L, type);
  } else if (type >= 0xe0) {
    lua_pushinteger(L, type - 256);
  } else if (type >= 0xa0 && type < 0xc0) {
    read_string(L, in, (size_t)type & 31);
  } else if (type < 0x90) {
    read_map(L, in, (uint64_t)type & 15);
  } else if (type < 0xa0) {
    read_array(L, in, (uint64_t)type & 15);
  } else if (type == 0xc0) {
    lua_pushnil(L);
  } else if (type == 0xc2 || type == 0xc3) {
    lua_pushboolean(L, type == 0xc3);
  } else {
    in->error = INPUT_BAD;
  }
}

static void read_value(lua_State *L, input *in) {
  if (!has(in, 1)) return;
  script_work_or_raise(L, 1);
  luaL_checkstack(L, 1, kTooMany);
  if (++in->depth > DEPTH_MAX) luaL_error(L, "stack overflow (%s)", kTooMany);
  const int type = *in->at;
  if (type == 0xca || type == 0xcb) {
    read_float(L, in, type);
  } else if (type >= 0xcc && type <= 0xd3) {
    read_integer(L, in, type);
  } else if (type >= 0xd9 && type <= 0xdf) {
    read_sized(L, in, type);
  } else {
    read_short(L, in, type);
  }
  in->depth--;
}

static int unpack(lua_State *L, lua_Integer limit, lua_Integer offset) {
  size_t length = 0;
  const char *data = luaL_checklstring(L, 1, &length);
  const bool all = limit == 0 && offset == 0;
  if (offset < 0 || limit < 0) {
    return luaL_error(L, "Invalid request to unpack with offset of %d and limit of %d.", (int)offset, (int)length);
  }
  if ((size_t)offset > length) {
    return luaL_error(L, "Start offset %d greater than input length %d.", (int)offset, (int)length);
  }
  input in = {.at = (const uint8_t *)data + offset, .left = length - (size_t)offset};
  int count = 0;
  for (; in.left > 0 && (all || count < limit); count++) {
    read_value(L, &in);
    if (in.error == INPUT_SHORT) return luaL_error(L, "Missing bytes in input.");
    if (in.error == INPUT_BAD) return luaL_error(L, "Bad data format in input.");
  }
  if (all) return count;
  luaL_checkstack(L, 1, "in function mp_unpack_full");
  lua_pushinteger(L, in.left == 0 ? -1 : (lua_Integer)(length - in.left));
  lua_insert(L, 2);
  return count + 1;
}

static int msgpack_unpack(lua_State *L) { return unpack(L, 0, 0); }

static int msgpack_unpack_one(lua_State *L) {
  const lua_Integer offset = luaL_optinteger(L, 2, 0);
  lua_settop(L, 1);
  return unpack(L, 1, offset);
}

static int msgpack_unpack_limit(lua_State *L) {
  const lua_Integer limit = luaL_checkinteger(L, 2);
  const lua_Integer offset = luaL_optinteger(L, 3, 0);
  lua_settop(L, 1);
  return unpack(L, limit, offset);
}

void script_open_msgpack(lua_State *L) {
  static const luaL_Reg functions[] = {{"pack", msgpack_pack},
                                       {"unpack", msgpack_unpack},
                                       {"unpack_one", msgpack_unpack_one},
                                       {"unpack_limit", msgpack_unpack_limit},
                                       {NULL, NULL}};
  lua_createtable(L, 0, 8);
  script_set_functions(L, functions);
  lua_pushliteral(L, "cmsgpack");
  lua_setfield(L, -2, "_NAME");
  lua_pushliteral(L, "lua-cmsgpack 0.4.0"); /* the one that this behaves like */
  lua_setfield(L, -2, "_VERSION");
  lua_pushliteral(L, "MessagePack for Lua");
  lua_setfield(L, -2, "_DESCRIPTION");
  lua_setglobal(L, "cmsgpack");
}
