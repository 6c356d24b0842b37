/*
 * Functions of the base library that must be others than Lua's own: what catches errors lets a stop pass, what makes
 * tables read-only is respected, and nothing works long without being counted.
 */
#include <limits.h>
#include <time.h>

#include "state.h"

enum { CHUNK_STEP = 65536 };

typedef struct chunk {
  const char *data;
  size_t left;
} chunk;

/* Ends the script again that a protected call has held up. */
static void pass_stop(lua_State *L) {
  if (script_of(L)->stopping) script_raise_stop(L);
}

/* lua_pcall; what an error has left in the scratch buffer is dropped. */
static int call_protected(lua_State *L, int arguments, int handler) {
  script_buffer *scratch = &script_of(L)->scratch;
  const size_t start = scratch->length;
  const int status = lua_pcall(L, arguments, LUA_MULTRET, handler);
  pass_stop(L);
  if (status != 0) scratch->length = start;
  return status;
}

/* An error with a text is returned as that text, which is what it was before errors were tables. */
static int base_pcall(lua_State *L) {
  luaL_checkany(L, 1);
  const int arguments = lua_gettop(L) - 1;
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  const int status = call_protected(L, arguments, 0);
  if (status == 0) return lua_gettop(L);
  lua_remove(L, 1); /* room for one value at least */
  if (lua_istable(L, -1)) {
    lua_getfield(L, -1, "err");
    if (lua_isstring(L, -1)) lua_replace(L, -2);
  }
  lua_pushboolean(L, 0);
  lua_insert(L, 1);
  return lua_gettop(L);
}

static int base_xpcall(lua_State *L) {
  luaL_checkany(L, 2);
  lua_settop(L, 2);
  lua_insert(L, 1);
  const int status = call_protected(L, 0, 1);
  lua_pushboolean(L, status == 0);
  lua_replace(L, 1);
  return lua_gettop(L);
}

static const char *read_chunk(lua_State *L, void *data, size_t *size) {
  chunk *rest = data;
  const char *piece = rest->data;
  *size = rest->left < CHUNK_STEP ? rest->left : CHUNK_STEP;
  if (script_work(script_of(L), *size / 2)) *size = 0;
  rest->data += *size;
  rest->left -= *size;
  return *size == 0 ? NULL : piece;
}

/*
 * Compiles text; the function or the message is pushed. The name is pushed first and stays under the result's place:
 * Lua's parser keeps no reference to it, and would use a collected string.
 */
int script_load(lua_State *L, const char *data, size_t length, const char *name) {
  chunk rest = {data, length};
  luaL_checkstack(L, 3, "a chunk");
  lua_pushstring(L, name);
  const int status = lua_load(L, read_chunk, &rest, name);
  pass_stop(L);
  lua_remove(L, -2);
  return status;
}

static int push_loaded(lua_State *L, int status) {
  if (status == 0) return 1;
  lua_pushnil(L);
  lua_insert(L, -2);
  return 2;
}

static int base_loadstring(lua_State *L) {
  size_t length = 0;
  const char *text = luaL_checklstring(L, 1, &length);
  const char *name = luaL_optstring(L, 2, text);
  luaL_argcheck(L, length <= SCRIPT_CHUNK_MAX, 1, "the chunk is longer than 512 MB");
  return push_loaded(L, script_load(L, text, length, name));
}

static const char *call_reader(lua_State *L, void *total, size_t *size) {
  luaL_checkstack(L, 2, "too many nested functions");
  lua_pushvalue(L, 1);
  lua_call(L, 0, 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    *size = 0;
    return NULL;
  }
  if (!lua_isstring(L, -1)) luaL_error(L, "reader function must return a string");
  lua_replace(L, 3); /* where it stays while it is read */
  const char *text = lua_tolstring(L, 3, size);
  *(size_t *)total += *size;
  if (*(size_t *)total > SCRIPT_CHUNK_MAX) luaL_error(L, "the chunk is longer than 512 MB");
  return text;
}

static int base_load(lua_State *L) {
  size_t total = 0;
  const char *name = luaL_optstring(L, 2, "=(load)");
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 3);
  lua_pushstring(L, name); /* stays: see script_load */
  const int status = lua_load(L, call_reader, &total, name);
  pass_stop(L);
  return push_loaded(L, status);
}

static int base_unpack(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const int64_t first = luaL_optint(L, 2, 1);
  const int64_t last = lua_isnoneornil(L, 3) ? (int64_t)lua_objlen(L, 1) : luaL_checkint(L, 3);
  if (first > last) return 0;
  const int64_t count = last - first + 1;
  if (count >= INT_MAX || !lua_checkstack(L, (int)count)) return luaL_error(L, "too many results to unpack");
  for (int64_t i = first; i <= last; i++) lua_rawgeti(L, 1, (int)i);
  return (int)count;
}

static int base_setmetatable(lua_State *L) {
  const int type = lua_type(L, 2);
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argcheck(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table expected");
  if (luaL_getmetafield(L, 1, "__metatable")) luaL_error(L, "cannot change a protected metatable");
  if (script_is_readonly(L, 1)) {
    lua_pushliteral(L, "Attempt to modify a readonly table");
    return lua_error(L);
  }
  lua_settop(L, 2);
  lua_setmetatable(L, 1);
  return 1;
}

/* What is set here ends with the run. */
static int base_collectgarbage(lua_State *L) {
  static const char *const names[] = {"stop", "restart", "collect", "count", "step", "setpause", "setstepmul", NULL};
  static const int options[] = {LUA_GCSTOP, LUA_GCRESTART,  LUA_GCCOLLECT,   LUA_GCCOUNT,
                                LUA_GCSTEP, LUA_GCSETPAUSE, LUA_GCSETSTEPMUL};
  const int option = options[luaL_checkoption(L, 1, "collect", names)];
  const int argument = luaL_optint(L, 2, 0);
  strata_script *script = script_of(L);
  if (option == LUA_GCCOLLECT || option == LUA_GCSTEP) script_work_or_raise(L, (size_t)script->used / 64);
  if (option != LUA_GCCOUNT && option != LUA_GCCOLLECT) script->collector_changed = true;
  const int result = lua_gc(L, option, argument);
  if (option == LUA_GCCOUNT) {
    lua_pushnumber(L, result + (lua_Number)lua_gc(L, LUA_GCCOUNTB, 0) / 1024);
  } else if (option == LUA_GCSTEP) {
    lua_pushboolean(L, result);
  } else {
    lua_pushnumber(L, result);
  }
  return 1;
}

static int os_clock(lua_State *L) {
  lua_pushnumber(L, (lua_Number)clock() / (lua_Number)CLOCKS_PER_SEC);
  return 1;
}

void script_open_base(lua_State *L) {
  static const luaL_Reg functions[] = {{"pcall", base_pcall},
                                       {"xpcall", base_xpcall},
                                       {"load", base_load},
                                       {"loadstring", base_loadstring},
                                       {"unpack", base_unpack},
                                       {"setmetatable", base_setmetatable},
                                       {"collectgarbage", base_collectgarbage},
                                       {"__redis__err__handler", script_handle_error},
                                       {NULL, NULL}};
  lua_pushvalue(L, LUA_GLOBALSINDEX);
  script_set_functions(L, functions);
  lua_pop(L, 1);

  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, os_clock);
  lua_setfield(L, -2, "clock");
  lua_setglobal(L, "os");
}
