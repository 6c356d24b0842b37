/* The two halves of cmsgpack. */
#ifndef STRATA_SCRIPT_MSGPACK_H
#define STRATA_SCRIPT_MSGPACK_H

#include "state.h"

int msgpack_pack(lua_State *L); /* lua_CFunction */

#endif
