#include "arena.h"

#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) && defined(__has_include)
#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#endif
#endif
#ifndef ASAN_POISON_MEMORY_REGION
#define ASAN_POISON_MEMORY_REGION(start, size) ((void)0)
#define ASAN_UNPOISON_MEMORY_REGION(start, size) ((void)0)
#endif

static size_t class_of(size_t size) { return (size - 1) / ARENA_STEP; }

static size_t bytes_of_class(size_t class) { return (class + 1) * ARENA_STEP; }

static void add(script_arena *arena, void *block, size_t class) {
  *(void **)block = arena->lists[class];
  arena->lists[class] = block;
  ASAN_POISON_MEMORY_REGION(block, bytes_of_class(class));
}

bool script_arena_open(script_arena *arena, size_t size) {
  *arena = (script_arena){.start = malloc(size), .size = size};
  if (arena->start == NULL) arena->size = 0;
  ASAN_POISON_MEMORY_REGION(arena->start, arena->size);
  return arena->start != NULL;
}

void script_arena_close(script_arena *arena) {
  ASAN_UNPOISON_MEMORY_REGION(arena->start, arena->size);
  free(arena->start);
  *arena = (script_arena){0};
}

void *script_arena_take(script_arena *arena, size_t size) {
  const size_t class = class_of(size);
  void *block = arena->lists[class];
  if (block != NULL) {
    ASAN_UNPOISON_MEMORY_REGION(block, bytes_of_class(class));
    arena->lists[class] = *(void **)block;
    return block;
  }

  const size_t bytes = bytes_of_class(class);
  if (bytes > arena->size - arena->unused) return NULL;
  block = arena->start + arena->unused;
  arena->unused += bytes;
  ASAN_UNPOISON_MEMORY_REGION(block, bytes);
  return block;
}

void script_arena_give(script_arena *arena, void *block, size_t size) { add(arena, block, class_of(size)); }

void script_arena_trim(script_arena *arena, void *block, size_t old_size, size_t new_size) {
  const size_t kept = bytes_of_class(class_of(new_size));
  const size_t left = bytes_of_class(class_of(old_size)) - kept;
  if (left != 0) add(arena, (char *)block + kept, class_of(left));
}
