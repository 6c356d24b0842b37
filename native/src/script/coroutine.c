/*
 * coroutine.resume and wrap. Hooks are a coroutine's own, so that a stop must be passed on from one to the one that
 * resumed it, and short coroutines must be counted by those who resume them.
 */
#include "state.h"

/* Moves the arguments over and runs the coroutine: the number of results, which are pushed, or -1 and an error. */
static int resume(lua_State *L, lua_State *coroutine, int arguments) {
  strata_script *script = script_of(L);
  script_work_or_raise(L, SCRIPT_HOOK_INSTRUCTIONS);
  if (!lua_checkstack(coroutine, arguments)) luaL_error(L, "too many arguments to resume");
  lua_xmove(L, coroutine, arguments);
  lua_setlevel(L, coroutine);
  script->running = coroutine;
  const size_t start = script->scratch.length;
  const int status = lua_resume(coroutine, arguments);
  script->running = L;
  if (script->stopping) script_raise_stop(L);
  if (status != 0 && status != LUA_YIELD) {
    script->scratch.length = start; /* what the error has left there */
    lua_xmove(coroutine, L, 1);
    return -1;
  }
  const int results = lua_gettop(coroutine);
  if (!lua_checkstack(L, results + 1)) luaL_error(L, "too many results to resume");
  lua_xmove(coroutine, L, results);
  return results;
}

/* Why it cannot be resumed; null when it can. */
static const char *hindrance(lua_State *L, lua_State *coroutine) {
  lua_Debug at;
  if (L == coroutine) return "running";
  if (lua_status(coroutine) == LUA_YIELD) return NULL;
  if (lua_status(coroutine) != 0) return "dead";
  if (lua_getstack(coroutine, 0, &at) > 0) return "normal";
  return lua_gettop(coroutine) == 0 ? "dead" : NULL;
}

static int try_resume(lua_State *L, lua_State *coroutine, int arguments) {
  const char *state = hindrance(L, coroutine);
  if (state == NULL) return resume(L, coroutine, arguments);
  lua_pushfstring(L, "cannot resume %s coroutine", state);
  return -1;
}

static int coroutine_resume(lua_State *L) {
  lua_State *coroutine = lua_tothread(L, 1);
  luaL_argcheck(L, coroutine != NULL, 1, "coroutine expected");
  const int results = try_resume(L, coroutine, lua_gettop(L) - 1);
  lua_pushboolean(L, results >= 0);
  lua_insert(L, results < 0 ? -2 : -(results + 1));
  return results < 0 ? 2 : results + 1;
}

static int wrapped(lua_State *L) {
  lua_State *coroutine = lua_tothread(L, lua_upvalueindex(1));
  const int results = try_resume(L, coroutine, lua_gettop(L));
  if (results >= 0) return results;
  if (lua_isstring(L, -1)) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

static void make(lua_State *L) {
  luaL_argcheck(L, lua_isfunction(L, 1) && !lua_iscfunction(L, 1), 1, "Lua function expected");
  lua_State *coroutine = lua_newthread(L); /* with the hook of this one */
  lua_pushvalue(L, 1);
  lua_xmove(L, coroutine, 1);
}

static int coroutine_create(lua_State *L) {
  make(L);
  return 1;
}

static int coroutine_wrap(lua_State *L) {
  make(L);
  lua_pushcclosure(L, wrapped, 1);
  return 1;
}

void script_open_coroutine(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"create", coroutine_create}, {"resume", coroutine_resume}, {"wrap", coroutine_wrap}, {NULL, NULL}};
  lua_getglobal(L, "coroutine");
  script_set_functions(L, functions);
  lua_pop(L, 1);
}
