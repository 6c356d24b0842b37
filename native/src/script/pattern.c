/*
 * The matcher behind string.find, match, gmatch and gsub. It backtracks: some patterns take time that is exponential
 * in the subject's length, so that each step is counted. It recurses for each repetition, option and capture in a
 * pattern, to a depth that fits any thread's stack; deeper ones are refused as later versions of Lua do.
 */
#include "pattern.h"

#include <ctype.h>

enum { DEPTH_MAX = 800, ESCAPE = '%' };

static const char *match_here(pattern_match *match, const char *s, const char *p);

static void count(pattern_match *match, size_t steps) {
  if (script_work(match->script, steps)) script_raise_stop(match->L);
}

static int byte_of(const char *at) { return (unsigned char)*at; }

static int check_capture(const pattern_match *match, int digit) {
  const int index = digit - '1';
  if (index < 0 || index >= match->level || match->captures[index].length == CAPTURE_OPEN) {
    return luaL_error(match->L, "invalid capture index");
  }
  return index;
}

static int capture_to_close(const pattern_match *match) {
  for (int level = match->level - 1; level >= 0; level--) {
    if (match->captures[level].length == CAPTURE_OPEN) return level;
  }
  return luaL_error(match->L, "invalid pattern capture");
}

/* Behind the single character class that begins at p. */
static const char *class_end(pattern_match *match, const char *p) {
  const char *start = p;
  const char type = *p++;
  if (type == ESCAPE) {
    if (*p == '\0') luaL_error(match->L, "malformed pattern (ends with " LUA_QL("%%") ")");
    return p + 1;
  }
  if (type != '[') return p;
  if (*p == '^') p++;
  do {
    if (*p == '\0') luaL_error(match->L, "malformed pattern (missing " LUA_QL("]") ")");
    if (*(p++) == ESCAPE && *p != '\0') p++;
  } while (*p != ']');
  count(match, (size_t)(p - start) / 8);
  return p + 1;
}

static bool in_named_class(int c, int name) {
  bool in = false;
  switch (tolower(name)) {
    case 'a':
      in = isalpha(c) != 0;
      break;
    case 'c':
      in = iscntrl(c) != 0;
      break;
    case 'd':
      in = isdigit(c) != 0;
      break;
    case 'l':
      in = islower(c) != 0;
      break;
    case 'p':
      in = ispunct(c) != 0;
      break;
    case 's':
      in = isspace(c) != 0;
      break;
    case 'u':
      in = isupper(c) != 0;
      break;
    case 'w':
      in = isalnum(c) != 0;
      break;
    case 'x':
      in = isxdigit(c) != 0;
      break;
    case 'z':
      in = c == 0;
      break;
    default:
      return name == c;
  }
  return islower(name) != 0 ? in : !in;
}

/* last: the closing bracket. */
static bool in_set(pattern_match *match, int c, const char *p, const char *last) {
  bool found = true;
  count(match, (size_t)(last - p) / 8);
  if (p[1] == '^') {
    found = false;
    p++;
  }
  while (++p < last) {
    if (*p == ESCAPE) {
      p++;
      if (in_named_class(c, byte_of(p))) return found;
    } else if (p[1] == '-' && p + 2 < last) {
      p += 2;
      if (byte_of(p - 2) <= c && c <= byte_of(p)) return found;
    } else if (byte_of(p) == c) {
      return found;
    }
  }
  return !found;
}

static bool matches_single(pattern_match *match, const char *s, const char *p, const char *end) {
  if (s >= match->end) return false;
  const int c = byte_of(s);
  switch (*p) {
    case '.':
      return true;
    case ESCAPE:
      return in_named_class(c, byte_of(p + 1));
    case '[':
      return in_set(match, c, p, end - 1);
    default:
      return byte_of(p) == c;
  }
}

static const char *match_balance(pattern_match *match, const char *s, const char *p) {
  if (p[0] == '\0' || p[1] == '\0') luaL_error(match->L, "unbalanced pattern");
  /* The subject ends with a zero, which is none of the two. */
  if (*s != *p) return NULL;
  const char *start = s;
  size_t open = 1;
  while (++s < match->end) {
    if (*s == p[1]) {
      if (--open == 0) break;
    } else if (*s == p[0]) {
      open++;
    }
  }
  count(match, (size_t)(s - start) / 4);
  return s < match->end ? s + 1 : NULL;
}

static const char *match_most(pattern_match *match, const char *s, const char *p, const char *end) {
  ptrdiff_t times = 0;
  while (matches_single(match, s + times, p, end)) times++;
  count(match, (size_t)times / 2);
  for (; times >= 0; times--) {
    const char *found = match_here(match, s + times, end + 1);
    if (found != NULL) return found;
  }
  return NULL;
}

static const char *match_fewest(pattern_match *match, const char *s, const char *p, const char *end) {
  for (;;) {
    const char *found = match_here(match, s, end + 1);
    if (found != NULL) return found;
    if (!matches_single(match, s, p, end)) return NULL;
    s++;
  }
}

static const char *begin_capture(pattern_match *match, const char *s, const char *p, int kind) {
  const int level = match->level;
  if (level >= CAPTURES_MAX) luaL_error(match->L, "too many captures");
  match->captures[level].start = s;
  match->captures[level].length = kind;
  match->level = level + 1;
  const char *found = match_here(match, s, p);
  if (found == NULL) match->level--;
  return found;
}

static const char *end_capture(pattern_match *match, const char *s, const char *p) {
  const int level = capture_to_close(match);
  match->captures[level].length = s - match->captures[level].start;
  const char *found = match_here(match, s, p);
  if (found == NULL) match->captures[level].length = CAPTURE_OPEN;
  return found;
}

static const char *match_again(pattern_match *match, const char *s, int digit) {
  const int index = check_capture(match, digit);
  /* A position's length, as a size, is longer than anything. */
  const size_t length = (size_t)match->captures[index].length;
  if ((size_t)(match->end - s) < length) return NULL;
  count(match, length / SCRIPT_BYTES_PER_UNIT);
  return memcmp(match->captures[index].start, s, length) == 0 ? s + length : NULL;
}

static bool at_frontier(pattern_match *match, const char *s, const char *p, const char *end) {
  const int before = s == match->start ? 0 : byte_of(s - 1);
  return !in_set(match, before, p, end - 1) && in_set(match, byte_of(s), p, end - 1);
}

/* An escape that is more than a character: 1 when it matched and both places moved on, 0 when not, -1 for others. */
static int match_escape(pattern_match *match, const char **s, const char **p) {
  const char name = (*p)[1];
  if (name == 'b') {
    *s = match_balance(match, *s, *p + 2);
    *p += 4;
    return *s != NULL;
  }
  if (name == 'f') {
    const char *set = *p + 2;
    if (*set != '[') {
      luaL_error(match->L, "missing " LUA_QL("[") " after " LUA_QL("%%f") " in pattern");
    }
    const char *end = class_end(match, set);
    *p = end;
    return at_frontier(match, *s, set, end);
  }
  if (isdigit((unsigned char)name) == 0) return -1;
  *s = match_again(match, *s, (unsigned char)name);
  *p += 2;
  return *s != NULL;
}

static const char *match_items(pattern_match *match, const char *s, const char *p) {
  for (;; count(match, 1)) {
    if (*p == '\0') return s;
    if (*p == '(') {
      return p[1] == ')' ? begin_capture(match, s, p + 2, CAPTURE_POSITION)
                         : begin_capture(match, s, p + 1, CAPTURE_OPEN);
    }
    if (*p == ')') return end_capture(match, s, p + 1);
    if (*p == '$' && p[1] == '\0') return s == match->end ? s : NULL;
    if (*p == ESCAPE) {
      const int matched = match_escape(match, &s, &p);
      if (matched == 0) return NULL;
      if (matched > 0) continue;
    }

    const char *end = class_end(match, p);
    if (*end == '*') return match_most(match, s, p, end);
    if (*end == '-') return match_fewest(match, s, p, end);
    const bool single = matches_single(match, s, p, end);
    if (*end == '?') {
      const char *found = single ? match_here(match, s + 1, end + 1) : NULL;
      if (found != NULL) return found;
      p = end + 1;
      continue;
    }
    if (!single) return NULL;
    if (*end == '+') return match_most(match, s + 1, p, end);
    s++;
    p = end;
  }
}

static const char *match_here(pattern_match *match, const char *s, const char *p) {
  if (++match->depth > DEPTH_MAX) luaL_error(match->L, "pattern too complex");
  count(match, 1);
  const char *found = match_items(match, s, p);
  match->depth--;
  return found;
}

const char *pattern_match_at(pattern_match *match, const char *subject, const char *pattern) {
  match->level = 0;
  match->depth = 0;
  return match_here(match, subject, pattern);
}

void pattern_push_capture(pattern_match *match, int index, const char *from, const char *to) {
  lua_State *L = match->L;
  if (index >= match->level) {
    if (index != 0) luaL_error(L, "invalid capture index");
    lua_pushlstring(L, from, (size_t)(to - from));
    return;
  }
  const ptrdiff_t length = match->captures[index].length;
  if (length == CAPTURE_OPEN) luaL_error(L, "unfinished capture");
  if (length == CAPTURE_POSITION) {
    lua_pushinteger(L, match->captures[index].start - match->start + 1);
  } else {
    lua_pushlstring(L, match->captures[index].start, (size_t)length);
  }
}

int pattern_push_captures(pattern_match *match, const char *from, const char *to) {
  const int number = match->level == 0 && from != NULL ? 1 : match->level;
  luaL_checkstack(match->L, number, "too many captures");
  for (int i = 0; i < number; i++) pattern_push_capture(match, i, from, to);
  return number;
}
