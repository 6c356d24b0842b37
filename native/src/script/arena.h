/*
 * Small blocks out of one region, for what scripts make and drop all the time: no search, no locks, no headers. A block
 * is a multiple of ARENA_STEP bytes; what was given back is kept by its size, and never joined with its neighbours.
 */
#ifndef STRATA_SCRIPT_ARENA_H
#define STRATA_SCRIPT_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ARENA_STEP = 16, ARENA_CLASSES = 16, ARENA_BLOCK_MAX = ARENA_STEP * ARENA_CLASSES };

typedef struct script_arena {
  char *start;
  size_t unused; /* bytes before it were handed out at least once */
  size_t size;
  void *lists[ARENA_CLASSES]; /* of what was given back, by size */
} script_arena;

#if defined(__cplusplus)
extern "C" {
#endif

/* False: there is no memory. */
bool script_arena_open(script_arena *arena, size_t size);
void script_arena_close(script_arena *arena);

/* Whether a block is the arena's. */
static inline bool script_arena_has(const script_arena *arena, const void *block) {
  return (uintptr_t)block - (uintptr_t)arena->start < arena->size;
}

/* A block of 1 to ARENA_BLOCK_MAX bytes; null where none is left. */
void *script_arena_take(script_arena *arena, size_t size);
void script_arena_give(script_arena *arena, void *block, size_t size);
/* Whether a block of the one size is one of the other. */
static inline bool script_arena_is_alike(size_t size, size_t other) {
  return (size - 1) / ARENA_STEP == (other - 1) / ARENA_STEP;
}

/* Gives back what lies behind the first bytes of a block. What is given is never joined again: the last resort. */
void script_arena_trim(script_arena *arena, void *block, size_t old_size, size_t new_size);

#if defined(__cplusplus)
}
#endif

#endif
