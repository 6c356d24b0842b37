/* The table redis: commands, replies, and the little else that a script may ask of the server. */
#include "state.h"

/* Few bytes, without a call. */
static inline char *copy_text(char *to, const char *text, size_t length) {
  if (length > 16) {
    memcpy(to, text, length);
  } else if (length >= 8) {
    uint64_t parts[2];
    memcpy(&parts[0], text, 8);
    memcpy(&parts[1], text + length - 8, 8);
    memcpy(to, &parts[0], 8);
    memcpy(to + length - 8, &parts[1], 8);
  } else {
    for (size_t i = 0; i < length; i++) to[i] = text[i];
  }
  return to + length;
}

/* Room for the arguments on the stack. False: one of them is neither string nor number. */
static bool reserve_arguments(lua_State *L, strata_script *script, int count) {
  const script_value *values = script_base(L);
  size_t length = 0;
  for (int i = 0; i < count; i++) {
    size_t size = SCRIPT_NUMBER_SIZE;
    if (values[i].type == LUA_TSTRING) {
      (void)script_text(&values[i], &size);
    } else if (values[i].type != LUA_TNUMBER) {
      return false;
    }
    length += size;
  }
  if ((size_t)count > script->argument_capacity) {
    script->arguments =
        script_grow(L, script->arguments, &script->argument_capacity, (size_t)count, sizeof(strata_argument));
  }
  script_buffer_reserve(L, &script->scratch, length);
  return true;
}

/* The arguments on the stack, copied behind each other, and behind what is in use of the scratch buffer. False: a text
 * of what is wrong with them is pushed. */
static bool collect_arguments(lua_State *L, strata_script *script, int count) {
  if (count == 0) {
    script_push_error(L, "Please specify at least one argument for this redis lib call");
    return false;
  }
  if (!reserve_arguments(L, script, count)) {
    script_push_error(L, "Lua redis lib command arguments must be strings or integers");
    return false;
  }
  const script_value *values = script_base(L);
  const char *start = script->scratch.data + script->scratch.length;
  char *at = script->scratch.data + script->scratch.length;
  for (int i = 0; i < count; i++) {
    const char *argument = at;
    if (values[i].type == LUA_TSTRING) {
      size_t length = 0;
      const char *text = script_text(&values[i], &length);
      at = copy_text(at, text, length);
    } else {
      at += script_format_number(at, values[i].as.number);
    }
    script->arguments[i] = (strata_argument){(int32_t)(argument - start), (int32_t)(at - argument)};
  }
  return true;
}

/* Has the host execute the arguments on the stack. False: an error is on the stack instead. */
static bool call_host(lua_State *L, int how, strata_bytes *reply) {
  strata_script *script = script_of(L);
  const int count = (int)(script_top(L) - script_base(L));
  if (!collect_arguments(L, script, count)) return false;
  *reply = (strata_bytes){NULL, 0};
  const uint8_t *bytes = (const uint8_t *)script->scratch.data + script->scratch.length;
  const int32_t status = script->host.call(script->host.owner, how, bytes, script->arguments, count, reply);
  if (status != STRATA_SCRIPT_OK) script_raise_stop(L);
  return true;
}

static int call_command(lua_State *L, int how) {
  strata_bytes reply;
  if (!call_host(L, how, &reply)) return how == STRATA_SCRIPT_CALL ? lua_error(L) : 1;
  if (script_read_scalar(L, &reply)) return 1;
  lua_settop(L, 0);
  script_read_reply(L, reply.data, reply.length);
  return how == STRATA_SCRIPT_CALL && reply.data[0] == '-' ? lua_error(L) : 1;
}

static int redis_call(lua_State *L) { return call_command(L, STRATA_SCRIPT_CALL); }

static int redis_pcall(lua_State *L) { return call_command(L, STRATA_SCRIPT_PCALL); }

static int redis_acl_check_cmd(lua_State *L) {
  strata_bytes reply;
  if (!call_host(L, STRATA_SCRIPT_ACL_CHECK, &reply)) return lua_error(L);
  if (reply.length > 2 && reply.data[0] == '-') {
    script_push_error_line(L, (const char *)reply.data, (size_t)reply.length);
    return lua_error(L);
  }
  lua_pushboolean(L, reply.length > 1 && reply.data[1] == '1');
  return 1;
}

static int redis_error_reply(lua_State *L) {
  if (lua_gettop(L) != 1 || lua_type(L, 1) != LUA_TSTRING) {
    script_push_error(L, "wrong number or type of arguments");
    return 1;
  }
  const char *text = lua_tostring(L, 1);
  if (*text != '-') {
    lua_pushliteral(L, "-");
    lua_pushstring(L, text);
    lua_concat(L, 2);
  }
  size_t length = 0;
  text = lua_tolstring(L, -1, &length);
  script_push_error_line(L, text, length);
  return 1;
}

static int redis_status_reply(lua_State *L) {
  if (lua_gettop(L) != 1 || lua_type(L, 1) != LUA_TSTRING) {
    script_push_error(L, "wrong number or type of arguments");
    return 1;
  }
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, 1);
  lua_setfield(L, -2, "ok");
  return 1;
}

static int redis_sha1hex(lua_State *L) {
  char hex[40];
  size_t length = 0;
  if (lua_gettop(L) != 1) return script_raise(L, "wrong number of arguments");
  const char *text = lua_tolstring(L, 1, &length);
  script_sha1(L, text == NULL ? "" : text, length, hex);
  lua_pushlstring(L, hex, sizeof(hex));
  return 1;
}

/* A number of the script's as an integer that cannot overflow. */
static int64_t to_integer(lua_State *L, int index) {
  const lua_Number number = lua_tonumber(L, index);
  return number > -1e15 && number < 1e15 ? (int64_t)number : -1;
}

static int32_t tell(lua_State *L, int what, int64_t number, const char *text, size_t length) {
  const strata_script *script = script_of(L);
  return script->host.tell(script->host.owner, what, number, (const uint8_t *)text, (int64_t)length);
}

static int redis_log(lua_State *L) {
  script_buffer *line = &script_of(L)->scratch;
  const size_t start = line->length;
  const int count = lua_gettop(L);
  if (count < 2) return script_raise(L, "redis.log() requires two arguments or more.");
  if (!lua_isnumber(L, 1)) return script_raise(L, "First argument must be a number (log level).");
  const int64_t level = to_integer(L, 1);
  if (level < 0 || level > 3) return script_raise(L, "Invalid debug level.");
  for (int i = 2; i <= count; i++) {
    size_t length = 0;
    const char *text = lua_tolstring(L, i, &length);
    if (text == NULL) continue;
    if (i != 2) script_buffer_put(L, line, ' ');
    script_buffer_append(L, line, text, length);
  }
  const size_t length = line->length - start;
  line->length = start;
  (void)tell(L, STRATA_SCRIPT_LOG, level, length == 0 ? "" : line->data + start, length);
  return 0;
}

static int redis_setresp(lua_State *L) {
  if (lua_gettop(L) != 1) return script_raise(L, "redis.setresp() requires one argument.");
  const int64_t version = to_integer(L, 1);
  if ((version != 2 && version != 3) || tell(L, STRATA_SCRIPT_SET_RESP, version, NULL, 0) != STRATA_SCRIPT_OK) {
    return script_raise(L, "RESP version must be 2 or 3.");
  }
  script_of(L)->resp = (int)version;
  return 0;
}

static int redis_set_repl(lua_State *L) {
  if (lua_gettop(L) != 1) return script_raise(L, "redis.set_repl() requires one argument.");
  const int64_t flags = to_integer(L, 1);
  if ((flags & ~(int64_t)3) != 0 || tell(L, STRATA_SCRIPT_SET_REPL, flags, NULL, 0) != STRATA_SCRIPT_OK) {
    return script_raise(L, "Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
  }
  return 0;
}

static int redis_replicate_commands(lua_State *L) {
  lua_pushboolean(L, 1);
  return 1;
}

/* There is no debugger that it could stop in. */
static int redis_breakpoint(lua_State *L) {
  lua_pushboolean(L, 0);
  return 1;
}

static int redis_debug(lua_State *L) {
  (void)L;
  return 0;
}

void script_open_redis(lua_State *L, const strata_script_options *options) {
  static const luaL_Reg functions[] = {{"call", redis_call},
                                       {"pcall", redis_pcall},
                                       {"acl_check_cmd", redis_acl_check_cmd},
                                       {"error_reply", redis_error_reply},
                                       {"status_reply", redis_status_reply},
                                       {"sha1hex", redis_sha1hex},
                                       {"log", redis_log},
                                       {"setresp", redis_setresp},
                                       {"set_repl", redis_set_repl},
                                       {NULL, NULL}};
  static const luaL_Reg of_scripts[] = {{"replicate_commands", redis_replicate_commands},
                                        {"breakpoint", redis_breakpoint},
                                        {"debug", redis_debug},
                                        {NULL, NULL}};
  static const struct {
    const char *name;
    int value;
  } constants[] = {{"LOG_DEBUG", 0}, {"LOG_VERBOSE", 1}, {"LOG_NOTICE", 2},   {"LOG_WARNING", 3}, {"REPL_NONE", 0},
                   {"REPL_AOF", 1},  {"REPL_SLAVE", 2},  {"REPL_REPLICA", 2}, {"REPL_ALL", 3}};
  lua_createtable(L, 0, 32);
  script_set_functions(L, functions);
  if (options->purpose == STRATA_SCRIPT_OF_SCRIPTS) script_set_functions(L, of_scripts);
  for (size_t i = 0; i < sizeof(constants) / sizeof(constants[0]); i++) {
    lua_pushinteger(L, constants[i].value);
    lua_setfield(L, -2, constants[i].name);
  }
  lua_pushlstring(L, options->redis_version.length == 0 ? "" : (const char *)options->redis_version.data,
                  (size_t)options->redis_version.length);
  lua_setfield(L, -2, "REDIS_VERSION");
  lua_pushinteger(L, options->redis_version_number);
  lua_setfield(L, -2, "REDIS_VERSION_NUM");
  lua_setglobal(L, "redis");
}

void script_push_loading_redis(lua_State *L) {
  static const char *const fields[] = {"log",         "LOG_DEBUG",     "LOG_VERBOSE",      "LOG_NOTICE",
                                       "LOG_WARNING", "REDIS_VERSION", "REDIS_VERSION_NUM"};
  lua_createtable(L, 0, 16);
  lua_getglobal(L, "redis");
  for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
    lua_getfield(L, -1, fields[i]);
    lua_setfield(L, -3, fields[i]);
  }
  lua_pop(L, 1);
}
