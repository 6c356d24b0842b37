// The least that a test needs: a check that ends the program, a folder of its own, and a kernel that refuses.
#ifndef STRATA_TESTS_CHECK_H
#define STRATA_TESTS_CHECK_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(condition)                                                           \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(EXIT_FAILURE);                                                     \
    }                                                                              \
  } while (false)

#define CHECK_EQUAL(actual, expected)                                                                 \
  do {                                                                                                \
    const long long is = static_cast<long long>(actual);                                              \
    const long long should = static_cast<long long>(expected);                                        \
    if (is != should) {                                                                               \
      std::fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #actual, is, should); \
      std::exit(EXIT_FAILURE);                                                                        \
    }                                                                                                 \
  } while (false)

namespace tests {

// CTest's word for a test that this machine cannot run.
constexpr int kSkipped = 77;

// A folder that is gone with the object; under TMPDIR, or /tmp.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  std::string file(const char *name) const { return path_ + "/" + name; }
  const std::string &path() const { return path_; }

 private:
  std::string path_;
};

// From here on the kernel refuses these system calls, as a container's profile may.
void forbid(const std::vector<uint32_t> &calls, uint32_t error);

}  // namespace tests

#endif
