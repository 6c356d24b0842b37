/*
 * Functions: a library's text is run once, and what it registers meanwhile can be called from then on. What it finds as
 * globals is little while it loads, and what scripts find afterwards: its globals are an empty table, and what the
 * table's metatable leads to is exchanged.
 */
#include <strings.h>

#include "state.h"

enum { LOAD_GLOBALS = 1, LOAD_METATABLE, LOAD_LIMITED };

typedef struct load_request {
  const char *body;
  size_t length;
} load_request;

typedef struct registration {
  const char *name;
  size_t name_length;
  const char *description;
  size_t description_length;
  int callback; /* its place on the stack; 0 while there is none */
  int flags;
} registration;

/* Leads the globals' metatable to another table. Nothing is allocated: the field is there. */
static void lead_globals(lua_State *L, int metatable, int to) {
  lua_pushvalue(L, metatable);
  lua_pushliteral(L, "__index");
  lua_pushvalue(L, to);
  script_set_readonly(L, -3, false);
  lua_rawset(L, -3);
  script_set_readonly(L, -1, true);
  lua_pop(L, 1);
}

void script_free_globals(lua_State *L, strata_script *script) {
  if (!script->limited) return;
  lead_globals(L, SLOT_METATABLE, SLOT_EVERYTHING);
  script->limited = false;
}

/* lua_CFunction: runs a library's text with the globals that it may have meanwhile. */
static int load_library(lua_State *L) {
  const load_request *request = lua_touserdata(L, 1);
  strata_script *script = script_of(L);
  lua_settop(L, 0);
  lua_pushvalue(L, lua_upvalueindex(LOAD_GLOBALS));
  lua_replace(L, LUA_GLOBALSINDEX);
  script->limited = true;
  lead_globals(L, lua_upvalueindex(LOAD_METATABLE), lua_upvalueindex(LOAD_LIMITED));
  lua_newtable(L);
  script_keep(L, KEPT_NAMES);

  const int status = script_load(L, request->body, request->length, "@user_function");
  if (status == LUA_ERRMEM) script_raise_memory(L);
  if (status != 0) {
    /* As a table, which no text's own error is. */
    size_t length = 0;
    const char *text = lua_tolstring(L, -1, &length);
    lua_createtable(L, 0, 1);
    lua_pushlstring(L, text == NULL ? "" : text, length);
    lua_setfield(L, -2, "compiling");
    return lua_error(L);
  }
  lua_call(L, 0, 0);
  return 0;
}

static bool is_name(const char *name, size_t length) {
  for (size_t i = 0; i < length; i++) {
    const char c = name[i];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) return false;
  }
  return length != 0;
}

/* The flags that the table on top of the stack names; -1 when it names another. */
static int read_flags(lua_State *L) {
  static const char *const names[] = {"no-writes", "allow-oom", "allow-stale", "no-cluster", "allow-cross-slot-keys"};
  int flags = 0;
  for (int i = 1;; i++) {
    script_work_or_raise(L, 1);
    lua_pushinteger(L, i);
    lua_gettable(L, -2);
    if (lua_isnil(L, -1)) break;
    const char *text = lua_tostring(L, -1);
    size_t flag = 0;
    while (flag < sizeof(names) / sizeof(names[0]) && (text == NULL || strcasecmp(names[flag], text) != 0)) flag++;
    lua_pop(L, 1);
    if (flag == sizeof(names) / sizeof(names[0])) return -1;
    flags |= 1 << flag;
  }
  lua_pop(L, 1);
  return flags;
}

/* Takes the field whose key and value are on top of the stack, and pops the value; what is needed of it stays on the
 * stack. What is wrong with it, or null. */
static const char *read_field(lua_State *L, registration *function) {
  enum { NAME = 2, DESCRIPTION, CALLBACK };
  if (!lua_isstring(L, -2)) return "named argument key given to redis.register_function is not a string";
  /* A number as a key is no name of an argument, and must stay one for the walk. */
  const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
  if (strcasecmp(key, "function_name") == 0) {
    function->name = lua_tolstring(L, -1, &function->name_length);
    lua_replace(L, NAME);
    return function->name != NULL ? NULL : "function_name argument given to redis.register_function must be a string";
  }
  if (strcasecmp(key, "description") == 0) {
    function->description = lua_tolstring(L, -1, &function->description_length);
    lua_replace(L, DESCRIPTION);
    return function->description != NULL ? NULL
                                         : "description argument given to redis.register_function must be a string";
  }
  if (strcasecmp(key, "callback") == 0) {
    if (!lua_isfunction(L, -1)) return "callback argument given to redis.register_function must be a function";
    function->callback = CALLBACK;
    lua_replace(L, CALLBACK);
    return NULL;
  }
  if (strcasecmp(key, "flags") != 0) return "unknown argument given to redis.register_function";
  if (!lua_istable(L, -1)) {
    return "flags argument to redis.register_function must be a table representing function flags";
  }
  function->flags = read_flags(L);
  lua_pop(L, 1);
  return function->flags < 0 ? "unknown flag given" : NULL;
}

static const char *read_named(lua_State *L, registration *function) {
  if (!lua_istable(L, 1)) {
    return "calling redis.register_function with a single argument is only applicable to Lua table (representing named "
           "arguments).";
  }
  lua_settop(L, 4); /* where name, description and callback stay */
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    const char *problem = read_field(L, function);
    if (problem != NULL) return problem;
  }
  if (function->name == NULL) return "redis.register_function must get a function name argument";
  return function->callback == 0 ? "redis.register_function must get a callback argument" : NULL;
}

static const char *read_positional(lua_State *L, registration *function) {
  function->name = lua_tolstring(L, 1, &function->name_length);
  if (function->name == NULL) return "first argument to redis.register_function must be a string";
  if (!lua_isfunction(L, 2)) return "second argument to redis.register_function must be a function";
  function->callback = 2;
  return NULL;
}

/* Puts a text behind the others. There is room. */
static strata_bytes place_text(script_buffer *buffer, const char *text, size_t length) {
  const size_t start = buffer->length;
  if (length != 0) memcpy(buffer->data + start, text, length);
  buffer->length += length;
  return (strata_bytes){(const uint8_t *)(uintptr_t)start, (int64_t)length};
}

/* What cannot raise comes last, so that nothing is kept of a function that isn't registered. */
static void add_function(lua_State *L, const registration *function) {
  strata_script *script = script_of(L);
  script->registered = script_grow(L, script->registered, &script->registered_capacity, script->registered_count + 1,
                                   sizeof(strata_script_function));
  script_buffer_reserve(L, &script->library_text, function->name_length);
  script_buffer_reserve(L, &script->library_text, function->name_length + function->description_length);
  lua_rawgeti(L, LUA_REGISTRYINDEX, SLOT_FUNCTIONS);
  lua_pushvalue(L, function->callback);
  const int number = luaL_ref(L, -2);
  strata_script_function *added = &script->registered[script->registered_count++];
  *added = (strata_script_function){.function = number, .flags = function->flags};
  added->name = place_text(&script->library_text, function->name, function->name_length);
  added->description = place_text(&script->library_text, function->description, function->description_length);
  if (function->description == NULL) added->description.length = -1;
}

static int redis_register_function(lua_State *L) {
  registration function = {0};
  const int count = lua_gettop(L);
  if (!script_of(L)->loading) {
    return script_raise(L, "redis.register_function can only be called on FUNCTION LOAD command");
  }
  if (count < 1 || count > 2) return script_raise(L, "wrong number of arguments to redis.register_function");
  const char *problem = count == 1 ? read_named(L, &function) : read_positional(L, &function);
  if (problem != NULL) return script_raise(L, problem);
  if (!is_name(function.name, function.name_length)) {
    return script_raise(L,
                        "Library names can only contain letters, numbers, or underscores(_) and must be at least one "
                        "character long");
  }

  /* By lower case: that is how functions are called. */
  luaL_Buffer lower;
  lua_rawgeti(L, LUA_REGISTRYINDEX, KEPT_NAMES);
  luaL_buffinit(L, &lower);
  for (size_t i = 0; i < function.name_length; i++) {
    const char c = function.name[i];
    luaL_addchar(&lower, (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c));
  }
  luaL_pushresult(&lower);
  lua_pushvalue(L, -1);
  lua_rawget(L, -3);
  if (!lua_isnil(L, -1)) return script_raise(L, "Function already exists in the library");
  lua_pop(L, 1);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
  add_function(L, &function);
  return 0;
}

/* A new metatable on top of the stack, whose __index is the value that was there. */
static void make_metatable(lua_State *L) {
  lua_createtable(L, 0, 1);
  lua_insert(L, -2);
  lua_setfield(L, -2, "__index");
}

/* Pushes the globals of a library that loads; refuse is the place of what refuses all others. */
static void push_limited(lua_State *L, int refuse) {
  lua_createtable(L, 0, 1);
  script_push_loading_redis(L);
  lua_pushcfunction(L, redis_register_function);
  lua_setfield(L, -2, "register_function");
  lua_pushvalue(L, refuse);
  make_metatable(L);
  script_set_readonly(L, -1, true);
  lua_setmetatable(L, -2);
  script_set_readonly(L, -1, true);
  lua_setfield(L, -2, "redis");
  lua_pushvalue(L, refuse);
  make_metatable(L);
  script_set_readonly(L, -1, true);
  lua_setmetatable(L, -2);
  script_set_readonly(L, -1, true);
}

/* lua_CFunction: the text of the error it is given, as a string. */
static int explain_load(lua_State *L) {
  static const char *const kinds[] = {"compiling", "Error compiling function: ", "err",
                                      "Error registering functions: "};
  strata_script *script = script_of(L);
  lua_settop(L, 1);
  const char *before = "Error registering functions: ERR ";
  for (int i = 0; i < 4 && lua_istable(L, 1); i += 2) {
    lua_getfield(L, 1, kinds[i]);
    if (lua_isstring(L, -1)) {
      before = kinds[i + 1];
      lua_replace(L, 1);
    }
    lua_settop(L, 1);
  }
  /* Bytes to the first zero, as in all errors. */
  const char *text = lua_isstring(L, 1) ? lua_tostring(L, 1) : "unknown error";
  lua_pushfstring(L, "%s%s", before, text);
  size_t length = 0;
  text = lua_tolstring(L, -1, &length);
  script_set_text(script, text, length);
  return 0;
}

void script_open_functions(lua_State *L) {
  const int top = lua_gettop(L);
  const int refuse = top + 1;
  const int limited = top + 2;
  const int everything = top + 3;
  const int globals = top + 4;
  const int metatable = top + 5;
  (void)lua_getmetatable(L, LUA_GLOBALSINDEX);
  lua_getfield(L, -1, "__index");
  lua_remove(L, -2);
  push_limited(L, refuse);
  lua_pushvalue(L, LUA_GLOBALSINDEX);
  lua_newtable(L);
  lua_pushvalue(L, everything);
  make_metatable(L);
  script_set_readonly(L, metatable, true);
  lua_pushvalue(L, metatable);
  lua_setmetatable(L, globals);
  script_set_readonly(L, globals, true);
  lua_pushvalue(L, globals);
  lua_replace(L, LUA_GLOBALSINDEX);

  lua_pushvalue(L, metatable);
  script_keep(L, SLOT_METATABLE);
  lua_pushvalue(L, everything);
  script_keep(L, SLOT_EVERYTHING);
  lua_pushvalue(L, globals);
  lua_pushvalue(L, metatable);
  lua_pushvalue(L, limited);
  lua_pushcclosure(L, load_library, 3);
  script_keep(L, SLOT_LOAD);
  lua_pushcfunction(L, explain_load);
  script_keep(L, SLOT_EXPLAIN_LOAD);
  lua_pushboolean(L, 0);
  script_keep(L, KEPT_NAMES);
  lua_settop(L, top);
}

static int32_t fail_load(strata_script *script, int status) {
  lua_State *L = script->main;
  if (script->stopping || status == LUA_ERRMEM) return script_fail(script, status);
  lua_pushvalue(L, SLOT_EXPLAIN_LOAD);
  lua_insert(L, -2);
  const int explained = lua_pcall(L, 1, 0, 0);
  return explained == 0 ? STRATA_SCRIPT_E_RAISED : script_fail(script, LUA_ERRMEM);
}

/* Empties what was registered by the library before. */
static void clear_registered(strata_script *script) {
  script->registered_count = 0;
  script->library_text.length = 0;
  script_buffer_trim(script, &script->library_text);
  if (script->registered_capacity * sizeof(strata_script_function) > SCRIPT_BUFFER_KEPT) {
    (void)script_allocate(script, script->registered, script->registered_capacity * sizeof(strata_script_function), 0);
    script->registered = NULL;
    script->registered_capacity = 0;
  }
}

/* Forgets the functions of a library that has failed; nothing runs. */
static void unregister(strata_script *script) {
  for (size_t i = 0; i < script->registered_count; i++) {
    luaL_unref(script->main, SLOT_FUNCTIONS, script->registered[i].function);
  }
  clear_registered(script);
}

static void hand_out_functions(strata_script *script) {
  for (size_t i = 0; i < script->registered_count; i++) {
    strata_script_function *function = &script->registered[i];
    strata_bytes *texts[] = {&function->name, &function->description};
    for (size_t j = 0; j < 2; j++) {
      const bool is_there = texts[j]->length >= 0;
      texts[j]->data = is_there ? (const uint8_t *)script->library_text.data + (uintptr_t)texts[j]->data : NULL;
      if (!is_there) texts[j]->length = 0;
    }
  }
}

int32_t strata_script_load(strata_script *script, const uint8_t *body, int64_t length,
                           const strata_script_function **functions, int32_t *count, strata_script_error *error) {
  if (script == NULL || script_is_busy(script) || !script->of_functions || functions == NULL || count == NULL ||
      error == NULL || length < 0 || (length != 0 && body == NULL)) {
    return STRATA_SCRIPT_E_ARGUMENT;
  }
  *functions = NULL;
  *count = 0;
  script_begin(script);
  clear_registered(script);
  if (length > SCRIPT_CHUNK_MAX) {
    static const char text[] = "Error compiling function: the library is longer than 512 MB";
    script_set_text(script, text, sizeof(text) - 1);
    script_hand_out(script, error);
    return STRATA_SCRIPT_E_RAISED;
  }

  lua_State *L = script->main;
  load_request request = {length == 0 ? "" : (const char *)body, (size_t)length};
  script->loading = true;
  script_enter(script);
  lua_pushvalue(L, SLOT_LOAD);
  lua_pushlightuserdata(L, &request);
  const int status = lua_pcall(L, 1, 0, 0);
  const int32_t result = status == 0 && !script->stopping ? STRATA_SCRIPT_OK : fail_load(script, status);
  script_clean_up(script, result);
  lua_pushboolean(L, 0);
  script_keep(L, KEPT_NAMES);
  if (result == STRATA_SCRIPT_OK) {
    hand_out_functions(script);
    *functions = script->registered;
    *count = (int32_t)script->registered_count;
  } else {
    unregister(script);
  }
  script_hand_out(script, error);
  return result;
}
