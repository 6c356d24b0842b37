/* math.random with the server's own generator, a linear congruence over 48 bits: the same numbers on every machine. */
#include <math.h>

#include "state.h"

static const double kRange = 2147483647.0;

/* x = 0x5DEECE66D x + 0xB, in three digits of 16 bits as drand48's family is defined. */
static int32_t next_random(strata_script *script) {
  uint64_t x = (uint64_t)script->random[2] << 32 | (uint64_t)script->random[1] << 16 | script->random[0];
  x = (x * UINT64_C(0x5DEECE66D) + 0xB) & UINT64_C(0xFFFFFFFFFFFF);
  script->random[0] = (uint32_t)(x & 0xFFFF);
  script->random[1] = (uint32_t)(x >> 16 & 0xFFFF);
  script->random[2] = (uint32_t)(x >> 32);
  return (int32_t)(x >> 17);
}

void script_reset_random(strata_script *script) {
  script->random[0] = 0x330E;
  script->random[1] = 0xABCD;
  script->random[2] = 0x1234;
}

static int math_random(lua_State *L) {
  const lua_Number fraction = (lua_Number)(next_random(script_of(L)) % INT32_MAX) / kRange;
  switch (lua_gettop(L)) {
    case 0:
      lua_pushnumber(L, fraction);
      return 1;
    case 1: {
      const int upper = luaL_checkint(L, 1);
      luaL_argcheck(L, 1 <= upper, 1, "interval is empty");
      lua_pushnumber(L, floor(fraction * upper) + 1);
      return 1;
    }
    case 2: {
      const int lower = luaL_checkint(L, 1);
      const int upper = luaL_checkint(L, 2);
      luaL_argcheck(L, lower <= upper, 2, "interval is empty");
      lua_pushnumber(L, floor(fraction * (lua_Number)((int64_t)upper - lower + 1)) + lower);
      return 1;
    }
    default:
      return luaL_error(L, "wrong number of arguments");
  }
}

static int math_randomseed(lua_State *L) {
  strata_script *script = script_of(L);
  const uint32_t seed = (uint32_t)luaL_checkint(L, 1);
  script->random[0] = 0x330E;
  script->random[1] = seed & 0xFFFF;
  script->random[2] = seed >> 16;
  return 0;
}

void script_open_random(lua_State *L) {
  static const luaL_Reg functions[] = {{"random", math_random}, {"randomseed", math_randomseed}, {NULL, NULL}};
  lua_getglobal(L, "math");
  script_set_functions(L, functions);
  lua_pop(L, 1);
}
