/* Which libraries a script has, and that it changes none of them. */
#include "state.h"

void script_set_functions(lua_State *L, const luaL_Reg *functions) {
  for (; functions->name != NULL; functions++) {
    lua_pushcfunction(L, functions->func);
    lua_setfield(L, -2, functions->name);
  }
}

static void open_library(lua_State *L, const char *name, lua_CFunction open) {
  lua_pushcfunction(L, open);
  lua_pushstring(L, name);
  lua_call(L, 1, 0);
}

/* __index of the globals. */
static int refuse_global(lua_State *L) {
  if (lua_gettop(L) != 2) return luaL_error(L, "Wrong number of arguments to luaProtectedTableError");
  if (!lua_isstring(L, 2)) {
    return luaL_error(L, "Second argument to luaProtectedTableError must be a string or number");
  }
  return luaL_error(L, "Script attempted to access nonexistent global variable '%s'", lua_tostring(L, 2));
}

/* Marks the table on top, the tables in it, and its metatable. */
static void protect(lua_State *L) {
  if (script_is_readonly(L, -1)) return;
  script_set_readonly(L, -1, true);
  luaL_checkstack(L, 3, "the libraries");
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    if (lua_istable(L, -1)) protect(L);
    lua_pop(L, 1);
  }
  if (lua_getmetatable(L, -1)) {
    protect(L);
    lua_pop(L, 1);
  }
}

void script_open_libraries(lua_State *L, const strata_script_options *options) {
  static const char *const removed[] = {"print", "dofile", "loadfile"};
  static const char *const of_run[] = {"KEYS", "ARGV"};
  const bool of_functions = options->purpose == STRATA_SCRIPT_OF_FUNCTIONS;
  open_library(L, "", luaopen_base);
  open_library(L, LUA_TABLIBNAME, luaopen_table);
  open_library(L, LUA_STRLIBNAME, luaopen_string);
  open_library(L, LUA_MATHLIBNAME, luaopen_math);
  script_open_base(L);
  script_open_coroutine(L);
  script_open_string(L);
  script_open_random(L);
  script_open_json(L);
  script_open_msgpack(L);
  script_open_struct(L);
  script_open_bit(L);
  script_open_redis(L, options);

  for (size_t i = 0; i < sizeof(removed) / sizeof(removed[0]); i++) {
    lua_pushnil(L);
    lua_setglobal(L, removed[i]);
  }
  if (of_functions) {
    lua_pushnil(L);
    lua_setglobal(L, "__redis__err__handler");
  }
  for (size_t i = 0; i < sizeof(of_run) / sizeof(of_run[0]) && !of_functions; i++) {
    lua_newtable(L);
    lua_setglobal(L, of_run[i]);
  }

  lua_pushvalue(L, LUA_GLOBALSINDEX);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, refuse_global);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  protect(L);
  lua_pop(L, 1);

  lua_pushliteral(L, "");
  if (lua_getmetatable(L, -1)) {
    protect(L);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}
