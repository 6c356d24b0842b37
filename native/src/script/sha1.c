/* SHA-1, as FIPS 180-4 states it; for redis.sha1hex, nothing that must be secret or safe depends on it. */
#include "state.h"

enum { BLOCK = 64, COUNTED = 4096 };

static uint32_t rotate(uint32_t value, int by) { return value << by | value >> (32 - by); }

static void add_block(uint32_t hash[5], const uint8_t *block) {
  uint32_t w[80];
  for (int i = 0; i < 16; i++) {
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
           block[4 * i + 3];
  }
  for (int i = 16; i < 80; i++) w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);

  uint32_t a = hash[0];
  uint32_t b = hash[1];
  uint32_t c = hash[2];
  uint32_t d = hash[3];
  uint32_t e = hash[4];
  for (int i = 0; i < 80; i++) {
    uint32_t f = b ^ c ^ d;
    uint32_t k = i < 40 ? 0x6ED9EBA1 : 0xCA62C1D6;
    if (i < 20) {
      f = (b & c) | (~b & d);
      k = 0x5A827999;
    } else if (i >= 40 && i < 60) {
      f = (b & c) | (b & d) | (c & d);
      k = 0x8F1BBCDC;
    }
    const uint32_t next = rotate(a, 5) + f + e + k + w[i];
    e = d;
    d = c;
    c = rotate(b, 30);
    b = a;
    a = next;
  }
  hash[0] += a;
  hash[1] += b;
  hash[2] += c;
  hash[3] += d;
  hash[4] += e;
}

void script_sha1(lua_State *L, const void *data, size_t length, char *hex) {
  static const char digits[] = "0123456789abcdef";
  uint32_t hash[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  const uint8_t *bytes = data;
  size_t left = length;
  for (; left >= BLOCK; left -= BLOCK, bytes += BLOCK) {
    if (left % COUNTED < BLOCK) script_work_or_raise(L, COUNTED / 2);
    add_block(hash, bytes);
  }

  uint8_t last[2 * BLOCK] = {0};
  if (left != 0) memcpy(last, bytes, left);
  last[left] = 0x80;
  const size_t size = left + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
  const uint64_t bits = (uint64_t)length * 8;
  for (size_t i = 0; i < 8; i++) last[size - 1 - i] = (uint8_t)(bits >> (8 * i));
  add_block(hash, last);
  if (size != BLOCK) add_block(hash, last + BLOCK);

  for (int i = 0; i < 20; i++) {
    const uint8_t byte = (uint8_t)(hash[i / 4] >> (24 - 8 * (i % 4)));
    hex[2 * i] = digits[byte >> 4];
    hex[2 * i + 1] = digits[byte & 15];
  }
}
