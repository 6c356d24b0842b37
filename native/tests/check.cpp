#include "check.h"

#include <filesystem>

namespace tests {

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "strata-native-XXXXXX").string();
  CHECK(mkdtemp(pattern.data()) != nullptr);
  path_ = pattern;
}

Folder::~Folder() { std::filesystem::remove_all(path_); }

}  // namespace tests
