/* What the halves of cjson share. */
#ifndef STRATA_SCRIPT_JSON_H
#define STRATA_SCRIPT_JSON_H

#include "state.h"

/* Whatever a script sets, nested tables take the stack of the thread. */
enum { JSON_DEPTH_MAX = 2500 };

int json_encode(lua_State *L); /* lua_CFunction; upvalue 1 are the settings */
int json_decode(lua_State *L); /* lua_CFunction; upvalue 1 are the settings */

static inline json_settings *json_settings_of(lua_State *L) { return lua_touserdata(L, lua_upvalueindex(1)); }

#endif
