/* struct: numbers and strings as bytes and back, by a format as struct 0.2 has it. */
#include <ctype.h>
#include <limits.h>
#include <math.h>

#include "state.h"

enum { INTEGER_SIZE_MAX = 32, ALIGNMENT_MAX = 8 };

typedef struct layout {
  const char *format; /* what is left of it */
  size_t align;
  bool is_big;
} layout;

static int read_number(lua_State *L, layout *at, int otherwise) {
  if (isdigit((unsigned char)*at->format) == 0) return otherwise;
  int number = 0;
  do {
    const int digit = *at->format - '0';
    if (number > (INT_MAX - digit) / 10) luaL_error(L, "integral size overflow");
    number = number * 10 + digit;
    at->format++;
  } while (isdigit((unsigned char)*at->format) != 0);
  return number;
}

/* The size that an option aligns to; 0 for those that do not. */
static size_t option_size(lua_State *L, char option, layout *at) {
  switch (option) {
    case 'B':
    case 'b':
    case 'x':
      return 1;
    case 'H':
    case 'h':
      return sizeof(short);
    case 'L':
    case 'l':
      return sizeof(long);
    case 'T':
      return sizeof(size_t);
    case 'f':
      return sizeof(float);
    case 'd':
      return sizeof(double);
    case 'c':
      return (size_t)read_number(L, at, 1);
    case 'I':
    case 'i': {
      const int size = read_number(L, at, sizeof(int));
      if (size > INTEGER_SIZE_MAX) {
        luaL_error(L, "integral size %d is larger than limit of %d", size, INTEGER_SIZE_MAX);
      }
      return (size_t)size;
    }
    default:
      return 0;
  }
}

static size_t padding(size_t position, const layout *at, char option, size_t size) {
  if (size == 0 || option == 'c') return 0;
  if (size > at->align) size = at->align;
  return (size - (position & (size - 1))) & (size - 1);
}

static void read_control(lua_State *L, char option, layout *at) {
  switch (option) {
    case ' ':
      return;
    case '>':
      at->is_big = true;
      return;
    case '<':
      at->is_big = false;
      return;
    case '!': {
      const int align = read_number(L, at, ALIGNMENT_MAX);
      if (align <= 0 || (align & (align - 1)) != 0) luaL_error(L, "alignment %d is not a power of 2", align);
      at->align = (size_t)align;
      return;
    }
    default:
      luaL_argerror(L, 1, lua_pushfstring(L, "invalid format option '%c'", option));
  }
}

static bool is_integer_option(char option) { return option != '\0' && strchr("bBhHlLTiI", option) != NULL; }

static bool is_big_machine(void) { return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__; }

/* What x86-64 makes of a number, also of one that does not fit. */
static uint64_t to_bits(double number) {
  if (isnan(number)) return UINT64_C(1) << 63;
  if (number < 0) return number >= -9223372036854775808.0 ? (uint64_t)(int64_t)number : UINT64_C(1) << 63;
  return number < 18446744073709551616.0 ? (uint64_t)number : 0;
}

static void put_integer(lua_State *L, script_buffer *out, double number, const layout *at, size_t size) {
  char bytes[INTEGER_SIZE_MAX];
  uint64_t bits = to_bits(number);
  for (size_t i = 0; i < size; i++, bits >>= 8) bytes[at->is_big ? size - 1 - i : i] = (char)(bits & 0xFF);
  script_buffer_append(L, out, bytes, size);
}

static void reverse_unless(char *bytes, size_t size, bool keep) {
  for (size_t i = 0; !keep && i < size / 2; i++) {
    const char byte = bytes[i];
    bytes[i] = bytes[size - 1 - i];
    bytes[size - 1 - i] = byte;
  }
}

static void put_float(lua_State *L, script_buffer *out, char option, double number, const layout *at) {
  char bytes[sizeof(double)];
  const float narrow = (float)number;
  const size_t size = option == 'f' ? sizeof(narrow) : sizeof(number);
  memcpy(bytes, option == 'f' ? (const void *)&narrow : &number, size);
  reverse_unless(bytes, size, at->is_big == is_big_machine());
  script_buffer_append(L, out, bytes, size);
}

/* Returns how many bytes it has put. */
static size_t put_string(lua_State *L, script_buffer *out, char option, int argument, size_t size) {
  size_t length = 0;
  const char *text = luaL_checklstring(L, argument, &length);
  if (size == 0) size = length;
  luaL_argcheck(L, length >= size, argument + 1, "string too short");
  script_buffer_append(L, out, text, size);
  if (option != 's') return size;
  script_buffer_put(L, out, '\0');
  return size + 1;
}

static int struct_pack(lua_State *L) {
  layout at = {luaL_checkstring(L, 1), 1, is_big_machine()};
  script_buffer *out = &script_of(L)->scratch;
  const size_t start = out->length;
  int argument = 2;
  lua_pushnil(L); /* what an argument that is missing counts as */
  while (*at.format != '\0') {
    const char option = *at.format++;
    const size_t size = option_size(L, option, &at);
    for (size_t pad = padding(out->length - start, &at, option, size); pad > 0; pad--) script_buffer_put(L, out, '\0');
    if (is_integer_option(option)) {
      put_integer(L, out, luaL_checknumber(L, argument++), &at, size);
    } else if (option == 'x') {
      script_buffer_put(L, out, '\0');
    } else if (option == 'f' || option == 'd') {
      put_float(L, out, option, luaL_checknumber(L, argument++), &at);
    } else if (option == 'c' || option == 's') {
      (void)put_string(L, out, option, argument++, size);
    } else {
      read_control(L, option, &at);
    }
  }
  lua_pushlstring(L, out->length == start ? "" : out->data + start, out->length - start);
  out->length = start;
  return 1;
}

static lua_Number read_integer(const char *data, const layout *at, bool is_signed, size_t size) {
  uint64_t bits = 0;
  for (size_t i = 0; i < size; i++) {
    bits = bits << 8 | (unsigned char)data[at->is_big ? i : size - 1 - i];
  }
  if (!is_signed) return (lua_Number)bits;
  const uint64_t sign = UINT64_MAX << ((size * 8 - 1) & 63);
  if ((bits & sign) != 0) bits |= sign;
  return (lua_Number)(int64_t)bits;
}

static lua_Number read_float(const char *data, const layout *at, char option) {
  char bytes[sizeof(double)];
  float narrow = 0;
  double number = 0;
  const size_t size = option == 'f' ? sizeof(narrow) : sizeof(number);
  memcpy(bytes, data, size);
  reverse_unless(bytes, size, at->is_big == is_big_machine());
  if (option == 'd') {
    memcpy(&number, bytes, size);
    return number;
  }
  memcpy(&narrow, bytes, size);
  return narrow;
}

static void check_room(lua_State *L, size_t length, size_t position, size_t size) {
  luaL_argcheck(L, size <= length && position <= length - size, 2, "data string too short");
}

/* Pushes a string; its size, or for c0 the one that the number before it tells, which is gone then. */
static size_t read_counted(lua_State *L, const char *data, size_t length, size_t position, size_t size, int *results) {
  if (size == 0) {
    if (*results == 0 || !lua_isnumber(L, -1)) luaL_error(L, "format 'c0' needs a previous size");
    size = (size_t)to_bits(lua_tonumber(L, -1));
    lua_pop(L, 1);
    (*results)--;
    check_room(L, length, position, size);
  }
  lua_pushlstring(L, data + position, size);
  return size;
}

static int struct_unpack(lua_State *L) {
  layout at = {luaL_checkstring(L, 1), 1, is_big_machine()};
  size_t length = 0;
  const char *data = luaL_checklstring(L, 2, &length);
  size_t position = (size_t)luaL_optinteger(L, 3, 1);
  int results = 0;
  luaL_argcheck(L, position > 0, 3, "offset must be 1 or greater");
  position--;
  while (*at.format != '\0') {
    const char option = *at.format++;
    size_t size = option_size(L, option, &at);
    position += padding(position, &at, option, size);
    check_room(L, length, position, size);
    luaL_checkstack(L, 2, "too many results");
    if (is_integer_option(option)) {
      lua_pushnumber(L, read_integer(data + position, &at, islower((unsigned char)option) != 0, size));
      results++;
    } else if (option == 'f' || option == 'd') {
      lua_pushnumber(L, read_float(data + position, &at, option));
      results++;
    } else if (option == 'c') {
      size = read_counted(L, data, length, position, size, &results);
      results++;
    } else if (option == 's') {
      const char *end = memchr(data + position, '\0', length - position);
      if (end == NULL) return luaL_error(L, "unfinished string in data");
      size = (size_t)(end - (data + position)) + 1;
      lua_pushlstring(L, data + position, size - 1);
      results++;
    } else if (option != 'x') {
      read_control(L, option, &at);
    }
    position += size;
  }
  lua_pushinteger(L, (lua_Integer)position + 1);
  return results + 1;
}

static int struct_size(lua_State *L) {
  layout at = {luaL_checkstring(L, 1), 1, is_big_machine()};
  size_t position = 0;
  while (*at.format != '\0') {
    const char option = *at.format++;
    const size_t size = option_size(L, option, &at);
    position += padding(position, &at, option, size);
    if (option == 's') return luaL_argerror(L, 1, "option 's' has no fixed size");
    if (option == 'c' && size == 0) return luaL_argerror(L, 1, "option 'c0' has no fixed size");
    if (isalnum((unsigned char)option) == 0) read_control(L, option, &at);
    position += size;
  }
  lua_pushinteger(L, (lua_Integer)position);
  return 1;
}

void script_open_struct(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"pack", struct_pack}, {"unpack", struct_unpack}, {"size", struct_size}, {NULL, NULL}};
  lua_createtable(L, 0, 4);
  script_set_functions(L, functions);
  lua_setglobal(L, "struct");
}
