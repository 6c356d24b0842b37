/*
 * cjson.decode. What it takes beyond JSON is what cjson takes: hexadecimal and infinite numbers unless that is switched
 * off, bytes that are no UTF-8, anything behind a zero byte.
 */
#include <stdlib.h>
#include <strings.h>

#include "json.h"

typedef enum token_type {
  TOKEN_OBJECT,
  TOKEN_OBJECT_END,
  TOKEN_ARRAY,
  TOKEN_ARRAY_END,
  TOKEN_STRING,
  TOKEN_NUMBER,
  TOKEN_BOOLEAN,
  TOKEN_NULL,
  TOKEN_COLON,
  TOKEN_COMMA,
  TOKEN_END,
  TOKEN_ERROR
} token_type;

typedef struct token {
  token_type type;
  size_t index;     /* where it begins */
  const char *text; /* of a string, or what is wrong */
  size_t length;
  double number;
  bool boolean;
} token;

typedef struct decoder {
  lua_State *L;
  const json_settings *settings;
  script_buffer *out; /* a string with escapes, from start on */
  size_t start;
  const char *data;
  const char *at;
  int depth;
} decoder;

static void push_value(decoder *in, const token *first);

static void set_error(decoder *in, token *token, const char *text) {
  token->type = TOKEN_ERROR;
  token->index = (size_t)(in->at - in->data);
  token->text = text;
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = (char)(c | 0x20);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Four digits; -1 where they are not. */
static int read_code(const char *at) {
  int code = 0;
  for (int i = 0; i < 4; i++) {
    const int digit = hex_digit(at[i]);
    if (digit < 0) return -1;
    code = code << 4 | digit;
  }
  return code;
}

static void append_utf8(decoder *in, int code) {
  char bytes[4];
  size_t length = 0;
  if (code <= 0x7F) {
    bytes[length++] = (char)code;
  } else if (code <= 0x7FF) {
    bytes[length++] = (char)(code >> 6 | 0xC0);
    bytes[length++] = (char)((code & 0x3F) | 0x80);
  } else if (code <= 0xFFFF) {
    bytes[length++] = (char)(code >> 12 | 0xE0);
    bytes[length++] = (char)((code >> 6 & 0x3F) | 0x80);
    bytes[length++] = (char)((code & 0x3F) | 0x80);
  } else {
    bytes[length++] = (char)(code >> 18 | 0xF0);
    bytes[length++] = (char)((code >> 12 & 0x3F) | 0x80);
    bytes[length++] = (char)((code >> 6 & 0x3F) | 0x80);
    bytes[length++] = (char)((code & 0x3F) | 0x80);
  }
  script_buffer_append(in->L, in->out, bytes, length);
}

/* A code at the backslash, or two that are surrogates. False: it is not valid. */
static bool read_unicode(decoder *in) {
  int code = read_code(in->at + 2);
  size_t length = 6;
  if (code < 0) return false;
  if ((code & 0xF800) == 0xD800) {
    const char *next = in->at + length;
    if ((code & 0x400) != 0 || next[0] != '\\' || next[1] != 'u') return false;
    const int low = read_code(next + 2);
    if (low < 0 || (low & 0xFC00) != 0xDC00) return false;
    code = ((code & 0x3FF) << 10 | (low & 0x3FF)) + 0x10000;
    length = 12;
  }
  append_utf8(in, code);
  in->at += length;
  return true;
}

static char unescape(char letter) {
  switch (letter) {
    case '"':
    case '\\':
    case '/':
      return letter;
    case 'b':
      return '\b';
    case 't':
      return '\t';
    case 'n':
      return '\n';
    case 'f':
      return '\f';
    case 'r':
      return '\r';
    default:
      return '\0';
  }
}

/* The escape at the backslash; what is wrong with it, or null. */
static const char *read_escape(decoder *in) {
  if (in->at[1] == 'u') return read_unicode(in) ? NULL : "invalid unicode escape code";
  const char byte = unescape(in->at[1]);
  if (byte == '\0') return "invalid escape code";
  script_buffer_put(in->L, in->out, byte);
  in->at += 2;
  return NULL;
}

/* A string without escapes is used where it stands. */
static void read_string(decoder *in, token *token) {
  const char *plain = ++in->at;
  in->out->length = in->start;
  for (;;) {
    in->at += strcspn(in->at, "\"\\");
    const size_t length = (size_t)(in->at - plain);
    if (*in->at == '"' && in->out->length == in->start) {
      token->text = plain;
      token->length = length;
      break;
    }
    script_buffer_append(in->L, in->out, plain, length);
    if (*in->at == '\0') {
      set_error(in, token, "unexpected end of string");
      return;
    }
    if (*in->at == '"') {
      token->text = in->out->data + in->start;
      token->length = in->out->length - in->start;
      break;
    }
    const char *error = read_escape(in);
    if (error != NULL) {
      set_error(in, token, error);
      return;
    }
    plain = in->at;
  }
  in->at++;
  token->type = TOKEN_STRING;
}

/* What strtod takes and JSON does not. */
static bool is_invalid_number(const char *at) {
  if (*at == '+') return true;
  if (*at == '-') at++;
  if (*at == '0') return (at[1] | 0x20) == 'x' || (at[1] >= '0' && at[1] <= '9');
  if (*at <= '9') return false;
  return strncasecmp(at, "inf", 3) == 0 || strncasecmp(at, "nan", 3) == 0;
}

/* Integers of up to 15 digits; the others are left to strtod. */
static bool read_short_integer(decoder *in, token *token) {
  const char *at = in->at;
  const bool negative = *at == '-';
  if (negative) at++;
  const char *first = at;
  int64_t number = 0;
  for (; *at >= '0' && *at <= '9'; at++) {
    if (at - first >= 15) return false;
    number = number * 10 + (*at - '0');
  }
  if (at == first || *at == '.' || (*at | 0x20) == 'e' || (*at | 0x20) == 'x') return false;
  token->number = negative ? -(double)number : (double)number;
  in->at = at;
  return true;
}

static void read_number(decoder *in, token *token) {
  token->type = TOKEN_NUMBER;
  if (read_short_integer(in, token)) return;
  char *end = NULL;
  token->number = strtod(in->at, &end);
  if (end == in->at) {
    set_error(in, token, "invalid number");
  } else {
    in->at = end;
  }
}

static void read_word(decoder *in, token *token) {
  static const struct {
    const char *text;
    size_t length;
    token_type type;
    bool boolean;
  } words[] = {{"true", 4, TOKEN_BOOLEAN, true}, {"false", 5, TOKEN_BOOLEAN, false}, {"null", 4, TOKEN_NULL, false}};
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
    if (strncmp(in->at, words[i].text, words[i].length) != 0) continue;
    token->type = words[i].type;
    token->boolean = words[i].boolean;
    in->at += words[i].length;
    return;
  }
  if (in->settings->decode_invalid && is_invalid_number(in->at)) {
    read_number(in, token);
  } else {
    set_error(in, token, "invalid token");
  }
}

static void read_single(decoder *in, token *token, token_type type) {
  token->type = type;
  if (type != TOKEN_END) in->at++;
}

static token next_token(decoder *in) {
  token token = {TOKEN_ERROR, 0, NULL, 0, 0, false};
  in->at += strspn(in->at, " \t\n\r");
  token.index = (size_t)(in->at - in->data);
  switch (*in->at) {
    case '{':
      read_single(in, &token, TOKEN_OBJECT);
      break;
    case '}':
      read_single(in, &token, TOKEN_OBJECT_END);
      break;
    case '[':
      read_single(in, &token, TOKEN_ARRAY);
      break;
    case ']':
      read_single(in, &token, TOKEN_ARRAY_END);
      break;
    case ',':
      read_single(in, &token, TOKEN_COMMA);
      break;
    case ':':
      read_single(in, &token, TOKEN_COLON);
      break;
    case '\0':
      read_single(in, &token, TOKEN_END);
      break;
    case '"':
      read_string(in, &token);
      break;
    default:
      if (*in->at != '-' && (*in->at < '0' || *in->at > '9')) {
        read_word(in, &token);
      } else if (!in->settings->decode_invalid && is_invalid_number(in->at)) {
        set_error(in, &token, "invalid number");
      } else {
        read_number(in, &token);
      }
      break;
  }
  return token;
}

static _Noreturn void refuse(decoder *in, const char *expected, const token *found) {
  static const char *const names[] = {"T_OBJ_BEGIN", "T_OBJ_END", "T_ARR_BEGIN", "T_ARR_END", "T_STRING", "T_NUMBER",
                                      "T_BOOLEAN",   "T_NULL",    "T_COLON",     "T_COMMA",   "T_END"};
  const char *name = found->type == TOKEN_ERROR ? found->text : names[found->type];
  (void)luaL_error(in->L, "Expected %s but found %s at character %d", expected, name, (int)found->index + 1);
  __builtin_unreachable();
}

static void descend(decoder *in, int slots) {
  in->depth++;
  if (in->depth > in->settings->decode_depth || in->depth > JSON_DEPTH_MAX || !lua_checkstack(in->L, slots)) {
    luaL_error(in->L, "Found too many nested data structures (%d) at character %d", in->depth,
               (int)(in->at - in->data));
  }
}

static void push_object(decoder *in) {
  lua_State *L = in->L;
  descend(in, 3);
  lua_newtable(L);
  token token = next_token(in);
  while (token.type != TOKEN_OBJECT_END) {
    if (token.type != TOKEN_STRING) refuse(in, "object key string", &token);
    lua_pushlstring(L, token.text, token.length);
    token = next_token(in);
    if (token.type != TOKEN_COLON) refuse(in, "colon", &token);
    token = next_token(in);
    push_value(in, &token);
    lua_rawset(L, -3);
    token = next_token(in);
    if (token.type == TOKEN_OBJECT_END) break;
    if (token.type != TOKEN_COMMA) refuse(in, "comma or object end", &token);
    token = next_token(in);
    if (token.type == TOKEN_OBJECT_END) refuse(in, "object key string", &token);
  }
  in->depth--;
}

static void push_array(decoder *in) {
  lua_State *L = in->L;
  descend(in, 2);
  lua_newtable(L);
  token token = next_token(in);
  for (int i = 1; i != 1 || token.type != TOKEN_ARRAY_END; i++) {
    push_value(in, &token);
    lua_rawseti(L, -2, i);
    token = next_token(in);
    if (token.type == TOKEN_ARRAY_END) break;
    if (token.type != TOKEN_COMMA) refuse(in, "comma or array end", &token);
    token = next_token(in);
  }
  in->depth--;
}

static void push_value(decoder *in, const token *first) {
  lua_State *L = in->L;
  script_work_or_raise(L, 1);
  switch (first->type) {
    case TOKEN_STRING:
      lua_pushlstring(L, first->text, first->length);
      return;
    case TOKEN_NUMBER:
      lua_pushnumber(L, first->number);
      return;
    case TOKEN_BOOLEAN:
      lua_pushboolean(L, first->boolean);
      return;
    case TOKEN_OBJECT:
      push_object(in);
      return;
    case TOKEN_ARRAY:
      push_array(in);
      return;
    case TOKEN_NULL:
      lua_pushlightuserdata(L, NULL); /* a nil would take its key out of the table */
      return;
    default:
      refuse(in, "value", first);
  }
}

int json_decode(lua_State *L) {
  size_t length = 0;
  luaL_argcheck(L, lua_gettop(L) == 1, 1, "expected 1 argument");
  const char *data = luaL_checklstring(L, 1, &length);
  script_buffer *out = &script_of(L)->scratch;
  decoder in = {L, json_settings_of(L), out, out->length, data, data, 0};
  if (length >= 2 && (data[0] == '\0' || data[1] == '\0')) {
    return luaL_error(L, "JSON parser does not support UTF-16 or UTF-32");
  }
  script_buffer_reserve(L, out, 1); /* an address, also of an empty string */
  token token = next_token(&in);
  push_value(&in, &token);
  token = next_token(&in);
  if (token.type != TOKEN_END) refuse(&in, "the end", &token);
  out->length = in.start;
  return 1;
}
