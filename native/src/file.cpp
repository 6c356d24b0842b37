// Opening and closing files.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "device.h"

namespace {

constexpr mode_t kMode = 0600;

// 0 or an errno; where the file system cannot allocate, nothing is done.
int reserve(int fd, int64_t bytes) noexcept {
  struct stat status;
  if (fstat(fd, &status) != 0) {
    return errno;
  }
  if (!S_ISREG(status.st_mode) || status.st_size >= bytes) {
    return 0;
  }
  int result;
  do {
    result = fallocate(fd, 0, 0, bytes);
  } while (result != 0 && errno == EINTR);
  return result == 0 || errno == EOPNOTSUPP || errno == ENOSYS ? 0 : errno;
}

}  // namespace

extern "C" int32_t strata_file_open(const char *path, uint32_t flags, int64_t reserve_bytes, int32_t *fd,
                                    int32_t *error) noexcept {
  *fd = -1;
  *error = 0;
  const int mode = O_RDWR | O_CLOEXEC | ((flags & STRATA_FILE_BUFFERED) != 0 ? 0 : O_DIRECT);
  bool is_new = false;
  int opened;
  do {
    opened = open(path, mode);
    if (opened < 0 && errno == ENOENT && (flags & STRATA_FILE_CREATE) != 0) {
      opened = open(path, mode | O_CREAT | O_EXCL, kMode);
      is_new = opened >= 0;
    }
    // EEXIST: another one made it between the two calls.
  } while (opened < 0 && (errno == EINTR || errno == EEXIST));
  if (opened < 0) {
    *error = errno;
    return STRATA_E_SYSTEM;
  }

  const int refused = reserve_bytes > 0 ? reserve(opened, reserve_bytes) : 0;
  if (refused != 0) {
    close(opened);
    if (is_new) {
      unlink(path);
    }
    *error = refused;
    return STRATA_E_SYSTEM;
  }
  *fd = opened;
  return STRATA_OK;
}

extern "C" int32_t strata_file_close(int32_t fd, int32_t *error) noexcept {
  // EINTR too leaves the descriptor closed on Linux: it must not be closed again.
  *error = close(fd) == 0 || errno == EINTR ? 0 : errno;
  return *error == 0 ? STRATA_OK : STRATA_E_SYSTEM;
}
