/*
 * Errors: how they are raised, where they are placed, and what the caller is told of them.
 *
 * An error that leaves a script is a table: err is the text with its code, source and line say where it was raised,
 * ignore_error_stats_update that a command answered it, which is counted already.
 */
#include "state.h"

void luaD_throw(lua_State *L, int status);

/* Finds where the error was raised: the function at level, or where that is C its caller. False: there is none. */
static bool find_place(lua_State *L, int level, lua_Debug *at) {
  if (!lua_getstack(L, level, at)) return false;
  (void)lua_getinfo(L, "Sl", at);
  if (at->what[0] != 'C') return true;
  if (!lua_getstack(L, level + 1, at)) return false;
  (void)lua_getinfo(L, "Sl", at);
  return true;
}

static void push_text(lua_State *L, int index) {
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
    case LUA_TSTRING:
      lua_pushvalue(L, index);
      (void)lua_tostring(L, -1);
      return;
    case LUA_TBOOLEAN:
      lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false");
      return;
    case LUA_TNIL:
    case LUA_TNONE:
      lua_pushliteral(L, "nil");
      return;
    default:
      if (luaL_callmeta(L, index, "__tostring") && lua_isstring(L, -1)) return;
      lua_pushfstring(L, "%s: %p", luaL_typename(L, index), lua_topointer(L, index));
      return;
  }
}

int script_handle_error(lua_State *L) {
  lua_Debug at;
  lua_settop(L, 1);
  if (!lua_istable(L, 1)) {
    lua_createtable(L, 0, 4);
    lua_pushliteral(L, "ERR ");
    push_text(L, 1);
    lua_concat(L, 2);
    lua_setfield(L, 2, "err");
    lua_replace(L, 1);
  }
  if (find_place(L, 1, &at)) {
    lua_pushstring(L, at.source);
    lua_setfield(L, 1, "source");
    lua_pushinteger(L, at.currentline);
    lua_setfield(L, 1, "line");
  }
  lua_settop(L, 1);
  return 1;
}

void script_set_text(strata_script *script, const char *text, size_t length) {
  script->text.length = 0;
  /* What there is room for, when there is no memory for more. */
  if (!script_buffer_try_reserve(script, &script->text, length)) length = script->text.capacity;
  for (size_t i = 0; i < length; i++) {
    script->text.data[i] = (char)(text[i] == '\r' || text[i] == '\n' ? ' ' : text[i]);
  }
  script->text.length = length;
}

static bool get_field(lua_State *L, const char *name) {
  lua_pushstring(L, name);
  lua_rawget(L, 1);
  return lua_isstring(L, -1);
}

/* The bytes to the first zero, as in the protocol's own errors. */
static size_t text_length(const char *text, size_t length) { return strnlen(text, length); }

static void explain_plain(lua_State *L, strata_script *script) {
  size_t length = 0;
  const char *text = lua_isstring(L, 1) ? lua_tolstring(L, 1, &length) : "execution failure";
  if (length == 0) length = strlen(text);
  script->wants_name = true;
  script_set_text(script, text, text_length(text, length > 100 ? 100 : length));
}

int script_explain_error(lua_State *L) {
  strata_script *script = script_of(L);
  size_t length = 0;
  if (!lua_istable(L, 1)) {
    explain_plain(L, script);
    return 0;
  }

  const char *text = get_field(L, "err") ? lua_tolstring(L, -1, &length) : "ERR unknown error";
  script_set_text(script, text, length == 0 ? strlen(text) : text_length(text, length));
  const bool has_line = get_field(L, "line");
  script->line = has_line ? (int32_t)lua_tointeger(L, -1) : -1;
  if (get_field(L, "source") && has_line) {
    const char *source = lua_tolstring(L, -1, &length);
    script->source.length = 0;
    script_buffer_append(L, &script->source, source, text_length(source, length));
    for (size_t i = 0; i < script->source.length; i++) {
      if (script->source.data[i] == '\r' || script->source.data[i] == '\n') script->source.data[i] = ' ';
    }
    script->has_source = true;
  }
  lua_pushliteral(L, "ignore_error_stats_update");
  lua_rawget(L, 1);
  script->is_of_command = lua_isboolean(L, -1) && lua_toboolean(L, -1);
  return 0;
}

/* Pushes {err = text}, where the text is "CODE message", and ERR where the line names no code. */
void script_push_error_line(lua_State *L, const char *line, size_t length) {
  length = strnlen(line, length);
  const char *code = "ERR";
  size_t code_length = 3;
  const char *message = line;
  size_t message_length = length;
  if (length != 0 && line[0] == '-') {
    const char *blank = memchr(line, ' ', length);
    message = blank == NULL ? line + 1 : blank + 1;
    message_length = length - (size_t)(message - line);
    if (blank != NULL) {
      code = line + 1;
      code_length = (size_t)(blank - code);
    }
  }
  while (message_length != 0 && (*message == '\r' || *message == '\n')) {
    message++;
    message_length--;
  }
  while (message_length != 0 && (message[message_length - 1] == '\r' || message[message_length - 1] == '\n')) {
    message_length--;
  }

  luaL_checkstack(L, 5, "an error");
  lua_createtable(L, 0, 4);
  lua_pushliteral(L, "err");
  lua_pushlstring(L, code, code_length);
  lua_pushliteral(L, " ");
  lua_pushlstring(L, message, message_length);
  lua_concat(L, 3);
  lua_rawset(L, -3);
}

void script_push_error(lua_State *L, const char *text) { script_push_error_line(L, text, strlen(text)); }

int script_raise(lua_State *L, const char *text) {
  script_push_error(L, text);
  return lua_error(L);
}

/*
 * Ends the script. No handler of errors is called, for one that loops would never be stopped: Lua runs no hook inside
 * of a hook. Whatever catches it (pcall, xpcall, a coroutine's resume, load) looks for stopping and raises it again.
 */
_Noreturn void script_raise_stop(lua_State *L) {
  strata_script *script = script_of(L);
  lua_Debug at;
  script->stopping = true;
  int level = 0;
  bool found = false;
  while (!found && lua_getstack(L, level++, &at)) found = lua_getinfo(L, "Sl", &at) != 0 && at.what[0] != 'C';
  if (!script->has_source && found) {
    const size_t length = strlen(at.source);
    script->source.length = 0;
    if (script_buffer_try_reserve(script, &script->source, length)) {
      memcpy(script->source.data, at.source, length);
      script->source.length = length;
      script->line = at.currentline;
      script->has_source = true;
    }
  }
  lua_pushnil(L);
  luaD_throw(L, LUA_ERRRUN);
  __builtin_unreachable();
}
