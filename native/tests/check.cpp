#include "check.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include <cstddef>
#include <filesystem>

namespace tests {

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "strata-native-XXXXXX").string();
  CHECK(mkdtemp(pattern.data()) != nullptr);
  path_ = pattern;
}

Folder::~Folder() { std::filesystem::remove_all(path_); }

void forbid(const std::vector<uint32_t> &calls, uint32_t error) {
  std::vector<struct sock_filter> filter = {{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr)}};
  for (const uint32_t call : calls) {
    filter.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, 1, call});
    filter.push_back({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | error});
  }
  filter.push_back({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW});
  const struct sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
  CHECK_EQUAL(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  CHECK_EQUAL(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

}  // namespace tests
