/* Replies of commands, as values of Lua. The host wrote them; nothing is read outside of them all the same. */
#include <stdlib.h>

#include "state.h"

enum { DEPTH_MAX = 128 };

typedef struct reader {
  lua_State *L;
  const char *at;
  const char *end;
  int depth;
  bool skipping; /* an attribute: nothing is pushed */
} reader;

static void read_value(reader *in);

static _Noreturn void refuse(const reader *in) {
  script_push_error(in->L, "a command's reply is not valid RESP");
  (void)lua_error(in->L);
  __builtin_unreachable();
}

/* The rest of the line behind its first byte; goes on behind its end. */
static const char *read_line(reader *in, size_t *length) {
  const char *line = in->at + 1;
  const char *end = memchr(line, '\r', (size_t)(in->end - line));
  if (end == NULL || end + 1 >= in->end || end[1] != '\n') refuse(in);
  *length = (size_t)(end - line);
  in->at = end + 2;
  return line;
}

static int64_t read_integer(reader *in) {
  size_t length = 0;
  const char *text = read_line(in, &length);
  const bool negative = length != 0 && *text == '-';
  size_t i = negative || (length != 0 && *text == '+') ? 1 : 0;
  if (i == length || length - i > 19) refuse(in);
  uint64_t value = 0;
  for (; i < length; i++) {
    const unsigned digit = (unsigned)(text[i] - '0');
    if (digit > 9) refuse(in);
    value = value * 10 + digit;
  }
  return (int64_t)(negative ? 0 - value : value);
}

static int64_t read_count(reader *in, int per_element) {
  const int64_t count = read_integer(in);
  /* An element has 3 bytes at least: no table is made larger than its elements. */
  if (count < -1 || count * per_element > (in->end - in->at) / 3) refuse(in);
  return count;
}

static const char *read_bulk(reader *in, int64_t *length) {
  *length = read_integer(in);
  if (*length < 0) return NULL;
  if (*length > in->end - in->at - 2 || memcmp(in->at + *length, "\r\n", 2) != 0) refuse(in);
  const char *data = in->at;
  in->at += *length + 2;
  return data;
}

static void set_text(reader *in, const char *name, const char *text, size_t length) {
  if (in->skipping) return;
  lua_createtable(in->L, 0, 1);
  lua_pushstring(in->L, name);
  lua_pushlstring(in->L, text, length);
  lua_rawset(in->L, -3);
}

static void read_error(reader *in) {
  const char *start = in->at;
  size_t length = 0;
  (void)read_line(in, &length);
  if (in->skipping) return;
  script_push_error_line(in->L, start, length + 1);
  lua_pushliteral(in->L, "ignore_error_stats_update");
  lua_pushboolean(in->L, 1);
  lua_rawset(in->L, -3);
}

static void read_array(reader *in) {
  lua_State *L = in->L;
  const int64_t count = read_count(in, 1);
  if (in->skipping) {
    for (int64_t i = 0; i < count; i++) read_value(in);
    return;
  }
  if (count < 0) {
    lua_pushboolean(L, 0);
    return;
  }
  /* RESP3 has nils in arrays, for which the length that Lua finds depends on how the table has grown. */
  lua_createtable(L, script_of(L)->resp == 2 ? (int)count : 0, 0);
  for (int64_t i = 0; i < count; i++) {
    read_value(in);
    lua_rawseti(L, -2, (int)i + 1);
  }
}

static void read_map(reader *in) {
  lua_State *L = in->L;
  const int64_t count = read_count(in, 2);
  if (!in->skipping) {
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "map");
    lua_newtable(L);
  }
  for (int64_t i = 0; i < count; i++) {
    read_value(in);
    read_value(in);
    if (!in->skipping) lua_rawset(L, -3);
  }
  if (!in->skipping) lua_rawset(L, -3);
}

static void read_set(reader *in) {
  lua_State *L = in->L;
  const int64_t count = read_count(in, 1);
  if (!in->skipping) {
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "set");
    lua_newtable(L);
  }
  for (int64_t i = 0; i < count; i++) {
    read_value(in);
    if (in->skipping) continue;
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
  }
  if (!in->skipping) lua_rawset(L, -3);
}

static void read_attribute(reader *in) {
  const bool outer = in->skipping;
  const int64_t count = read_count(in, 2);
  in->skipping = true;
  for (int64_t i = 0; i < 2 * count; i++) read_value(in);
  in->skipping = outer;
  read_value(in);
}

static void read_verbatim(reader *in) {
  lua_State *L = in->L;
  int64_t length = 0;
  const char *data = read_bulk(in, &length);
  if (data == NULL || length < 4) refuse(in);
  if (in->skipping) return;
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "verbatim_string");
  lua_createtable(L, 0, 2);
  lua_pushliteral(L, "string");
  lua_pushlstring(L, data + 4, (size_t)length - 4);
  lua_rawset(L, -3);
  lua_pushliteral(L, "format");
  lua_pushlstring(L, data, 3);
  lua_rawset(L, -3);
  lua_rawset(L, -3);
}

static void read_double(reader *in) {
  size_t length = 0;
  char text[64];
  const char *line = read_line(in, &length);
  if (in->skipping) return;
  if (length >= sizeof(text)) refuse(in);
  memcpy(text, line, length);
  text[length] = '\0';
  lua_createtable(in->L, 0, 1);
  lua_pushliteral(in->L, "double");
  lua_pushnumber(in->L, strtod(text, NULL));
  lua_rawset(in->L, -3);
}

static void read_scalar(reader *in) {
  lua_State *L = in->L;
  size_t length = 0;
  const char type = *in->at;
  const char *text = NULL;
  if (type == ':') {
    const int64_t value = read_integer(in);
    if (!in->skipping) lua_pushnumber(L, (lua_Number)value);
    return;
  }
  text = read_line(in, &length);
  switch (type) {
    case '+':
      set_text(in, "ok", text, length);
      return;
    case '(':
      set_text(in, "big_number", text, length);
      return;
    case '_':
      if (!in->skipping) lua_pushnil(L);
      return;
    case '#':
      if (!in->skipping) lua_pushboolean(L, length != 0 && *text == 't');
      return;
    default:
      refuse(in);
  }
}

static void read_value(reader *in) {
  lua_State *L = in->L;
  if (in->at >= in->end || ++in->depth > DEPTH_MAX || !lua_checkstack(L, 8)) refuse(in);
  switch (*in->at) {
    case '$': {
      int64_t length = 0;
      const char *data = read_bulk(in, &length);
      if (in->skipping) break;
      if (data == NULL) {
        lua_pushboolean(L, 0);
      } else {
        lua_pushlstring(L, data, (size_t)length);
      }
      break;
    }
    case '-':
      read_error(in);
      break;
    case '*':
      read_array(in);
      break;
    case '%':
      read_map(in);
      break;
    case '~':
      read_set(in);
      break;
    case '|':
      read_attribute(in);
      break;
    case '=':
      read_verbatim(in);
      break;
    case ',':
      read_double(in);
      break;
    default:
      read_scalar(in);
      break;
  }
  in->depth--;
}

void script_read_reply(lua_State *L, const uint8_t *data, int64_t length) {
  const int top = lua_gettop(L);
  reader in = {.L = L, .at = (const char *)data, .end = (const char *)data + (length < 0 ? 0 : length)};
  if (data == NULL) refuse(&in);
  read_value(&in);
  if (in.at != in.end || lua_gettop(L) != top + 1) refuse(&in);
}

/* A number without sign at the beginning of a line; null when it is anything else, or longer than 15 digits. */
static const char *read_digits(const char *at, const char *end, int64_t *value) {
  const char *start = at;
  for (*value = 0; at < end && at - start < 16; at++) {
    const unsigned digit = (unsigned)(*at - '0');
    if (digit > 9) break;
    *value = *value * 10 + digit;
  }
  return at == start || at - start > 15 || end - at < 2 || at[0] != '\r' || at[1] != '\n' ? NULL : at + 2;
}

bool script_read_scalar(lua_State *L, const strata_bytes *reply) {
  int64_t value = 0;
  if (reply->length < 4) return false;
  const char *data = (const char *)reply->data;
  const char *end = data + reply->length;
  const char *rest = read_digits(data + 1, end, &value);
  if (rest == NULL) return false;
  if (*data == ':' && rest == end) {
    lua_pushnumber(L, (lua_Number)value);
    return true;
  }
  if (*data != '$' || end - rest != value + 2 || end[-2] != '\r' || end[-1] != '\n') return false;
  lua_pushlstring(L, rest, (size_t)value);
  return true;
}
