/* cjson: its table and its settings, which are the defaults again with each run. */
#include "json.h"

#include <limits.h>
#include <stdio.h>

static const json_settings kDefaults = {.sparse_convert = 0,
                                        .sparse_ratio = 2,
                                        .sparse_safe = 10,
                                        .encode_depth = 1000,
                                        .decode_depth = 1000,
                                        .encode_invalid = 0,
                                        .decode_invalid = 1,
                                        .precision = 14,
                                        .keep_buffer = 1};

void script_reset_json(strata_script *script) { script->json = kDefaults; }

static json_settings *take_arguments(lua_State *L, int count) {
  luaL_argcheck(L, lua_gettop(L) <= count, count + 1, "found too many arguments");
  lua_settop(L, count);
  return json_settings_of(L);
}

static int set_integer(lua_State *L, int argument, int *setting, int lowest, int highest) {
  if (!lua_isnil(L, argument)) {
    char text[64];
    const int value = (int)luaL_checkinteger(L, argument);
    (void)snprintf(text, sizeof(text), "expected integer between %d and %d", lowest, highest);
    luaL_argcheck(L, lowest <= value && value <= highest, 1, text);
    *setting = value;
  }
  lua_pushinteger(L, *setting);
  return 1;
}

static int set_option(lua_State *L, int argument, int *setting, const char *const *options) {
  if (lua_isboolean(L, argument)) {
    *setting = lua_toboolean(L, argument);
  } else if (!lua_isnil(L, argument)) {
    *setting = luaL_checkoption(L, argument, NULL, options);
  }
  if (*setting <= 1) {
    lua_pushboolean(L, *setting);
  } else {
    lua_pushstring(L, options[*setting]);
  }
  return 1;
}

static int set_switch(lua_State *L, int argument, int *setting) {
  static const char *const options[] = {"off", "on", NULL};
  return set_option(L, argument, setting, options);
}

static int json_encode_sparse_array(lua_State *L) {
  json_settings *settings = take_arguments(L, 3);
  (void)set_switch(L, 1, &settings->sparse_convert);
  (void)set_integer(L, 2, &settings->sparse_ratio, 0, INT_MAX);
  (void)set_integer(L, 3, &settings->sparse_safe, 0, INT_MAX);
  return 3;
}

static int json_encode_max_depth(lua_State *L) {
  return set_integer(L, 1, &take_arguments(L, 1)->encode_depth, 1, INT_MAX);
}

static int json_decode_max_depth(lua_State *L) {
  return set_integer(L, 1, &take_arguments(L, 1)->decode_depth, 1, INT_MAX);
}

static int json_encode_number_precision(lua_State *L) {
  return set_integer(L, 1, &take_arguments(L, 1)->precision, 1, 14);
}

/* The buffer is the state's, and kept or not by its size. */
static int json_encode_keep_buffer(lua_State *L) { return set_switch(L, 1, &take_arguments(L, 1)->keep_buffer); }

static int json_encode_invalid_numbers(lua_State *L) {
  static const char *const options[] = {"off", "on", "null", NULL};
  return set_option(L, 1, &take_arguments(L, 1)->encode_invalid, options);
}

static int json_decode_invalid_numbers(lua_State *L) { return set_switch(L, 1, &take_arguments(L, 1)->decode_invalid); }

static int json_new(lua_State *L);

/* Pushes the table; its functions share the settings on top of the stack, which are gone then. */
static void push_module(lua_State *L) {
  static const luaL_Reg functions[] = {{"encode", json_encode},
                                       {"decode", json_decode},
                                       {"encode_sparse_array", json_encode_sparse_array},
                                       {"encode_max_depth", json_encode_max_depth},
                                       {"decode_max_depth", json_decode_max_depth},
                                       {"encode_number_precision", json_encode_number_precision},
                                       {"encode_keep_buffer", json_encode_keep_buffer},
                                       {"encode_invalid_numbers", json_encode_invalid_numbers},
                                       {"decode_invalid_numbers", json_decode_invalid_numbers},
                                       {"new", json_new}};
  lua_createtable(L, 0, 16);
  for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
    lua_pushvalue(L, -2);
    lua_pushcclosure(L, functions[i].func, 1);
    lua_setfield(L, -2, functions[i].name);
  }
  lua_remove(L, -2);
  lua_pushlightuserdata(L, NULL);
  lua_setfield(L, -2, "null");
  lua_pushliteral(L, "cjson");
  lua_setfield(L, -2, "_NAME");
  lua_pushliteral(L, "2.1.0"); /* the one that this behaves like */
  lua_setfield(L, -2, "_VERSION");
}

/* Another one with settings of its own. */
static int json_new(lua_State *L) {
  json_settings *settings = lua_newuserdata(L, sizeof(*settings));
  *settings = kDefaults;
  push_module(L);
  return 1;
}

void script_open_json(lua_State *L) {
  lua_pushlightuserdata(L, &script_of(L)->json);
  push_module(L);
  lua_setglobal(L, "cjson");
}
