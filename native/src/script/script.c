/* The exported functions: they check arguments, enter Lua protected, and hand out what became of it. */
#include "script.h"

#include <locale.h>
#include <stdlib.h>

#include "state.h"

typedef struct compile_request {
  const char *body;
  size_t length;
  int reference;
} compile_request;

int32_t strata_script_handshake(uint32_t version, const uint32_t *sizes, int32_t count) {
  static const uint32_t own[] = {sizeof(strata_bytes),          sizeof(strata_argument),   sizeof(strata_script_host),
                                 sizeof(strata_script_options), sizeof(strata_script_run), sizeof(strata_script_error),
                                 sizeof(strata_script_function)};
  if (version != STRATA_SCRIPT_ABI_VERSION) return STRATA_SCRIPT_E_VERSION;
  if (sizes == NULL || count != (int32_t)(sizeof(own) / sizeof(own[0]))) return STRATA_SCRIPT_E_LAYOUT;
  return memcmp(sizes, own, sizeof(own)) == 0 ? STRATA_SCRIPT_OK : STRATA_SCRIPT_E_LAYOUT;
}

/* lua_CFunction: compiles what the request points at. */
static int compile_function(lua_State *L) {
  compile_request *request = lua_touserdata(L, 1);
  lua_settop(L, 0);
  const int status = script_load(L, request->body, request->length, "@user_script");
  if (status == LUA_ERRMEM) script_raise_memory(L);
  if (status != 0) return lua_error(L);
  request->reference = luaL_ref(L, lua_upvalueindex(1));
  return 0;
}

/* lua_CFunction: a full collection. What it allocates itself may fail, which is no harm. */
static int collect(lua_State *L) {
  (void)lua_gc(L, LUA_GCCOLLECT, 0);
  return 0;
}

void script_keep(lua_State *L, int slot) { lua_rawseti(L, LUA_REGISTRYINDEX, slot); }

/* lua_CFunction: opens the libraries, and makes what is used outside of protected calls, where nothing can be made. */
static int open_state(lua_State *L) {
  const strata_script_options *options = lua_touserdata(L, 1);
  lua_settop(L, 0);
  if (!script_check_layout(L)) {
    lua_pushboolean(L, 0);
    return lua_error(L);
  }
  script_open_libraries(L, options);

  lua_createtable(L, 64, 1); /* of functions; entry 0 is luaL_ref's list of free ones */
  lua_pushinteger(L, 0);
  lua_rawseti(L, 1, 0);
  lua_pushvalue(L, 1);
  script_keep(L, SLOT_FUNCTIONS);

  if (options->purpose == STRATA_SCRIPT_OF_FUNCTIONS) {
    script_open_functions(L);
  } else {
    script_open_scripts(L);
    lua_pushvalue(L, 1);
    lua_pushcclosure(L, compile_function, 1);
    script_keep(L, SLOT_COMPILE);
  }
  lua_pushvalue(L, LUA_GLOBALSINDEX);
  script_of(L)->globals = lua_topointer(L, -1);
  script_keep(L, SLOT_GLOBALS);
  script_open_writer(L);
  lua_pushcfunction(L, script_explain_error);
  script_keep(L, SLOT_EXPLAIN);
  lua_pushcfunction(L, collect);
  script_keep(L, SLOT_COLLECT);
  lua_pushcfunction(L, script_handle_error);
  script_keep(L, SLOT_HANDLER);
  return 0;
}

/* Nothing is called that may raise outside of a protected call. */
static int panic(lua_State *L) {
  (void)L;
  abort();
}

static bool is_complete(const strata_script_options *options) {
  const strata_script_host *host = &options->host;
  const strata_bytes *version = &options->redis_version;
  return host->call != NULL && host->tell != NULL && host->charge != NULL && host->interrupt != NULL &&
         options->purpose >= STRATA_SCRIPT_OF_SCRIPTS && options->purpose <= STRATA_SCRIPT_OF_FUNCTIONS &&
         version->length >= 0 && (version->length == 0 || version->data != NULL) && version->length < INT32_MAX;
}

/* Collects all there is, with what the last script was given. The buffer that strings are joined in only halves with
 * each collection. */
static void settle(strata_script *script) {
  int64_t before = INT64_MAX;
  if (script->arrays[0] != NULL && script->arrays[1] != NULL) script_drop_arguments(script); /* both names are there */
  for (int i = 0; i < 32 && script->used < before - SCRIPT_BUFFER_KEPT; i++) {
    before = script->used;
    lua_pushvalue(script->main, SLOT_COLLECT);
    if (lua_pcall(script->main, 0, 0, 0) != 0) lua_pop(script->main, 1);
  }
  script->settled = script->used;
}

static int32_t fill(strata_script *script, const strata_script_options *options) {
  lua_State *L = script->main;
  const int status = lua_cpcall(L, open_state, (void *)(uintptr_t)options);
  if (status != 0) {
    const bool is_memory = status == LUA_ERRMEM;
    lua_pop(L, 1);
    return is_memory ? STRATA_SCRIPT_E_MEMORY : STRATA_SCRIPT_E_LAYOUT;
  }
  for (int slot = 1; slot <= SLOT_COUNT; slot++) lua_rawgeti(L, LUA_REGISTRYINDEX, slot);
  lua_sethook(L, script_hook, LUA_MASKCOUNT, SCRIPT_HOOK_INSTRUCTIONS);
  /* So that an error can always be told. */
  if (!script_buffer_try_reserve(script, &script->text, 1)) return STRATA_SCRIPT_E_MEMORY;
  settle(script);
  return script_open_arena(script) ? STRATA_SCRIPT_OK : STRATA_SCRIPT_E_MEMORY;
}

/* For good: what Lua reads and writes of numbers depends on it. The C library's own C locale takes no memory. */
static bool use_locale(void) {
  const locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return locale != (locale_t)0 && uselocale(locale) != (locale_t)0;
}

int32_t strata_script_open(const strata_script_options *options, strata_script **script) {
  if (script == NULL) return STRATA_SCRIPT_E_ARGUMENT;
  *script = NULL;
  if (options == NULL || !is_complete(options)) return STRATA_SCRIPT_E_ARGUMENT;
  strata_script *opened = calloc(1, sizeof(*opened));
  if (opened == NULL) return STRATA_SCRIPT_E_MEMORY;
  opened->host = options->host;
  opened->of_functions = options->purpose == STRATA_SCRIPT_OF_FUNCTIONS;
  opened->allocations_left = -1;
  opened->budget = SCRIPT_INTERRUPT_WORK;
  script_reset_random(opened);
  script_reset_json(opened);
  script_choose_string_key(opened);

  script_set_current(opened);
  opened->main = use_locale() ? lua_newstate(script_allocate, opened) : NULL;
  int32_t status = STRATA_SCRIPT_E_MEMORY;
  if (opened->main != NULL) {
    opened->running = opened->main;
    (void)lua_atpanic(opened->main, panic);
    status = script_check_state(opened->main, opened) ? fill(opened, options) : STRATA_SCRIPT_E_LAYOUT;
  }
  if (status != STRATA_SCRIPT_OK) {
    strata_script_close(opened);
    return status;
  }
  *script = opened;
  return STRATA_SCRIPT_OK;
}

void strata_script_close(strata_script *script) {
  if (script == NULL || script->run != NULL) return;
  script_set_current(script);
  if (script->main != NULL) lua_close(script->main);
  script_buffer_free(script, &script->scratch);
  script_buffer_free(script, &script->reply);
  script_buffer_free(script, &script->text);
  script_buffer_free(script, &script->source);
  (void)script_allocate(script, script->arguments, script->argument_capacity * sizeof(strata_argument), 0);
  (void)script_allocate(script, script->registered, script->registered_capacity * sizeof(strata_script_function), 0);
  script_buffer_free(script, &script->library_text);
  (void)script_allocate(script, script->frames, script->frame_capacity * sizeof(reply_frame), 0);
  script_arena_close(&script->arena);
  if (script->charged != 0) (void)script->host.charge(script->host.owner, -script->charged);
  script->charged = 0;
  script_return_pages(script);
  script_set_current(NULL);
  free(script);
}

int64_t strata_script_memory(const strata_script *script) { return script->used + (int64_t)sizeof(strata_script); }

static strata_bytes bytes_of(const script_buffer *buffer) {
  return (strata_bytes){(const uint8_t *)buffer->data, (int64_t)buffer->length};
}

bool script_is_busy(const strata_script *script) { return script->run != NULL || script->loading; }

void script_begin(strata_script *script) {
  script->text.length = 0;
  script->source.length = 0;
  script->has_source = false;
  script->is_of_command = false;
  script->wants_name = false;
  script->line = -1;
  script->scratch.length = 0;
}

void script_hand_out(const strata_script *script, strata_script_error *error) {
  *error = (strata_script_error){.text = bytes_of(&script->text),
                                 .line = script->has_source ? script->line : -1,
                                 .is_of_command = script->is_of_command,
                                 .wants_name = script->wants_name};
  if (script->has_source) {
    error->source = bytes_of(&script->source);
    if (error->source.data == NULL) error->source.data = (const uint8_t *)"";
  }
}

static void set_plain_text(strata_script *script, const char *text) { script_set_text(script, text, strlen(text)); }

int32_t script_fail(strata_script *script, int status) {
  lua_State *L = script->main;
  if (script->stopping) {
    lua_settop(L, SLOT_COUNT);
    set_plain_text(script, "ERR Script killed by user with SCRIPT KILL...");
    return STRATA_SCRIPT_E_STOPPED;
  }
  if (status == LUA_ERRMEM) {
    lua_settop(L, SLOT_COUNT);
    set_plain_text(script, "not enough memory");
    script->wants_name = true;
    return STRATA_SCRIPT_E_MEMORY;
  }
  lua_pushvalue(L, SLOT_EXPLAIN);
  lua_insert(L, -2);
  status = lua_pcall(L, 1, 0, 0);
  lua_settop(L, SLOT_COUNT);
  if (status == 0) return STRATA_SCRIPT_E_RAISED;
  set_plain_text(script, "not enough memory");
  script->wants_name = true;
  return STRATA_SCRIPT_E_MEMORY;
}

int32_t strata_script_compile(strata_script *script, const uint8_t *body, int64_t length, int32_t *function,
                              strata_script_error *error) {
  if (script == NULL || script_is_busy(script) || script->of_functions || function == NULL || error == NULL ||
      length < 0 || (length != 0 && body == NULL)) {
    return STRATA_SCRIPT_E_ARGUMENT;
  }
  *function = 0;
  script_begin(script);
  script_set_current(script);
  if (length > SCRIPT_CHUNK_MAX) {
    set_plain_text(script, "the script is longer than 512 MB");
    script_hand_out(script, error);
    return STRATA_SCRIPT_E_RAISED;
  }

  lua_State *L = script->main;
  compile_request request = {length == 0 ? "" : (const char *)body, (size_t)length, 0};
  lua_pushvalue(L, SLOT_COMPILE);
  lua_pushlightuserdata(L, &request);
  const int status = lua_pcall(L, 1, 0, 0);
  int32_t result = STRATA_SCRIPT_OK;
  if (status == 0) {
    *function = request.reference;
  } else if (status == LUA_ERRMEM) {
    result = script_fail(script, status);
    settle(script);
  } else {
    size_t size = 0;
    const char *text = lua_isstring(L, -1) ? lua_tolstring(L, -1, &size) : NULL;
    script_set_text(script, text, strnlen(text == NULL ? "" : text, size));
    lua_settop(L, SLOT_COUNT);
    result = STRATA_SCRIPT_E_RAISED;
  }
  script_hand_out(script, error);
  return result;
}

static bool is_function(const strata_script *script, int32_t function) {
  lua_State *L = script->main;
  if (function <= 0) return false;
  lua_rawgeti(L, SLOT_FUNCTIONS, function);
  const bool is = lua_isfunction(L, -1);
  lua_pop(L, 1);
  return is;
}

/* lua_Writer */
static int append_dumped(lua_State *L, const void *bytes, size_t length, void *owner) {
  strata_script *script = owner;
  (void)L;
  if (!script_buffer_try_reserve(script, &script->reply, length)) return 1;
  if (length != 0) memcpy(script->reply.data + script->reply.length, bytes, length);
  script->reply.length += length;
  return 0;
}

int32_t strata_script_dump(strata_script *script, int32_t function, strata_bytes *chunk) {
  if (script == NULL || script->run != NULL || chunk == NULL || !is_function(script, function)) {
    return STRATA_SCRIPT_E_ARGUMENT;
  }
  lua_State *L = script->main;
  script_buffer_trim(script, &script->reply);
  script->reply.length = 0;
  lua_rawgeti(L, SLOT_FUNCTIONS, function);
  const int result = lua_dump(L, append_dumped, script);
  lua_pop(L, 1);
  *chunk = bytes_of(&script->reply);
  return result == 0 ? STRATA_SCRIPT_OK : STRATA_SCRIPT_E_MEMORY;
}

void strata_script_forget(strata_script *script, int32_t function) {
  if (script == NULL || script_is_busy(script) || !is_function(script, function)) return;
  luaL_unref(script->main, SLOT_FUNCTIONS, function);
}

void strata_script_trim(strata_script *script) {
  if (script == NULL || script_is_busy(script)) return;
  script_buffer_trim(script, &script->reply);
  script_buffer_trim(script, &script->text);
  script_buffer_trim(script, &script->source);
  script->reply.length = script->text.length = script->source.length = 0;
  /* So that an error can always be told. */
  (void)script_buffer_try_reserve(script, &script->text, 1);
  if (script->used < script->settled) script->settled = script->used;
  script_return_pages(script);
}

/* Whether there is so much more than after the last collection, and so large a part of that: most of it is garbage, or
 * what is in use has grown and is not gone over again before it grows as much. */
static bool has_garbage(const strata_script *script, int64_t least, int64_t share) {
  const int64_t grown = script->used - script->settled;
  return grown > least && grown > script->settled / share;
}

void script_clean_up(strata_script *script, int32_t result) {
  lua_State *L = script->main;
  script->run = NULL;
  script->loading = false;
  script->running = L;
  if (script->stopping) lua_sethook(L, script_hook, LUA_MASKCOUNT, SCRIPT_HOOK_INSTRUCTIONS);
  script->stopping = false;
  script_buffer_trim(script, &script->scratch);
  if (result != STRATA_SCRIPT_OK) script_buffer_trim(script, &script->reply);
  if (script->collector_changed) {
    script->collector_changed = false;
    (void)lua_gc(L, LUA_GCSETPAUSE, 200);
    (void)lua_gc(L, LUA_GCSETSTEPMUL, 200);
    (void)lua_gc(L, LUA_GCRESTART, 0);
  }
  if (result == STRATA_SCRIPT_E_MEMORY || has_garbage(script, SCRIPT_GARBAGE_KEPT, 1)) settle(script);
  script_return_pages(script);
}

void strata_script_collect(strata_script *script) {
  if (script == NULL || script_is_busy(script)) return;
  script_set_current(script);
  if (has_garbage(script, SCRIPT_GARBAGE_IDLE, 8)) settle(script);
  script_return_pages(script);
}

void script_enter(strata_script *script) {
  script_set_current(script);
  script->budget = SCRIPT_INTERRUPT_WORK;
  script->asked_at = 0;
  script_reset_json(script);
}
