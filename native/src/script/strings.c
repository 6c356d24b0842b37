/* The functions of the string library that can run long without an instruction of Lua's. */
#include <ctype.h>
#include <limits.h>

#include "pattern.h"

enum { ESCAPE = '%', FIND_STEP = 65536 };

static pattern_match start_match(lua_State *L, const char *subject, size_t length) {
  return (pattern_match){.L = L, .script = script_of(L), .start = subject, .end = subject + length};
}

static const char *find_plain(lua_State *L, const char *subject, size_t length, const char *wanted,
                              size_t wanted_length) {
  if (wanted_length == 0) return subject;
  const size_t step = wanted_length > FIND_STEP ? wanted_length : FIND_STEP;
  for (;; subject += step, length -= step) {
    const size_t piece = length < step + wanted_length - 1 ? length : step + wanted_length - 1;
    script_work_or_raise(L, piece / SCRIPT_BYTES_PER_UNIT);
    const char *found = memmem(subject, piece, wanted, wanted_length);
    if (found != NULL || piece == length) return found;
  }
}

/* Where a search begins, counted from 0. */
static size_t search_start(lua_State *L, int index, size_t length) {
  ptrdiff_t start = luaL_optinteger(L, index, 1);
  if (start < 0) start += (ptrdiff_t)length + 1;
  start--;
  if (start < 0) return 0;
  return (size_t)start > length ? length : (size_t)start;
}

static int push_found(lua_State *L, bool find, pattern_match *match, const char *from, const char *to) {
  if (!find) return pattern_push_captures(match, from, to);
  lua_pushinteger(L, from - match->start + 1);
  lua_pushinteger(L, to - match->start);
  return pattern_push_captures(match, NULL, NULL) + 2;
}

static int find(lua_State *L, bool find) {
  size_t length = 0;
  size_t pattern_length = 0;
  const char *subject = luaL_checklstring(L, 1, &length);
  const char *pattern = luaL_checklstring(L, 2, &pattern_length);
  const size_t start = search_start(L, 3, length);
  if (find && (lua_toboolean(L, 4) || strpbrk(pattern, "^$*+?.([%-") == NULL)) {
    const char *found = find_plain(L, subject + start, length - start, pattern, pattern_length);
    if (found == NULL) {
      lua_pushnil(L);
      return 1;
    }
    lua_pushinteger(L, found - subject + 1);
    lua_pushinteger(L, found - subject + (ptrdiff_t)pattern_length);
    return 2;
  }

  pattern_match match = start_match(L, subject, length);
  const bool anchored = *pattern == '^';
  if (anchored) pattern++;
  for (const char *from = subject + start; from <= match.end; from++) {
    const char *to = pattern_match_at(&match, from, pattern);
    if (to != NULL) return push_found(L, find, &match, from, to);
    if (anchored) break;
  }
  lua_pushnil(L);
  return 1;
}

static int string_find(lua_State *L) { return find(L, true); }

static int string_match(lua_State *L) { return find(L, false); }

/* Upvalues: subject, pattern, where to go on. */
static int next_match(lua_State *L) {
  size_t length = 0;
  const char *subject = lua_tolstring(L, lua_upvalueindex(1), &length);
  const char *pattern = lua_tostring(L, lua_upvalueindex(2));
  pattern_match match = start_match(L, subject, length);
  const char *from = subject + (size_t)lua_tointeger(L, lua_upvalueindex(3));
  for (; from <= match.end; from++) {
    const char *to = pattern_match_at(&match, from, pattern);
    if (to == NULL) continue;
    lua_pushinteger(L, to - subject + (to == from ? 1 : 0));
    lua_replace(L, lua_upvalueindex(3));
    return pattern_push_captures(&match, from, to);
  }
  return 0;
}

static int string_gmatch(lua_State *L) {
  (void)luaL_checkstring(L, 1);
  (void)luaL_checkstring(L, 2);
  lua_settop(L, 2);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_match, 3);
  return 1;
}

/* Takes the string or number on top. */
static void append_value(lua_State *L, script_buffer *out) {
  size_t length = 0;
  const char *text = lua_tolstring(L, -1, &length);
  script_buffer_append(L, out, text, length);
  lua_pop(L, 1);
}

static void append_template(pattern_match *match, script_buffer *out, const char *from, const char *to) {
  lua_State *L = match->L;
  size_t length = 0;
  const char *text = lua_tolstring(L, 3, &length);
  for (size_t i = 0; i < length; i++) {
    if (text[i] != ESCAPE) {
      script_buffer_put(L, out, text[i]);
      continue;
    }
    const char digit = text[++i]; /* the zero behind the text at its end */
    if (isdigit((unsigned char)digit) == 0) {
      script_buffer_put(L, out, digit);
    } else if (digit == '0') {
      script_buffer_append(L, out, from, (size_t)(to - from));
    } else {
      pattern_push_capture(match, digit - '1', from, to);
      append_value(L, out);
    }
  }
}

/* Nested substitutions, in the function called, use the buffer behind this one's part of it. */
static void append_replacement(pattern_match *match, script_buffer *out, const char *from, const char *to) {
  lua_State *L = match->L;
  const int type = lua_type(L, 3);
  const size_t end = out->length;
  if (type == LUA_TNUMBER || type == LUA_TSTRING) {
    append_template(match, out, from, to);
    return;
  }
  if (type == LUA_TFUNCTION) {
    lua_pushvalue(L, 3);
    lua_call(L, pattern_push_captures(match, from, to), 1);
  } else {
    pattern_push_capture(match, 0, from, to);
    lua_gettable(L, 3);
  }
  out->length = end;
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    script_buffer_append(L, out, from, (size_t)(to - from));
    return;
  }
  if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  append_value(L, out);
}

static void push_result(lua_State *L, script_buffer *out, size_t start) {
  const size_t length = out->length - start;
  lua_pushlstring(L, length == 0 ? "" : out->data + start, length);
  out->length = start;
}

static int string_gsub(lua_State *L) {
  size_t length = 0;
  const char *subject = luaL_checklstring(L, 1, &length);
  const char *pattern = luaL_checkstring(L, 2);
  const int type = lua_type(L, 3);
  const int most = luaL_optint(L, 4, length >= INT_MAX ? INT_MAX : (int)length + 1);
  const bool anchored = *pattern == '^';
  luaL_argcheck(L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE, 3,
                "string/function/table expected");
  if (anchored) pattern++;
  pattern_match match = start_match(L, subject, length);
  script_buffer *out = &match.script->scratch;
  const size_t start = out->length;
  const char *from = subject;
  int times = 0;
  while (times < most) {
    const char *to = pattern_match_at(&match, from, pattern);
    if (to != NULL) {
      times++;
      append_replacement(&match, out, from, to);
    }
    if (to != NULL && to > from) {
      from = to;
    } else if (from < match.end) {
      script_buffer_put(L, out, *from++);
    } else {
      break;
    }
    if (anchored) break;
  }
  script_buffer_append(L, out, from, (size_t)(match.end - from));
  push_result(L, out, start);
  lua_pushinteger(L, times);
  return 2;
}

static int string_rep(lua_State *L) {
  size_t length = 0;
  const char *text = luaL_checklstring(L, 1, &length);
  const int times = luaL_checkint(L, 2);
  if (times <= 0 || length == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  script_buffer *out = &script_of(L)->scratch;
  const size_t start = out->length;
  if (length > (size_t)INT32_MAX / (size_t)times) script_raise_memory(L);
  const size_t total = length * (size_t)times;
  script_buffer_reserve(L, out, total);
  char *at = out->data + start;
  memcpy(at, text, length);
  for (size_t done = length; done < total;) {
    const size_t piece = done < total - done ? done : total - done;
    memcpy(at + done, at, piece);
    done += piece;
  }
  out->length += total;
  push_result(L, out, start);
  return 1;
}

/* table.concat. Of empty strings it can join any number without the result's being long. */
static int table_concat(lua_State *L) {
  size_t separator_length = 0;
  const char *separator = luaL_optlstring(L, 2, "", &separator_length);
  luaL_checktype(L, 1, LUA_TTABLE);
  const int64_t first = luaL_optint(L, 3, 1);
  const int64_t last = lua_isnoneornil(L, 4) ? (int64_t)lua_objlen(L, 1) : luaL_checkint(L, 4);
  script_buffer *out = &script_of(L)->scratch;
  const size_t start = out->length;
  for (int64_t i = first; i <= last; i++) {
    script_work_or_raise(L, 1);
    lua_rawgeti(L, 1, (int)i);
    if (!lua_isstring(L, -1)) {
      return luaL_error(L, "invalid value (%s) at index %d in table for " LUA_QL("concat"), luaL_typename(L, -1),
                        (int)i);
    }
    append_value(L, out);
    if (i != last) script_buffer_append(L, out, separator, separator_length);
  }
  push_result(L, out, start);
  return 1;
}

void script_open_string(lua_State *L) {
  static const luaL_Reg functions[] = {{"find", string_find},
                                       {"match", string_match},
                                       {"gmatch", string_gmatch},
                                       {"gfind", string_gmatch},
                                       {"gsub", string_gsub},
                                       {"rep", string_rep},
                                       {NULL, NULL}};
  lua_getglobal(L, "string");
  script_set_functions(L, functions);
  lua_getglobal(L, LUA_TABLIBNAME);
  lua_pushcfunction(L, table_concat);
  lua_setfield(L, -2, "concat");
  lua_pop(L, 2);
}
