/* Runs scripts and functions: gives them their keys and arguments, and writes what they return. */
#include "script.h"
#include "state.h"

static void fill_array(lua_State *L, const uint8_t *bytes, const strata_argument *items, int32_t count) {
  for (int32_t i = 0; i < count; i++) {
    lua_pushlstring(L, (const char *)bytes + items[i].offset, (size_t)items[i].length);
    lua_rawseti(L, -2, i + 1);
  }
}

static void push_array(lua_State *L, const uint8_t *bytes, const strata_argument *items, int32_t count) {
  lua_createtable(L, count, 0);
  fill_array(L, bytes, items, count);
}

static bool is_kept(const strata_argument *items, int32_t count) {
  int64_t bytes = 0;
  for (int32_t i = 0; i < count && i < SCRIPT_KEPT_ENTRIES; i++) bytes += items[i].length;
  return count <= SCRIPT_KEPT_ENTRIES && bytes <= SCRIPT_KEPT_BYTES;
}

/* Makes the table on top of the stack KEYS or ARGV (which: 0 or 1), and pops it. */
static void set_global(lua_State *L, strata_script *script, int which) {
  script->arrays[which] = lua_topointer(L, -1);
  lua_pushvalue(L, SLOT_KEYS + which);
  lua_insert(L, -2);
  /* It is there: nothing is allocated, so nothing raises, while the globals are open. */
  script_set_readonly(L, SLOT_GLOBALS, false);
  lua_rawset(L, SLOT_GLOBALS);
  script_set_readonly(L, SLOT_GLOBALS, true);
}

/* Makes KEYS or ARGV of the run. No script can reach what an earlier one was given: its table is given to the next with
 * as many entries, if it is still as it was made, but for its elements. */
static void set_array(lua_State *L, strata_script *script, int which, const strata_argument *items, int32_t count) {
  if (!is_kept(items, count)) {
    push_array(L, script->run->bytes, items, count);
    set_global(L, script, which);
    return;
  }

  const bool is_usable = script_is_plain_array(script, script->kept[which][count], count);
  if (is_usable && count == 0) {
    if (script->arrays[which] == script->kept[which][0]) return;
  }
  if (is_usable) {
    lua_rawgeti(L, SLOT_KEPT_KEYS + which, count + 1);
    fill_array(L, script->run->bytes, items, count);
  } else {
    push_array(L, script->run->bytes, items, count);
    lua_pushvalue(L, -1);
    lua_rawseti(L, SLOT_KEPT_KEYS + which, count + 1);
    script->kept[which][count] = lua_topointer(L, -1);
  }

  if (script->arrays[which] == script->kept[which][count]) {
    lua_pop(L, 1);
  } else {
    set_global(L, script, which);
  }
}

static void drop_kept(lua_State *L, strata_script *script, int which, int count) {
  lua_rawgeti(L, SLOT_KEPT_KEYS + which, count + 1);
  if (script_is_plain_array(script, script->kept[which][count], count)) {
    for (int i = 1; i <= count; i++) {
      lua_pushnil(L);
      lua_rawseti(L, -2, i);
    }
  } else { /* a script has made something else of it */
    lua_pushboolean(L, 0);
    lua_rawseti(L, SLOT_KEPT_KEYS + which, count + 1);
    script->kept[which][count] = NULL;
  }
  lua_pop(L, 1);
}

void script_drop_arguments(strata_script *script) {
  lua_State *L = script->main;
  for (int which = 0; which < 2; which++) {
    for (int count = 0; count <= SCRIPT_KEPT_ENTRIES; count++) drop_kept(L, script, which, count);
    lua_pushboolean(L, 0); /* the next script gets another */
    set_global(L, script, which);
  }
}

/* Runs the function on top of the stack; its result goes to the reply. */
static void run_function(lua_State *L, void *owner) {
  strata_script *script = owner;
  const strata_script_run *run = script->run;
  if (lua_topointer(L, LUA_GLOBALSINDEX) != script->globals) { /* a script has replaced it */
    lua_pushvalue(L, SLOT_GLOBALS);
    lua_replace(L, LUA_GLOBALSINDEX);
  }

  if (script->of_functions) {
    script_free_globals(L, script);
    push_array(L, run->bytes, run->keys, run->key_count);
    push_array(L, run->bytes, run->arguments, run->argument_count);
    lua_call(L, 2, 1);
  } else {
    set_array(L, script, 0, run->keys, run->key_count);
    set_array(L, script, 1, run->arguments, run->argument_count);
    if (script_field((script_top(L) - 1)->as.object, FUNCTION_ENVIRONMENT) != script->globals) { /* or its own */
      lua_pushvalue(L, SLOT_GLOBALS);
      (void)lua_setfenv(L, -2);
    }
    lua_call(L, 0, 1);
  }
  script_write_reply(L);
}

void script_open_scripts(lua_State *L) {
  strata_script *script = script_of(L);
  lua_pushliteral(L, "KEYS");
  script_keep(L, SLOT_KEYS);
  lua_pushliteral(L, "ARGV");
  script_keep(L, SLOT_ARGV);
  for (int which = 0; which < 2; which++) {
    lua_createtable(L, SCRIPT_KEPT_ENTRIES + 1, 0);
    for (int count = 0; count <= SCRIPT_KEPT_ENTRIES; count++) {
      lua_createtable(L, count, 0);
      script->kept[which][count] = lua_topointer(L, -1);
      lua_rawseti(L, -2, count + 1);
    }
    script_keep(L, SLOT_KEPT_KEYS + which);
  }
}

static bool is_valid_run(const strata_script_run *run) {
  return run->key_count >= 0 && run->argument_count >= 0 && (run->protocol == 2 || run->protocol == 3) &&
         (run->key_count == 0 || run->keys != NULL) && (run->argument_count == 0 || run->arguments != NULL);
}

int32_t strata_script_execute(strata_script *script, int32_t function, const strata_script_run *run,
                              strata_bytes *reply, strata_script_error *error) {
  if (script == NULL || script_is_busy(script) || run == NULL || reply == NULL || error == NULL || !is_valid_run(run) ||
      function <= 0) {
    return STRATA_SCRIPT_E_ARGUMENT;
  }
  lua_State *L = script->main;
  lua_rawgeti(L, SLOT_FUNCTIONS, function);
  if ((script_top(L) - 1)->type != LUA_TFUNCTION) {
    lua_pop(L, 1);
    return STRATA_SCRIPT_E_ARGUMENT;
  }

  script_begin(script);
  script_buffer_trim(script, &script->reply);
  script->reply.length = 0;
  script->protocol = run->protocol;
  script->resp = 2;
  script->run = run;
  script_enter(script);
  const int status = script_protect(script, run_function, SLOT_COUNT);
  if (status == 0 && !script->stopping) {
    *reply = (strata_bytes){(const uint8_t *)script->reply.data, (int64_t)script->reply.length};
    error->is_of_command = script->is_of_command;
    script_clean_up(script, STRATA_SCRIPT_OK);
    return STRATA_SCRIPT_OK;
  }

  const int32_t result = script_fail(script, status);
  script_clean_up(script, result);
  script_hand_out(script, error);
  return result;
}
