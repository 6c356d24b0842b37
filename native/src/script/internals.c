/*
 * What Redis's Lua has and the distributions' has not, done around the archive: the linker leads Lua's calls of these
 * functions here (--wrap), and the few structures' fields that are needed are checked when a state is opened.
 *
 * A read-only table is marked by bit 7 of Table.flags. Lua uses bits 0 to 4 of it as a cache of absent metamethods, and
 * clears all of them only behind luaH_set, which a marked table does not get through.
 */
#include "state.h"

enum { FLAG_READONLY = 0x80, EVENT_GC = 2 };

typedef struct lua_TValue TValue;
typedef struct Table Table;
typedef struct Zio Zio;
typedef struct Mbuffer Mbuffer;

void luaG_runerror(lua_State *L, const char *format, ...);
void luaD_throw(lua_State *L, int status);
int luaD_pcall(lua_State *L, void (*function)(lua_State *L, void *owner), void *owner, ptrdiff_t top,
               ptrdiff_t handler);
void *luaY_parser(lua_State *L, Zio *zio, Mbuffer *buffer, const char *name);

TValue *__real_luaH_set(lua_State *L, Table *table, const TValue *key);
TValue *__wrap_luaH_set(lua_State *L, Table *table, const TValue *key);
TValue *__real_luaH_setnum(lua_State *L, Table *table, int key);
TValue *__wrap_luaH_setnum(lua_State *L, Table *table, int key);
Table *__real_luaH_new(lua_State *L, int array, int hash);
Table *__wrap_luaH_new(lua_State *L, int array, int hash);
const TValue *__real_luaT_gettm(Table *events, int event, void *name);
const TValue *__wrap_luaT_gettm(Table *events, int event, void *name);
int __real_luaV_lessthan(lua_State *L, const TValue *left, const TValue *right);
int __wrap_luaV_lessthan(lua_State *L, const TValue *left, const TValue *right);
void __real_luaD_call(lua_State *L, TValue *function, int results);
void __wrap_luaD_call(lua_State *L, TValue *function, int results);
void *__wrap_luaU_undump(lua_State *L, Zio *zio, Mbuffer *buffer, const char *name);
int __wrap_strcoll(const char *left, const char *right);
int __real_luaD_precall(lua_State *L, TValue *function, int results);
int __wrap_luaD_precall(lua_State *L, TValue *function, int results);
int __real_luaH_next(lua_State *L, Table *table, TValue *key);
int __wrap_luaH_next(lua_State *L, Table *table, TValue *key);
int __real_luaO_str2d(const char *text, lua_Number *number);
int __wrap_luaO_str2d(const char *text, lua_Number *number);

/* The archive refers to the C library's streams as if it were a program's; nothing that uses them is reachable. */
__attribute__((visibility("hidden"))) void *strata_script_no_stream;

/* The state that runs on this thread: strcoll has none at hand to count its work with. Between two runs nobody asks. */
static _Thread_local strata_script *current;

static uint8_t *table_field(const void *table, int offset) { return (uint8_t *)(uintptr_t)table + offset; }

static void refuse_readonly(lua_State *L, const Table *table) {
  if ((*table_field(table, TABLE_FLAGS) & FLAG_READONLY) != 0) {
    luaG_runerror(L, "Attempt to modify a readonly table");
  }
}

TValue *__wrap_luaH_set(lua_State *L, Table *table, const TValue *key) {
  refuse_readonly(L, table);
  return __real_luaH_set(L, table, key);
}

TValue *__wrap_luaH_setnum(lua_State *L, Table *table, int key) {
  refuse_readonly(L, table);
  /* table.insert and table.remove shift by it as far as they are told, without an instruction of Lua's. */
  script_work_or_raise(L, 1);
  return __real_luaH_setnum(L, table, key);
}

Table *__wrap_luaH_new(lua_State *L, int array, int hash) {
  Table *table = __real_luaH_new(L, array, hash);
  /* Lua begins with all bits set: nothing is in the table yet. */
  *table_field(table, TABLE_FLAGS) &= (uint8_t)~FLAG_READONLY;
  return table;
}

/* Nobody could stop a finalizer (Lua runs them without hooks), and nothing here needs one. */
const TValue *__wrap_luaT_gettm(Table *events, int event, void *name) {
  return event == EVENT_GC ? NULL : __real_luaT_gettm(events, event, name);
}

/* Reached by lua_lessthan only, which is table.sort: quadratic for some tables, without an instruction of Lua's. */
int __wrap_luaV_lessthan(lua_State *L, const TValue *left, const TValue *right) {
  script_work_or_raise(L, 5);
  return __real_luaV_lessthan(L, left, right);
}

/* What is not Lua's may look at each byte of each string it is given, as often as a thousand times until Lua next looks
 * at the budget. */
static size_t work_of_arguments(lua_State *L, const TValue *called) {
  const script_value *function = (const script_value *)called;
  const script_value *end = script_top(L);
  size_t bytes = 0;
  if (function->type == LUA_TFUNCTION && *((const uint8_t *)function->as.object + FUNCTION_IS_C) == 0) return 0;
  for (const script_value *value = function + 1; value < end; value++) {
    size_t length = 0;
    if (value->type != LUA_TSTRING) continue;
    (void)script_text(value, &length);
    bytes += length;
  }
  return bytes / SCRIPT_BYTES_PER_UNIT;
}

/* Calls by Lua's instructions. */
int __wrap_luaD_precall(lua_State *L, TValue *function, int results) {
  const size_t work = work_of_arguments(L, function);
  if (work != 0) {
    /* The stack stays where it is: an interruption runs nothing of this state. */
    script_work_or_raise(L, work);
  }
  return __real_luaD_precall(L, function, results);
}

/* Calls from C to a function that may be C as well, as of table.sort. */
void __wrap_luaD_call(lua_State *L, TValue *function, int results) {
  script_work_or_raise(L, 5 + work_of_arguments(L, function));
  __real_luaD_call(L, function, results);
}

/* How far a walk through an array has come, by its key. */
static size_t place_in_array(const TValue *key, size_t size) {
  const script_value *value = (const script_value *)key;
  if (value->type == LUA_TNIL) return 0;
  return value->type == LUA_TNUMBER && value->as.number >= 1 && value->as.number <= (lua_Number)size
             ? (size_t)value->as.number
             : size;
}

/* One step of a walk is as long as the gap before the next entry, which may be all of a table. */
int __wrap_luaH_next(lua_State *L, Table *table, TValue *key) {
  const size_t size = (size_t)script_array_size(table);
  const size_t nodes = (size_t)1 << *table_field(table, TABLE_LOG_NODES);
  if (size + nodes <= 64) return __real_luaH_next(L, table, key);
  const size_t from = place_in_array(key, size);
  const bool is_first = ((const script_value *)key)->type == LUA_TNIL;
  script_work_or_raise(L, 1 + (is_first ? nodes / 4 : nodes / 1024));
  const int is_found = __real_luaH_next(L, table, key);
  const size_t to = is_found ? place_in_array(key, size) : size;
  if (to > from + 1) script_work_or_raise(L, (to - from) / 4);
  return is_found;
}

/* Digits, or the blanks around them. */
int __wrap_luaO_str2d(const char *text, lua_Number *number) {
  if (strnlen(text, SCRIPT_BYTES_PER_UNIT) == SCRIPT_BYTES_PER_UNIT) {
    (void)script_work(current, strlen(text) / SCRIPT_BYTES_PER_UNIT);
  }
  return __real_luaO_str2d(text, number);
}

/* Precompiled code can do anything to the process: what looks like it is parsed as text, and refused there. */
void *__wrap_luaU_undump(lua_State *L, Zio *zio, Mbuffer *buffer, const char *name) {
  return luaY_parser(L, zio, buffer, name);
}

/* Strings compare by bytes, whatever the locale is. */
int __wrap_strcoll(const char *left, const char *right) {
  (void)script_work(current, strlen(left) / SCRIPT_BYTES_PER_UNIT);
  return strcmp(left, right);
}

void script_set_current(strata_script *script) { current = script; }

void script_work_or_raise(lua_State *L, size_t units) {
  if (script_work(script_of(L), units)) script_raise_stop(L);
}

_Noreturn void script_raise_memory(lua_State *L) {
  luaD_throw(L, LUA_ERRMEM);
  __builtin_unreachable();
}

void script_set_readonly(lua_State *L, int index, bool readonly) {
  uint8_t *flags = table_field(lua_topointer(L, index), TABLE_FLAGS);
  *flags = (uint8_t)(readonly ? *flags | FLAG_READONLY : *flags & ~FLAG_READONLY);
}

bool script_is_readonly(lua_State *L, int index) {
  return (*table_field(lua_topointer(L, index), TABLE_FLAGS) & FLAG_READONLY) != 0;
}

bool script_is_plain_array(const strata_script *script, const void *table, int count) {
  return table != NULL && script_array_size(table) == count && script_field(table, TABLE_METATABLE) == NULL &&
         script_field(table, TABLE_NODES) == script->empty_node;
}

/* By the interface it would take a function of Lua's, which would have to be called. */
int script_protect(strata_script *script, void (*function)(lua_State *L, void *owner), int slots) {
  lua_State *L = script->main;
  const char *stack = script_field(L, STATE_STACK);
  const script_value *base = script_base(L);
  return luaD_pcall(L, function, script, (const char *)(base + slots) - stack,
                    (const char *)(base + SLOT_HANDLER - 1) - stack);
}

static int set_field(lua_State *L) {
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 1);
  lua_pushinteger(L, 2);
  lua_rawset(L, -3);
  return 0;
}

static int try_set(lua_State *L, int table) {
  lua_pushcfunction(L, set_field);
  lua_pushvalue(L, table);
  const int status = lua_pcall(L, 1, 0, 0);
  if (status != 0) lua_pop(L, 1);
  return status;
}

static bool is_plain(lua_State *L, int index, int count) {
  return script_is_plain_array(script_of(L), lua_topointer(L, index), count);
}

/* A plain array is told from what is not, or not any more. */
static bool check_array(lua_State *L) {
  const int top = lua_gettop(L);
  lua_newtable(L);
  script_of(L)->empty_node = script_field(lua_topointer(L, -1), TABLE_NODES);
  lua_createtable(L, 3, 0);
  bool good = is_plain(L, -2, 0) && is_plain(L, -1, 3) && !is_plain(L, -1, 2);
  lua_pushnumber(L, 42.5);
  lua_rawseti(L, -2, 2);
  const script_value *second = (const script_value *)script_field(lua_topointer(L, -1), TABLE_ARRAY) + 1;
  good = good && second->type == LUA_TNUMBER && second->as.number == 42.5;
  lua_newtable(L);
  lua_setmetatable(L, -2);
  good = good && !is_plain(L, -1, 3);
  lua_createtable(L, 3, 1);
  good = good && !is_plain(L, -1, 3);
  lua_settop(L, top);
  return good;
}

/* Values and strings on the stack, and a function's environment. */
static bool check_values(lua_State *L) {
  const int top = lua_gettop(L);
  size_t length = 0;
  if (luaL_loadstring(L, "") != 0) return false;
  const bool is_lua = *((const uint8_t *)lua_topointer(L, -1) + FUNCTION_IS_C) == 0;
  lua_pushliteral(L, "layout");
  lua_pushboolean(L, 1);
  lua_pushcfunction(L, set_field);
  lua_getfenv(L, -1);
  const script_value *values = script_top(L) - 4;
  const char *text = script_text(values, &length);
  const bool good = script_top(L) - script_base(L) == lua_gettop(L) && values[0].type == LUA_TSTRING &&
                    text == lua_tostring(L, -4) && length == 6 && values[1].type == LUA_TBOOLEAN &&
                    values[1].as.boolean == 1 && values[2].type == LUA_TFUNCTION && is_lua &&
                    *((const uint8_t *)values[2].as.object + FUNCTION_IS_C) == 1 &&
                    script_field(values[2].as.object, FUNCTION_ENVIRONMENT) == lua_topointer(L, -1);
  lua_settop(L, top);
  return good;
}

/* The global state lies behind the first thread's, in the same block; nothing outside of it is looked at, but for the
 * strings once all that fits. */
bool script_check_state(lua_State *L, const strata_script *script) {
  enum { THREAD_BYTES = 160, BLOCK_BYTES = 512 };
  const uintptr_t distance = (uintptr_t)script_field(L, STATE_GLOBAL) - (uintptr_t)L;
  return distance >= THREAD_BYTES && distance < BLOCK_BYTES && script_owner(L) == script && script_check_strings(L);
}

/* A table of known shape looks as expected, and the mark does what it should. */
bool script_check_layout(lua_State *L) {
  lua_createtable(L, 0, 16);
  const int table = lua_gettop(L);
  const void *address = lua_topointer(L, table);
  bool good = *table_field(address, TABLE_TYPE) == LUA_TTABLE && *table_field(address, TABLE_LOG_NODES) == 4 &&
              (*table_field(address, TABLE_FLAGS) & FLAG_READONLY) == 0;
  if (good) {
    script_set_readonly(L, table, true);
    good = try_set(L, table) == LUA_ERRRUN;
    script_set_readonly(L, table, false);
    good = good && try_set(L, table) == 0;
  }
  lua_settop(L, table - 1);
  return good && check_array(L) && check_values(L);
}
