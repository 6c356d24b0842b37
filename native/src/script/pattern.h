/* Lua's patterns, with their work counted and their depth bounded: pattern.c. */
#ifndef STRATA_SCRIPT_PATTERN_H
#define STRATA_SCRIPT_PATTERN_H

#include "state.h"

enum { CAPTURES_MAX = 32, CAPTURE_OPEN = -1, CAPTURE_POSITION = -2 };

typedef struct pattern_match {
  lua_State *L;
  strata_script *script;
  const char *start; /* of the subject */
  const char *end;
  int depth;
  int level; /* captures, finished or not */
  struct {
    const char *start;
    ptrdiff_t length;
  } captures[CAPTURES_MAX];
} pattern_match;

/* Whether the pattern, which ends with a zero, matches at a place: where the match ends, or null. Raises. */
const char *pattern_match_at(pattern_match *match, const char *subject, const char *pattern);

/* Pushes a capture; the first of a pattern without captures is the whole match. */
void pattern_push_capture(pattern_match *match, int index, const char *from, const char *to);

/* Pushes all captures, or where there is none the match, unless from is null. Returns their number. */
int pattern_push_captures(pattern_match *match, const char *from, const char *to);

#endif
