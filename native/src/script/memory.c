/*
 * The state's memory, which is charged to the host in steps, the arena as a whole; and its budget of work, after which
 * the host is asked whether to go on.
 */
#include <stdlib.h>
#include <time.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "state.h"

enum {
  CHARGE_STEP = 65536,
  /* A block of this size and more is not made beside free pages of more bytes than LARGE_KEPT. */
  LARGE_BLOCK = 1 << 20,
  LARGE_KEPT = 4 << 20,
};

/* What a block takes in the C library's heap: a header of 8 bytes, multiples of 16, 32 at least. */
static int64_t block_size(size_t size) {
  if (size == 0) return 0;
  return size <= 24 ? 32 : (int64_t)((size + 8 + 15) & ~(size_t)15);
}

static bool charge(strata_script *script, int64_t used) {
  const int64_t wanted = (used + CHARGE_STEP - 1) / CHARGE_STEP * CHARGE_STEP;
  if (script->host.charge(script->host.owner, wanted - script->charged) != STRATA_SCRIPT_OK) return false;
  script->charged = wanted;
  if (wanted > script->most_charged) script->most_charged = wanted;
  return true;
}

static void give_back(strata_script *script) {
  const int64_t wanted = (script->used / CHARGE_STEP + 1) * CHARGE_STEP;
  (void)script->host.charge(script->host.owner, wanted - script->charged);
  script->charged = wanted;
}

static void give_back_unused(strata_script *script) {
  if (script->charged - script->used > 2 * CHARGE_STEP) give_back(script);
}

static void release(strata_script *script, void *block, size_t size) {
  if (script_arena_has(&script->arena, block)) {
    script_arena_give(&script->arena, block, size);
    return;
  }
  free(block);
  script->used -= block_size(size);
  give_back_unused(script);
}

static void *resize(strata_script *script, void *old, size_t old_size, size_t new_size);
static void return_pages(strata_script *script, int64_t kept);

/* The same of a block of the arena's. */
static void *resize_small(strata_script *script, void *old, size_t old_size, size_t new_size) {
  if (script_arena_is_alike(old_size, new_size)) return old;
  void *block = new_size <= ARENA_BLOCK_MAX ? script_arena_take(&script->arena, new_size) : NULL;
  if (block == NULL) block = resize(script, NULL, 0, new_size);
  if (block == NULL) {
    if (new_size > old_size) return NULL;
    script_arena_trim(&script->arena, old, old_size, new_size);
    return old;
  }
  memcpy(block, old, old_size < new_size ? old_size : new_size);
  script_arena_give(&script->arena, old, old_size);
  return block;
}

/* Lua's allocator. What shrinks never fails. */
void *script_allocate(void *owner, void *old, size_t old_size, size_t new_size) {
  strata_script *script = owner;
  if (old == NULL) old_size = 0;
  if (new_size == 0) {
    if (old != NULL) release(script, old, old_size);
    return NULL;
  }

  if (new_size > old_size && script->allocations_left >= 0 && script->allocations_left-- == 0) {
    script->allocations_left = 0;
    return NULL;
  }

  if (script_arena_has(&script->arena, old)) return resize_small(script, old, old_size, new_size);
  if (old == NULL && new_size <= ARENA_BLOCK_MAX) {
    void *block = script_arena_take(&script->arena, new_size);
    if (block != NULL) return block;
  }
  return resize(script, old, old_size, new_size);
}

/*
 * A block of the C library's, as realloc makes it; null is none yet. A large one may be copied, though it were large
 * enough to be mapped by itself: for a moment both are there, and what the old one lay in, until it is asked for.
 */
static void *resize(strata_script *script, void *old, size_t old_size, size_t new_size) {
  const bool grows = new_size > old_size;
  const int64_t used = script->used + block_size(new_size) - block_size(old_size);
  const int64_t copied = grows && old_size >= LARGE_BLOCK ? block_size(old_size) : 0;
  if (grows && new_size >= LARGE_BLOCK) return_pages(script, LARGE_KEPT);
  if (used + copied > script->charged && !charge(script, used + copied)) return grows ? NULL : old;
  void *block = realloc(old, new_size);
  if (block == NULL) {
    give_back_unused(script);
    return grows ? NULL : old;
  }
  script->used = used;
  if (grows && new_size >= 1024) (void)script_work(script, (new_size - old_size) / SCRIPT_BYTES_PER_UNIT);
  if (!grows || copied != 0) give_back_unused(script);
  return block;
}

static void return_pages(strata_script *script, int64_t kept) {
  if (script->most_charged - script->charged <= kept) return;
  script->most_charged = script->charged;
#if defined(__GLIBC__)
  (void)malloc_trim(0);
#endif
}

/* The C library keeps what small blocks lay in, in each thread's heap, until it is told otherwise. */
void script_return_pages(strata_script *script) { return_pages(script, SCRIPT_FREE_KEPT); }

bool script_open_arena(strata_script *script) {
  const int64_t used = script->used + block_size(SCRIPT_ARENA_BYTES);
  if ((used > script->charged && !charge(script, used)) || !script_arena_open(&script->arena, SCRIPT_ARENA_BYTES))
    return false;
  script->used = used;
  script->settled = used;
  return true;
}

static int64_t now(void) {
  struct timespec time;
  (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Asks the host. Once it wants an end, the next instruction raises it: hooks are the coroutine's that runs. */
bool script_interrupt(strata_script *script) {
  script->budget = SCRIPT_INTERRUPT_WORK;
  script->asked_at = 0;
  if (script->stopping) return true;
  if ((script->run == NULL && !script->loading) || script->host.interrupt(script->host.owner) == STRATA_SCRIPT_OK)
    return false;
  script->stopping = true;
  lua_sethook(script->running, script_hook, LUA_MASKCOUNT | LUA_MASKLINE | LUA_MASKCALL, 1);
  return true;
}

void script_hook(lua_State *L, lua_Debug *at) {
  (void)at;
  strata_script *script = script_of(L);
  const int64_t time = now();
  const bool slow = script->asked_at != 0 && time - script->asked_at >= SCRIPT_INTERRUPT_NANOSECONDS;
  if (script->asked_at == 0) script->asked_at = time;
  const size_t units = slow ? SCRIPT_INTERRUPT_WORK : SCRIPT_HOOK_INSTRUCTIONS;
  if (script_work(script, units)) script_raise_stop(L);
}

void script_buffer_free(strata_script *script, script_buffer *buffer) {
  (void)script_allocate(script, buffer->data, buffer->capacity, 0);
  *buffer = (script_buffer){0};
}

void script_buffer_trim(strata_script *script, script_buffer *buffer) {
  if (buffer->capacity > SCRIPT_BUFFER_KEPT) script_buffer_free(script, buffer);
}

bool script_buffer_try_reserve(strata_script *script, script_buffer *buffer, size_t more) {
  if (more <= buffer->capacity - buffer->length) return true;
  if (more > INT32_MAX || buffer->length + more > INT32_MAX) return false;
  size_t capacity = buffer->capacity * 2;
  if (capacity < buffer->length + more) capacity = buffer->length + more;
  if (capacity < 256) capacity = 256;
  char *data = script_allocate(script, buffer->data, buffer->capacity, capacity);
  if (data == NULL) return false;
  buffer->data = data;
  buffer->capacity = capacity;
  return true;
}

void script_buffer_grow(lua_State *L, script_buffer *buffer, size_t more) {
  if (!script_buffer_try_reserve(script_of(L), buffer, more)) script_raise_memory(L);
}

void *script_grow(lua_State *L, void *array, size_t *capacity, size_t count, size_t size) {
  if (count <= *capacity) return array;
  size_t wanted = *capacity * 2;
  if (wanted < count) wanted = count;
  if (wanted < 16) wanted = 16;
  void *grown = script_allocate(script_of(L), array, *capacity * size, wanted * size);
  if (grown == NULL) script_raise_memory(L);
  *capacity = wanted;
  return grown;
}
