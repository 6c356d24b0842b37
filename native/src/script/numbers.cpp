// Numbers as text. A leaf: nothing here calls Lua, nothing throws.
#include "numbers.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace {

// The most significant decimal digits that a double needs.
constexpr int kDigits = 17;

struct Decimal {
  char digits[kDigits + 1];
  int count;
  int exponent;  // the value is digits * 10^exponent
};

Decimal shortest(double value) {
  char text[SCRIPT_NUMBER_SIZE];
  const auto end = std::to_chars(text, text + sizeof(text), value, std::chars_format::scientific).ptr;
  Decimal decimal{};
  const char *at = text;
  for (; at != end && *at != 'e'; at++) {
    if (*at != '.' && decimal.count < kDigits) decimal.digits[decimal.count++] = *at;
  }
  int exponent = 0;
  if (at != end) {
    at++;
    if (*at == '+') at++;
    std::from_chars(at, end, exponent);
  }
  while (decimal.count > 1 && decimal.digits[decimal.count - 1] == '0') decimal.count--;
  decimal.exponent = exponent - (decimal.count - 1);
  return decimal;
}

size_t write_scientific(char *out, const Decimal &decimal) {
  char *at = out;
  *at++ = decimal.digits[0];
  if (decimal.count > 1) {
    *at++ = '.';
    std::memcpy(at, decimal.digits + 1, static_cast<size_t>(decimal.count) - 1);
    at += decimal.count - 1;
  }
  const int exponent = decimal.exponent + decimal.count - 1;
  *at++ = 'e';
  *at++ = exponent < 0 ? '-' : '+';
  at = std::to_chars(at, at + 4, exponent < 0 ? -exponent : exponent).ptr;
  return static_cast<size_t>(at - out);
}

size_t write_fraction(char *out, const Decimal &decimal) {
  const int before = decimal.count + decimal.exponent;
  const size_t count = static_cast<size_t>(decimal.count);
  if (before <= 0) {
    const size_t zeros = static_cast<size_t>(-before);
    std::memcpy(out, "0.", 2);
    std::memset(out + 2, '0', zeros);
    std::memcpy(out + 2 + zeros, decimal.digits, count);
    return 2 + zeros + count;
  }
  const size_t whole = static_cast<size_t>(before);
  std::memcpy(out, decimal.digits, whole);
  out[whole] = '.';
  std::memcpy(out + whole + 1, decimal.digits + whole, count - whole);
  return count + 1;
}

}  // namespace

extern "C" {

size_t script_format_integer(char *out, int64_t value) {
  return static_cast<size_t>(std::to_chars(out, out + SCRIPT_NUMBER_SIZE, value).ptr - out);
}

// Digits as fpconv lays them out: plain up to 6 zeros behind them, with a point down to 6 zeros before them.
size_t script_format_double(char *out, double value) {
  size_t sign = 0;
  if (std::signbit(value)) {
    *out++ = '-';
    value = -value;
    sign = 1;
  }
  if (std::isnan(value) || std::isinf(value)) {
    std::memcpy(out, std::isnan(value) ? "nan" : "inf", 3);
    return sign + 3;
  }
  if (value == 0) {
    *out = '0';
    return sign + 1;
  }

  const Decimal decimal = shortest(value);
  const int last = decimal.exponent + decimal.count - 1;
  const int magnitude = last < 0 ? -last : last;
  if (decimal.exponent >= 0 && magnitude < decimal.count + 7) {
    std::memcpy(out, decimal.digits, static_cast<size_t>(decimal.count));
    std::memset(out + decimal.count, '0', static_cast<size_t>(decimal.exponent));
    return sign + static_cast<size_t>(decimal.count + decimal.exponent);
  }
  if (decimal.exponent < 0 && (decimal.exponent > -7 || magnitude < 4)) return sign + write_fraction(out, decimal);
  return sign + write_scientific(out, decimal);
}

size_t script_format_number(char *out, double value) {
  constexpr double kSafe = static_cast<double>(INT64_MAX / 2);
  if (value >= -kSafe && value <= kSafe) {
    const auto whole = static_cast<int64_t>(value);
    if (static_cast<double>(whole) == value) return script_format_integer(out, whole);
  }
  return script_format_double(out, value);
}

}  // extern "C"
