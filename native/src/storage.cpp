// What a directory's file system and disk can do.
#include "storage.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace strata {

namespace {

constexpr mode_t kMode = 0600;
constexpr uint32_t kSafeSectorBytes = 4096;
constexpr uint32_t kMaxSectorBytes = 1 << 20;
constexpr int kMaxNames = 100;

// The file's number; 0 when there is none, or none that could be a sector's size.
uint32_t read_size(const char *path) noexcept {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return 0;
  }
  char text[32] = {};
  const ssize_t length = read(fd, text, sizeof(text) - 1);
  close(fd);
  const unsigned long long size = length > 0 ? std::strtoull(text, nullptr, 10) : 0;
  const bool is_power = size != 0 && (size & (size - 1)) == 0;
  return is_power && size <= kMaxSectorBytes ? static_cast<uint32_t>(size) : 0;
}

uint32_t read_queue_size(const char *root, unsigned major, unsigned minor, const char *name) noexcept {
  char path[512];
  // A partition has no queue of its own; the folder above it is the whole disk's.
  for (const char *up : {"", "../"}) {
    const int length = std::snprintf(path, sizeof(path), "%s/dev/block/%u:%u/%squeue/%s", root, major, minor, up, name);
    if (length > 0 && length < static_cast<int>(sizeof(path))) {
      const uint32_t size = read_size(path);
      if (size != 0) {
        return size;
      }
    }
  }
  return 0;
}

// struct statx as the kernel has it (include/uapi/linux/stat.h): C libraries define it, or not, in ways that clash.
struct FileStatus {
  uint32_t mask;
  uint8_t others[148];
  uint32_t direct_memory_alignment;
  uint32_t direct_offset_alignment;
  uint8_t rest[96];
};
static_assert(sizeof(FileStatus) == 256 && offsetof(FileStatus, direct_memory_alignment) == 0x98);

constexpr unsigned kDirectAlignment = 0x2000;  // STATX_DIOALIGN

// O_DIRECT's alignment as the file system itself tells it (Linux 6.1): the only source for those without a block
// device of their own, such as btrfs.
uint32_t direct_alignment(int fd) noexcept {
  FileStatus status = {};
  if (syscall(SYS_statx, fd, "", AT_EMPTY_PATH, kDirectAlignment, &status) != 0 ||
      (status.mask & kDirectAlignment) == 0) {
    return 0;
  }
  const uint32_t size = std::max(status.direct_memory_alignment, status.direct_offset_alignment);
  return (size & (size - 1)) == 0 && size <= kMaxSectorBytes ? size : 0;
}

// Not every file system has nameless files: a named one, removed at once, does as well.
int open_named(const char *directory, int mode) noexcept {
  char path[4096];
  for (int i = 0; i < kMaxNames; i++) {
    const int length = std::snprintf(path, sizeof(path), "%s/.strata-probe-%d-%d", directory, getpid(), i);
    if (length < 0 || length >= static_cast<int>(sizeof(path))) {
      errno = ENAMETOOLONG;
      return -1;
    }
    const int fd = open(path, mode | O_CREAT | O_EXCL, kMode);
    const int error = errno;
    if (fd >= 0) {
      unlink(path);
      return fd;
    }
    if (error != EEXIST) {
      // With O_DIRECT, EINVAL may come after the file was made.
      if (error == EINVAL) {
        unlink(path);
      }
      errno = error;
      return -1;
    }
  }
  return -1;
}

int open_probe(const char *directory, int mode) noexcept {
  const int fd = open(directory, O_TMPFILE | mode, kMode);
  const bool has_no_nameless = fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT || errno == EINVAL);
  return has_no_nameless ? open_named(directory, mode) : fd;
}

}  // namespace

void read_sector_sizes(const char *root, unsigned major, unsigned minor, strata_storage *storage) noexcept {
  const uint32_t logical = read_queue_size(root, major, minor, "logical_block_size");
  const uint32_t physical = read_queue_size(root, major, minor, "physical_block_size");
  storage->logical_bytes = logical != 0 ? logical : storage->logical_bytes;
  storage->physical_bytes = physical != 0 ? physical : storage->physical_bytes;
}

uint32_t sector_size(const strata_storage &storage) noexcept {
  const uint32_t known = std::max(storage.logical_bytes, storage.physical_bytes);
  if (known == 0 && storage.is_direct != 0) {
    return kSafeSectorBytes;
  }
  return std::max<uint32_t>(known, STRATA_MIN_SECTOR_BYTES);
}

}  // namespace strata

extern "C" int32_t strata_storage_probe(const char *directory, strata_storage *storage, int32_t *error) noexcept {
  *storage = {};
  *error = 0;
  const int mode = O_RDWR | O_CLOEXEC;
  int fd = strata::open_probe(directory, mode | O_DIRECT);
  storage->is_direct = fd >= 0 ? 1 : 0;
  if (fd < 0 && (errno == EINVAL || errno == EOPNOTSUPP)) {
    fd = strata::open_probe(directory, mode);
  }
  struct stat status;
  if (fd < 0 || fstat(fd, &status) != 0) {
    *error = errno;
    if (fd >= 0) {
      close(fd);
    }
    return STRATA_E_SYSTEM;
  }
  if (storage->is_direct != 0) {
    storage->logical_bytes = strata::direct_alignment(fd);
  }
  strata::read_sector_sizes("/sys", major(status.st_dev), minor(status.st_dev), storage);
  storage->sector_bytes = strata::sector_size(*storage);
  close(fd);
  return STRATA_OK;
}
