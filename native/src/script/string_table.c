/*
 * Long strings in Lua's table of all strings. Lua hashes 32 bytes of such a string, at even distances: those that
 * differ elsewhere, as a counter before much of the same does, all come to one list, which each new one is compared
 * with. Here the whole is hashed, with a key that nobody knows. Shorter strings, of which Lua takes each byte, are left
 * to it.
 */
#include <limits.h>
#include <sys/random.h>

#include "state.h"

typedef struct script_string {
  struct script_string *next;
  uint8_t type;
  uint8_t marked;
  uint8_t reserved;
  uint32_t hash;
  size_t length;
} script_string;

/* The first fields of the global state. */
typedef struct string_table {
  script_string **lists;
  uint32_t count;
  int32_t size;
} string_table;

_Static_assert(offsetof(script_string, length) == STRING_LENGTH && sizeof(script_string) == STRING_BYTES,
               "a string is as internals.h has it");

enum { LONG_LENGTH = 32, GLOBAL_WHITE = 32, WHITES = 3 };

__extension__ typedef unsigned __int128 product;

void *luaM_realloc_(lua_State *L, void *block, size_t old_size, size_t new_size);
void luaS_resize(lua_State *L, int size);
void *__real_luaS_newlstr(lua_State *L, const char *text, size_t length);
void *__wrap_luaS_newlstr(lua_State *L, const char *text, size_t length);

static string_table *table_of(lua_State *L) { return (string_table *)(uintptr_t)script_field(L, STATE_GLOBAL); }

static uint64_t read_word(const char *text) {
  uint64_t word = 0;
  memcpy(&word, text, sizeof(word));
  return word;
}

static uint64_t fold(uint64_t left, uint64_t right) {
  const product wide = (product)left * right;
  return (uint64_t)wide ^ (uint64_t)(wide >> 64);
}

/* Of 16 bytes and more. */
static uint32_t hash_long(const strata_script *script, const char *text, size_t length) {
  const uint64_t *key = script->string_key;
  uint64_t hash = key[0] ^ length;
  const char *last = text + length - 16;
  for (; text < last; text += 16) hash = fold(read_word(text) ^ hash, read_word(text + 8) ^ key[1]);
  hash = fold(read_word(last) ^ hash, read_word(last + 8) ^ key[1]);
  hash = fold(hash ^ key[0], key[1]);
  return (uint32_t)(hash ^ hash >> 32);
}

static script_string *add_long(lua_State *L, const char *text, size_t length, uint32_t hash) {
  if (length > PTRDIFF_MAX) script_raise_memory(L);
  script_string *string = luaM_realloc_(L, NULL, 0, sizeof(*string) + length + 1);
  string_table *table = table_of(L);
  script_string **list = &table->lists[hash & (uint32_t)(table->size - 1)];
  *string = (script_string){.next = *list,
                            .type = LUA_TSTRING,
                            .marked = *((const uint8_t *)table + GLOBAL_WHITE) & WHITES,
                            .hash = hash,
                            .length = length};
  char *bytes = (char *)string + STRING_BYTES;
  memcpy(bytes, text, length);
  bytes[length] = '\0';
  *list = string;
  table->count++;
  if (table->count > (uint32_t)table->size && table->size <= INT_MAX / 2) luaS_resize(L, table->size * 2);
  return string;
}

/* A string that is there already is compared to its end, and nothing is allocated, which would be counted. */
void *__wrap_luaS_newlstr(lua_State *L, const char *text, size_t length) {
  if (length < LONG_LENGTH) return __real_luaS_newlstr(L, text, length);
  strata_script *script = script_of(L);
  if (length > 1024) (void)script_work(script, length / SCRIPT_BYTES_PER_UNIT);
  const uint32_t hash = hash_long(script, text, length);
  const string_table *table = table_of(L);
  script_string *string = table->lists[hash & (uint32_t)(table->size - 1)];
  for (; string != NULL; string = string->next) {
    if (string->hash != hash || string->length != length || memcmp((char *)string + STRING_BYTES, text, length) != 0) {
      continue;
    }
    /* It may have been found dead, and not have been swept yet. */
    const uint8_t others = (*((const uint8_t *)table + GLOBAL_WHITE) ^ WHITES) & WHITES;
    if ((string->marked & others) != 0) string->marked ^= WHITES;
    return string;
  }
  return add_long(L, text, length, hash);
}

void script_choose_string_key(strata_script *script) {
  uint64_t *key = script->string_key;
  if (getrandom(key, sizeof(script->string_key), GRND_NONBLOCK) != (ssize_t)sizeof(script->string_key)) {
    key[0] = (uint64_t)(uintptr_t)script;
    key[1] = fold(key[0], UINT64_C(0x9E3779B97F4A7C15));
  }
  key[1] |= 1;
}

static uint32_t hash_short(const char *text, size_t length) {
  uint32_t hash = (uint32_t)length;
  for (size_t i = length; i > 0; i--) hash ^= (hash << 5) + (hash >> 2) + (unsigned char)text[i - 1];
  return hash;
}

/* Of a new state, which has some short strings and no others: they lie where their hashes say. */
bool script_check_strings(lua_State *L) {
  const string_table *table = table_of(L);
  const uint8_t white = *((const uint8_t *)table + GLOBAL_WHITE);
  uint32_t count = 0;
  if (table->size < 32 || table->size > 1024 || (table->size & (table->size - 1)) != 0 || table->count > 1024) {
    return false;
  }
  for (int32_t i = 0; i < table->size; i++) {
    for (const script_string *string = table->lists[i]; string != NULL && count <= table->count; count++) {
      if (string->type != LUA_TSTRING || string->length >= LONG_LENGTH || (string->marked & white & WHITES) == 0 ||
          string->hash != hash_short((const char *)string + STRING_BYTES, string->length) ||
          (string->hash & (uint32_t)(table->size - 1)) != (uint32_t)i) {
        return false;
      }
      string = string->next;
    }
  }
  return count == table->count && count != 0;
}

/* For tests. */
int32_t script_longest_list(lua_State *L) {
  const string_table *table = table_of(L);
  int32_t longest = 0;
  for (int32_t i = 0; i < table->size; i++) {
    int32_t length = 0;
    for (const script_string *string = table->lists[i]; string != NULL; string = string->next) length++;
    if (length > longest) longest = length;
  }
  return longest;
}
