/*
 * A script's result as RESP. Tables nest as deep as Lua's stack has slots, too deep for the stack of a thread: what is
 * being written lies in frames of the state's.
 */
#include <math.h>

#include "state.h"

/* Of the fields that make a table a special one, in the order in which they are looked for: upvalues of the writer. */
static const char *const names[] = {"err", "ok", "double", "big_number", "verbatim_string", "map", "set"};

enum { NAME_ERR = 1, NAME_OK, NAME_DOUBLE, NAME_BIG_NUMBER, NAME_VERBATIM, NAME_MAP, NAME_SET, NAME_COUNT = NAME_SET };

/* Stack of a frame: an array its table; a map its inner table and the key, and its value while the key is written; a
 * set the same without value. */
enum { FRAME_ARRAY, FRAME_MAP, FRAME_MAP_VALUE, FRAME_SET };

typedef struct writer {
  lua_State *L;
  strata_script *script;
  script_buffer *out;
  int depth; /* frames */
} writer;

static void put_header(writer *to, char type, int64_t number) {
  script_buffer_reserve(to->L, to->out, SCRIPT_NUMBER_SIZE + 3);
  char *at = to->out->data + to->out->length;
  *at++ = type;
  if (number >= 0 && number < 10) {
    *at++ = (char)('0' + number);
  } else {
    at += script_format_integer(at, number);
  }
  *at++ = '\r';
  *at++ = '\n';
  to->out->length = (size_t)(at - to->out->data);
}

static void put_bulk(writer *to, const char *data, size_t length) {
  put_header(to, '$', (int64_t)length);
  script_buffer_append(to->L, to->out, data, length);
  script_buffer_literal(to->L, to->out, "\r\n");
}

/* A line: what would end it becomes blanks. */
static void put_line(writer *to, char type, const char *text, size_t length) {
  script_buffer_reserve(to->L, to->out, length + 3);
  char *at = to->out->data + to->out->length;
  *at++ = type;
  for (size_t i = 0; i < length; i++) *at++ = (char)(text[i] == '\r' || text[i] == '\n' ? ' ' : text[i]);
  *at++ = '\r';
  *at++ = '\n';
  to->out->length += length + 3;
}

static void put_null(writer *to) {
  if (to->script->protocol == 2) {
    script_buffer_literal(to->L, to->out, "$-1\r\n");
  } else {
    script_buffer_literal(to->L, to->out, "_\r\n");
  }
}

static void put_boolean(writer *to, bool value) {
  const bool is_resp2 = to->script->protocol == 2;
  if (to->script->resp == 2) {
    if (value) {
      script_buffer_literal(to->L, to->out, ":1\r\n");
    } else {
      put_null(to);
    }
    return;
  }
  script_buffer_append(to->L, to->out, is_resp2 ? (value ? ":1\r\n" : ":0\r\n") : (value ? "#t\r\n" : "#f\r\n"), 4);
}

/* What a conversion of C gives on x86-64 for what does not fit, everywhere. */
static int64_t truncate_number(double value) {
  return value >= -9223372036854775808.0 && value < 9223372036854775808.0 ? (int64_t)value : INT64_MIN;
}

static void put_double(writer *to, double value) {
  char text[SCRIPT_NUMBER_SIZE] = "nan";
  size_t length = 3;
  if (value == 0 && signbit(value)) {
    length = script_format_double(text, value);
  } else if (!isnan(value)) {
    length = script_format_number(text, value);
  }
  if (to->script->protocol == 2) {
    put_bulk(to, text, length);
  } else {
    put_line(to, ',', text, length);
  }
}

static void put_verbatim(writer *to, const char *format, const char *text, size_t length) {
  if (to->script->protocol == 2) {
    put_bulk(to, text, length);
    return;
  }
  put_header(to, '=', (int64_t)length + 4);
  char name[4] = {' ', ' ', ' ', ':'};
  for (int i = 0; i < 3 && format[i] != '\0'; i++) name[i] = format[i];
  script_buffer_append(to->L, to->out, name, sizeof(name));
  script_buffer_append(to->L, to->out, text, length);
  script_buffer_literal(to->L, to->out, "\r\n");
}

static void put_big_number(writer *to) {
  size_t length = 0;
  const char *text = lua_tolstring(to->L, -1, &length);
  if (to->script->protocol == 3) {
    put_line(to, '(', text, length);
    return;
  }
  put_header(to, '$', (int64_t)length);
  const size_t start = to->out->length;
  script_buffer_append(to->L, to->out, text, length);
  for (char *at = to->out->data + start; at < to->out->data + start + length; at++) {
    if (*at == '\r' || *at == '\n') *at = ' ';
  }
  script_buffer_literal(to->L, to->out, "\r\n");
}

/* Pushes a field of the table on top; whether it has the type. */
static bool get_field(writer *to, int name, int type) {
  lua_pushvalue(to->L, lua_upvalueindex(name));
  lua_rawget(to->L, -2);
  if (lua_type(to->L, -1) == type) return true;
  lua_pop(to->L, 1);
  return false;
}

static void put_error(writer *to) {
  lua_State *L = to->L;
  const char *text = lua_tostring(L, -1);
  size_t length = strlen(text);
  while (length != 0 && (text[length - 1] == '\r' || text[length - 1] == '\n')) length--;
  put_line(to, '-', text, length);
  lua_pop(L, 1);
  if (to->depth != 0) return;
  lua_pushliteral(L, "ignore_error_stats_update");
  lua_rawget(L, -2);
  to->script->is_of_command = lua_isboolean(L, -1) && lua_toboolean(L, -1);
  lua_pop(L, 1);
}

static void push_frame(writer *to, int kind, int count) {
  strata_script *script = to->script;
  script->frames =
      script_grow(to->L, script->frames, &script->frame_capacity, (size_t)to->depth + 1, sizeof(reply_frame));
  script->frames[to->depth++] = (reply_frame){kind, 0, count};
}

static bool put_verbatim_table(writer *to) {
  lua_State *L = to->L;
  const int top = lua_gettop(L);
  lua_pushliteral(L, "format");
  lua_rawget(L, -2);
  lua_pushliteral(L, "string");
  lua_rawget(L, -3);
  if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TSTRING) {
    lua_settop(L, top - 1);
    return false;
  }
  size_t length = 0;
  const char *text = lua_tolstring(L, -1, &length);
  put_verbatim(to, lua_tostring(L, -2), text, length);
  lua_settop(L, top - 1);
  return true;
}

/* An inner table on top, whose entries follow; the outer one below it. */
static void begin_entries(writer *to, int kind) {
  lua_State *L = to->L;
  int count = 0;
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pop(L, 1);
    count++;
  }
  if (to->script->protocol == 3) {
    put_header(to, kind == FRAME_MAP ? '%' : '~', count);
  } else {
    put_header(to, '*', kind == FRAME_MAP ? 2 * (int64_t)count : count);
  }
  lua_pushnil(L);
  push_frame(to, kind, count);
}

static void begin_array(writer *to) {
  lua_State *L = to->L;
  int count = 0;
  for (;;) {
    lua_rawgeti(L, -1, count + 1);
    const bool is_end = lua_isnil(L, -1);
    lua_pop(L, 1);
    if (is_end) break;
    count++;
  }
  put_header(to, '*', count);
  push_frame(to, FRAME_ARRAY, count);
}

/* The table on top: a special one is written and popped, or a frame begins. */
static void begin_table(writer *to) {
  lua_State *L = to->L;
  if (get_field(to, NAME_ERR, LUA_TSTRING)) {
    put_error(to);
  } else if (get_field(to, NAME_OK, LUA_TSTRING)) {
    const char *text = lua_tostring(L, -1);
    put_line(to, '+', text, strlen(text));
    lua_pop(L, 1);
  } else if (get_field(to, NAME_DOUBLE, LUA_TNUMBER)) {
    put_double(to, lua_tonumber(L, -1));
    lua_pop(L, 1);
  } else if (get_field(to, NAME_BIG_NUMBER, LUA_TSTRING)) {
    put_big_number(to);
    lua_pop(L, 1);
  } else if (get_field(to, NAME_VERBATIM, LUA_TTABLE) && put_verbatim_table(to)) {
  } else if (get_field(to, NAME_MAP, LUA_TTABLE)) {
    begin_entries(to, FRAME_MAP);
    return;
  } else if (get_field(to, NAME_SET, LUA_TTABLE)) {
    begin_entries(to, FRAME_SET);
    return;
  } else {
    begin_array(to);
    return;
  }
  lua_pop(L, 1);
}

/* A value that is no table. */
static void put_scalar(writer *to, const script_value *value) {
  size_t length = 0;
  switch (value->type) {
    case LUA_TSTRING: {
      const char *text = script_text(value, &length);
      put_bulk(to, text, length);
      break;
    }
    case LUA_TBOOLEAN:
      put_boolean(to, value->as.boolean != 0);
      break;
    case LUA_TNUMBER:
      put_header(to, ':', truncate_number(value->as.number));
      break;
    default:
      put_null(to);
      break;
  }
}

static void put_value(writer *to) {
  lua_State *L = to->L;
  /* The protocol's own limit: four slots above what is being written; a script's result stands in slot 2 there. */
  if (lua_gettop(L) + 5 > SCRIPT_STACK_SLOTS || !lua_checkstack(L, 4)) {
    script_buffer_literal(L, to->out, "-ERR reached lua stack limit\r\n");
    lua_pop(L, 1);
    return;
  }
  const script_value *value = script_top(L) - 1;
  if (value->type == LUA_TTABLE) {
    begin_table(to);
    return;
  }
  put_scalar(to, value);
  lua_pop(L, 1);
}

/* Goes on with the innermost table: its next value, or its end. */
static void step(writer *to) {
  lua_State *L = to->L;
  reply_frame *frame = &to->script->frames[to->depth - 1];
  switch (frame->kind) {
    case FRAME_ARRAY:
      if (frame->index == frame->count) {
        lua_pop(L, 1);
        to->depth--;
        return;
      }
      lua_rawgeti(L, -1, ++frame->index);
      break;
    case FRAME_MAP_VALUE:
      frame->kind = FRAME_MAP;
      break; /* the value is on top */
    default:
      if (!lua_next(L, -2)) {
        lua_pop(L, 2);
        to->depth--;
        return;
      }
      if (frame->kind == FRAME_MAP) {
        frame->kind = FRAME_MAP_VALUE;
        lua_pushvalue(L, -2);
      } else {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
      }
      break;
  }
  put_value(to);
}

static writer writer_of(lua_State *L) {
  strata_script *script = script_of(L);
  return (writer){.L = L, .script = script, .out = &script->reply};
}

/* lua_CFunction: the same of any value. */
static int write_value(lua_State *L) {
  writer to = writer_of(L);
  put_value(&to);
  while (to.depth != 0) {
    if (script_work(to.script, 2)) script_raise_stop(L);
    step(&to);
  }
  return 0;
}

/* An array of values that are no tables. False: the table is something else, and nothing was written. */
static bool try_put_array(writer *to, const void *table) {
  if (script_field(table, TABLE_NODES) != to->script->empty_node) return false;
  const script_value *values = script_field(table, TABLE_ARRAY);
  const int size = script_array_size(table);
  int count = 0;
  for (; count < size && values[count].type != LUA_TNIL; count++) {
    if (values[count].type == LUA_TTABLE) return false;
    if (script_work(to->script, 1)) script_raise_stop(to->L);
  }
  put_header(to, '*', count);
  for (int i = 0; i < count; i++) {
    if (script_work(to->script, 1)) script_raise_stop(to->L);
    put_scalar(to, &values[i]);
  }
  return true;
}

void script_write_reply(lua_State *L) {
  const script_value *value = script_top(L) - 1;
  writer to = writer_of(L);
  if (value->type != LUA_TTABLE) {
    put_scalar(&to, value);
    lua_pop(L, 1);
  } else if (try_put_array(&to, value->as.object)) {
    lua_pop(L, 1);
  } else {
    lua_pushvalue(L, SLOT_WRITE);
    lua_insert(L, -2);
    lua_call(L, 1, 0);
  }
}

void script_open_writer(lua_State *L) {
  for (int i = 0; i < NAME_COUNT; i++) lua_pushstring(L, names[i]);
  lua_pushcclosure(L, write_value, NAME_COUNT);
  script_keep(L, SLOT_WRITE);
}
