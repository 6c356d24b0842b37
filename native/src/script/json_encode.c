/* cjson.encode. */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "json.h"

typedef struct encoder {
  lua_State *L;
  const json_settings *settings;
  script_buffer *out;
} encoder;

static void put_value(encoder *to, int depth);

static _Noreturn void refuse(const encoder *to, int index, const char *reason) {
  (void)luaL_error(to->L, "Cannot serialise %s: %s", lua_typename(to->L, lua_type(to->L, index)), reason);
  __builtin_unreachable();
}

/* The letter behind the backslash: 'u' for a code, 0 for what stands as it is. */
static char escape_of(unsigned char byte) {
  switch (byte) {
    case '"':
    case '\\':
    case '/':
      return (char)byte;
    case '\b':
      return 'b';
    case '\t':
      return 't';
    case '\n':
      return 'n';
    case '\f':
      return 'f';
    case '\r':
      return 'r';
    default:
      return byte < 32 || byte == 127 ? 'u' : '\0';
  }
}

static void put_escape(encoder *to, unsigned char byte, char escape) {
  static const char digits[] = "0123456789abcdef";
  const char code[] = {'\\', escape, '0', '0', digits[byte >> 4], digits[byte & 15]};
  script_buffer_append(to->L, to->out, code, escape == 'u' ? 6 : 2);
}

static void put_string(encoder *to, int index) {
  size_t length = 0;
  const char *text = lua_tolstring(to->L, index, &length);
  const char *end = text + length;
  script_buffer_put(to->L, to->out, '"');
  while (text < end) {
    const char *plain = text;
    char escape = '\0';
    while (text < end && (escape = escape_of((unsigned char)*text)) == '\0') text++;
    script_buffer_append(to->L, to->out, plain, (size_t)(text - plain));
    if (text < end) put_escape(to, (unsigned char)*text++, escape);
  }
  script_buffer_put(to->L, to->out, '"');
}

static void put_number(encoder *to, int index) {
  const double number = lua_tonumber(to->L, index);
  if (isinf(number) || isnan(number)) {
    if (to->settings->encode_invalid == 0) refuse(to, index, "must not be NaN or Inf");
    if (to->settings->encode_invalid == 2) {
      script_buffer_literal(to->L, to->out, "null");
      return;
    }
    if (isnan(number)) {
      script_buffer_literal(to->L, to->out, "nan");
      return;
    }
  }
  script_buffer_reserve(to->L, to->out, SCRIPT_NUMBER_SIZE);
  char *at = to->out->data + to->out->length;
  const bool is_short = number > -10000 && number < 10000 && to->settings->precision >= 4;
  const bool is_long = number > -1e14 && number < 1e14 && to->settings->precision == 14;
  if ((is_short || is_long) && number != 0 && (double)(int64_t)number == number) {
    to->out->length += script_format_integer(at, (int64_t)number);
  } else {
    const int length = snprintf(at, SCRIPT_NUMBER_SIZE, "%.*g", to->settings->precision, number);
    to->out->length += (size_t)length;
  }
}

/* The highest index of an array on top; below 1 for what is written as an object. */
static int array_length(encoder *to) {
  lua_State *L = to->L;
  const json_settings *settings = to->settings;
  int last = 0;
  int64_t count = 0;
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    const double key = lua_type(L, -2) == LUA_TNUMBER ? lua_tonumber(L, -2) : 0;
    if (!(key >= 1 && floor(key) == key)) {
      lua_pop(L, 2);
      return -1;
    }
    lua_pop(L, 1);
    if (key > last) last = key > INT_MAX ? INT_MIN : (int)key;
    count++;
  }
  if (settings->sparse_ratio > 0 && last > count * settings->sparse_ratio && last > settings->sparse_safe) {
    if (!settings->sparse_convert) refuse(to, -1, "excessively sparse array");
    return -1;
  }
  return last;
}

static void put_array(encoder *to, int depth, int length) {
  script_buffer_put(to->L, to->out, '[');
  for (int i = 1; i <= length; i++) {
    if (i > 1) script_buffer_put(to->L, to->out, ',');
    lua_rawgeti(to->L, -1, i);
    put_value(to, depth);
    lua_pop(to->L, 1);
  }
  script_buffer_put(to->L, to->out, ']');
}

static void put_object(encoder *to, int depth) {
  lua_State *L = to->L;
  bool is_first = true;
  script_buffer_put(L, to->out, '{');
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    if (!is_first) script_buffer_put(L, to->out, ',');
    is_first = false;
    const int type = lua_type(L, -2);
    if (type == LUA_TNUMBER) {
      script_buffer_put(L, to->out, '"');
      put_number(to, -2);
      script_buffer_literal(L, to->out, "\":");
    } else if (type == LUA_TSTRING) {
      put_string(to, -2);
      script_buffer_put(L, to->out, ':');
    } else {
      refuse(to, -2, "table key must be a number or string");
    }
    put_value(to, depth);
    lua_pop(L, 1);
  }
  script_buffer_put(L, to->out, '}');
}

static void put_table(encoder *to, int depth) {
  if (depth > to->settings->encode_depth || depth > JSON_DEPTH_MAX || !lua_checkstack(to->L, 3)) {
    luaL_error(to->L, "Cannot serialise, excessive nesting (%d)", depth);
  }
  const int length = array_length(to);
  if (length > 0) {
    put_array(to, depth, length);
  } else {
    put_object(to, depth);
  }
}

/* The value on top, which stays. */
static void put_value(encoder *to, int depth) {
  lua_State *L = to->L;
  script_work_or_raise(L, 1);
  switch (lua_type(L, -1)) {
    case LUA_TSTRING:
      put_string(to, -1);
      return;
    case LUA_TNUMBER:
      put_number(to, -1);
      return;
    case LUA_TBOOLEAN:
      if (lua_toboolean(L, -1)) {
        script_buffer_literal(L, to->out, "true");
      } else {
        script_buffer_literal(L, to->out, "false");
      }
      return;
    case LUA_TTABLE:
      put_table(to, depth + 1);
      return;
    case LUA_TLIGHTUSERDATA:
      if (lua_touserdata(L, -1) != NULL) refuse(to, -1, "type not supported");
      __attribute__((fallthrough));
    case LUA_TNIL:
      script_buffer_literal(L, to->out, "null");
      return;
    default:
      refuse(to, -1, "type not supported");
  }
}

int json_encode(lua_State *L) {
  luaL_argcheck(L, lua_gettop(L) == 1, 1, "expected 1 argument");
  encoder to = {L, json_settings_of(L), &script_of(L)->scratch};
  const size_t start = to.out->length;
  put_value(&to, 0);
  lua_pushlstring(L, to.out->data + start, to.out->length - start);
  to.out->length = start;
  return 1;
}
