// Handshake, files and sectors: what needs no queue.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>

#include "check.h"
#include "storage.h"

namespace {

strata_layout our_layout() {
  return {STRATA_ABI_VERSION,
          sizeof(strata_layout),
          sizeof(strata_completion),
          offsetof(strata_completion, token),
          offsetof(strata_completion, result),
          sizeof(strata_storage),
          sizeof(strata_queue_options),
          0};
}

void handshake() {
  strata_layout ours = our_layout();
  strata_layout theirs = {};
  CHECK_EQUAL(strata_device_handshake(&ours, &theirs), STRATA_OK);
  CHECK_EQUAL(theirs.version, STRATA_ABI_VERSION);
  ours.version++;
  CHECK_EQUAL(strata_device_handshake(&ours, &theirs), STRATA_E_VERSION);
  ours = our_layout();
  ours.completion_result_offset += 4;
  CHECK_EQUAL(strata_device_handshake(&ours, &theirs), STRATA_E_LAYOUT);
  ours = our_layout();
  ours.queue_options_bytes -= 4;
  CHECK_EQUAL(strata_device_handshake(&ours, nullptr), STRATA_E_LAYOUT);
  CHECK_EQUAL(strata_device_handshake(nullptr, &theirs), STRATA_E_ARGUMENT);
}

void probe_leaves_no_file() {
  const tests::Folder folder;
  strata_storage storage = {};
  int32_t error = -1;
  CHECK_EQUAL(strata_storage_probe(folder.path().c_str(), &storage, &error), STRATA_OK);
  CHECK_EQUAL(error, 0);
  CHECK(storage.sector_bytes >= STRATA_MIN_SECTOR_BYTES);
  CHECK(storage.sector_bytes >= storage.logical_bytes && storage.sector_bytes >= storage.physical_bytes);
  CHECK_EQUAL(storage.sector_bytes & (storage.sector_bytes - 1), 0);
  CHECK(std::filesystem::is_empty(folder.path()));
}

void probe_errors() {
  const tests::Folder folder;
  strata_storage storage = {};
  int32_t error = 0;
  CHECK_EQUAL(strata_storage_probe(folder.file("none").c_str(), &storage, &error), STRATA_E_SYSTEM);
  CHECK_EQUAL(error, ENOENT);
  std::ofstream(folder.file("plain")) << "x";
  CHECK_EQUAL(strata_storage_probe(folder.file("plain").c_str(), &storage, &error), STRATA_E_SYSTEM);
  CHECK_EQUAL(error, ENOTDIR);
}

void write_text(const std::filesystem::path &path, const char *text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

// A sysfs with one disk (8:0) and its first partition (8:1).
strata_storage sectors_of(unsigned minor, const char *logical, const char *physical) {
  const tests::Folder sysfs;
  const std::filesystem::path root = sysfs.path();
  write_text(root / "devices/sda/queue/logical_block_size", logical);
  write_text(root / "devices/sda/queue/physical_block_size", physical);
  write_text(root / "devices/sda/sda1/partition", "1\n");
  std::filesystem::create_directories(root / "dev/block");
  std::filesystem::create_directory_symlink("../../devices/sda", root / "dev/block/8:0");
  std::filesystem::create_directory_symlink("../../devices/sda/sda1", root / "dev/block/8:1");
  strata_storage storage = {};
  strata::read_sector_sizes(root.c_str(), 8, minor, &storage);
  return storage;
}

void sectors() {
  CHECK_EQUAL(strata::sector_size(sectors_of(0, "512\n", "4096\n")), 4096);
  CHECK_EQUAL(strata::sector_size(sectors_of(0, "4096\n", "512\n")), 4096);
  CHECK_EQUAL(strata::sector_size(sectors_of(0, "512\n", "512\n")), 512);
  CHECK_EQUAL(strata::sector_size(sectors_of(0, "256\n", "256\n")), 512);
}

void sectors_of_a_partition() {
  const strata_storage storage = sectors_of(1, "512\n", "4096\n");
  CHECK_EQUAL(storage.logical_bytes, 512);
  CHECK_EQUAL(storage.physical_bytes, 4096);
}

void sectors_that_nobody_tells() {
  strata_storage storage = sectors_of(7, "512\n", "4096\n");
  CHECK_EQUAL(storage.logical_bytes, 0);
  CHECK_EQUAL(strata::sector_size(storage), 512);
  storage.is_direct = 1;
  CHECK_EQUAL(strata::sector_size(storage), 4096);
  // What is no size of a sector is as good as nothing.
  for (const char *text : {"", "none\n", "-1\n", "0\n", "1000\n", "99999999999999999999\n"}) {
    storage = sectors_of(0, text, text);
    CHECK_EQUAL(storage.logical_bytes, 0);
    CHECK_EQUAL(storage.physical_bytes, 0);
  }
}

void open_and_close() {
  const tests::Folder folder;
  const std::string path = folder.file("f");
  int32_t fd = 0;
  int32_t error = 0;
  CHECK_EQUAL(strata_file_open(path.c_str(), STRATA_FILE_BUFFERED, 0, &fd, &error), STRATA_E_SYSTEM);
  CHECK_EQUAL(error, ENOENT);
  CHECK_EQUAL(fd, -1);
  const uint32_t flags = STRATA_FILE_BUFFERED | STRATA_FILE_CREATE;
  CHECK_EQUAL(strata_file_open(path.c_str(), flags, 1 << 20, &fd, &error), STRATA_OK);
  struct stat status;
  CHECK_EQUAL(fstat(fd, &status), 0);
  CHECK_EQUAL(status.st_size, 1 << 20);
  CHECK_EQUAL(fcntl(fd, F_GETFD), FD_CLOEXEC);
  CHECK_EQUAL(strata_file_close(fd, &error), STRATA_OK);
  CHECK_EQUAL(strata_file_close(fd, &error), STRATA_E_SYSTEM);
  CHECK_EQUAL(error, EBADF);
  // A file that is there keeps its size.
  CHECK_EQUAL(strata_file_open(path.c_str(), flags, 4096, &fd, &error), STRATA_OK);
  CHECK(fstat(fd, &status) == 0 && status.st_size == 1 << 20);
  CHECK_EQUAL(strata_file_close(fd, &error), STRATA_OK);
  CHECK_EQUAL(strata_file_open((path + "/below").c_str(), flags, 0, &fd, &error), STRATA_E_SYSTEM);
  CHECK_EQUAL(error, ENOTDIR);
}

// The file system in memory knows its size and refuses at once what is larger.
void no_room_to_reserve() {
  struct statvfs status;
  const char *folder = "/dev/shm";
  if (statvfs(folder, &status) != 0 || status.f_blocks == 0) {
    std::printf("no file system in memory with a bound at %s\n", folder);
    std::exit(tests::kSkipped);
  }
  const std::string path = std::string(folder) + "/strata-native-" + std::to_string(getpid());
  const auto bytes = static_cast<int64_t>(status.f_blocks * status.f_frsize + (1 << 20));
  const uint32_t flags = STRATA_FILE_BUFFERED | STRATA_FILE_CREATE;
  int32_t fd = 0;
  int32_t error = 0;
  CHECK_EQUAL(strata_file_open(path.c_str(), flags, bytes, &fd, &error), STRATA_E_SYSTEM);
  CHECK_EQUAL(error, ENOSPC);
  CHECK(!std::filesystem::exists(path));
}

}  // namespace

int main(int count, char **arguments) {
  const std::map<std::string, std::function<void()>> all = {
      {"handshake", handshake},
      {"probe_leaves_no_file", probe_leaves_no_file},
      {"probe_errors", probe_errors},
      {"sectors", sectors},
      {"sectors_of_a_partition", sectors_of_a_partition},
      {"sectors_that_nobody_tells", sectors_that_nobody_tells},
      {"open_and_close", open_and_close},
      {"no_room_to_reserve", no_room_to_reserve},
  };
  CHECK(count == 2 && all.contains(arguments[1]));
  all.at(arguments[1])();
  return EXIT_SUCCESS;
}
