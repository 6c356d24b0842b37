/* bit: operations on the low 32 bits of numbers, as Lua BitOp 1.0.2 has them. */
#include "state.h"

/* Rounds to an integer and takes it modulo 2^32: adding 2^52 + 2^51 leaves it in the low bits. */
static uint32_t to_bits(lua_State *L, int index) {
  union {
    double number;
    uint64_t bits;
  } value;
  value.number = lua_tonumber(L, index) + 6755399441055744.0;
  const uint32_t bits = (uint32_t)value.bits;
  if (bits == 0 && !lua_isnumber(L, index)) luaL_typerror(L, index, "number");
  return bits;
}

static int push_bits(lua_State *L, uint32_t bits) {
  lua_pushnumber(L, (lua_Number)(int32_t)bits);
  return 1;
}

static uint32_t rotate(uint32_t bits, uint32_t by) { return by == 0 ? bits : bits << by | bits >> (32 - by); }

static int bit_tobit(lua_State *L) { return push_bits(L, to_bits(L, 1)); }

static int bit_bnot(lua_State *L) { return push_bits(L, ~to_bits(L, 1)); }

static int bit_band(lua_State *L) {
  uint32_t bits = to_bits(L, 1);
  for (int i = lua_gettop(L); i > 1; i--) bits &= to_bits(L, i);
  return push_bits(L, bits);
}

static int bit_bor(lua_State *L) {
  uint32_t bits = to_bits(L, 1);
  for (int i = lua_gettop(L); i > 1; i--) bits |= to_bits(L, i);
  return push_bits(L, bits);
}

static int bit_bxor(lua_State *L) {
  uint32_t bits = to_bits(L, 1);
  for (int i = lua_gettop(L); i > 1; i--) bits ^= to_bits(L, i);
  return push_bits(L, bits);
}

static int bit_lshift(lua_State *L) {
  const uint32_t bits = to_bits(L, 1);
  return push_bits(L, bits << (to_bits(L, 2) & 31));
}

static int bit_rshift(lua_State *L) {
  const uint32_t bits = to_bits(L, 1);
  return push_bits(L, bits >> (to_bits(L, 2) & 31));
}

static int bit_arshift(lua_State *L) {
  const uint32_t bits = to_bits(L, 1);
  return push_bits(L, (uint32_t)((int32_t)bits >> (to_bits(L, 2) & 31)));
}

static int bit_rol(lua_State *L) {
  const uint32_t bits = to_bits(L, 1);
  return push_bits(L, rotate(bits, to_bits(L, 2) & 31));
}

static int bit_ror(lua_State *L) {
  const uint32_t bits = to_bits(L, 1);
  return push_bits(L, rotate(bits, (32 - (to_bits(L, 2) & 31)) & 31));
}

static int bit_bswap(lua_State *L) { return push_bits(L, __builtin_bswap32(to_bits(L, 1))); }

/* The number of digits is negative for capitals. */
static int bit_tohex(lua_State *L) {
  uint32_t bits = to_bits(L, 1);
  int64_t count = lua_isnone(L, 2) ? 8 : (int32_t)to_bits(L, 2);
  const char *digits = count < 0 ? "0123456789ABCDEF" : "0123456789abcdef";
  char text[8];
  if (count < 0) count = -count;
  if (count > 8) count = 8;
  for (int64_t i = count; --i >= 0; bits >>= 4) text[i] = digits[bits & 15];
  lua_pushlstring(L, text, (size_t)count);
  return 1;
}

void script_open_bit(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"tobit", bit_tobit}, {"bnot", bit_bnot},     {"band", bit_band},     {"bor", bit_bor},
      {"bxor", bit_bxor},   {"lshift", bit_lshift}, {"rshift", bit_rshift}, {"arshift", bit_arshift},
      {"rol", bit_rol},     {"ror", bit_ror},       {"bswap", bit_bswap},   {"tohex", bit_tohex},
      {NULL, NULL}};
  lua_createtable(L, 0, 12);
  script_set_functions(L, functions);
  lua_setglobal(L, "bit");
}
