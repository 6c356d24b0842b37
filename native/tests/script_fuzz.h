// Bytes as an argument to what takes bytes apart.
#ifndef STRATA_TESTS_SCRIPT_FUZZ_H
#define STRATA_TESTS_SCRIPT_FUZZ_H

#include <cstddef>
#include <cstdint>

namespace tests {

// Runs a script over the bytes; ends the program when it does anything but return.
void fuzz_script(const uint8_t *bytes, size_t length);

}  // namespace tests

#endif
