/* Numbers as text: numbers.cpp, the one part in C++. */
#ifndef STRATA_SCRIPT_NUMBERS_H
#define STRATA_SCRIPT_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* Room that each of them needs; none ends its text with a zero. */
enum { SCRIPT_NUMBER_SIZE = 32 };

size_t script_format_integer(char *out, int64_t value);
/* The shortest digits that read back. */
size_t script_format_double(char *out, double value);
/* As an argument of a command: an integer where it is one. */
size_t script_format_number(char *out, double value);

#if defined(__cplusplus)
}
#endif

#endif
