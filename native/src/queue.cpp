#include "queue.h"

#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

namespace strata {

namespace {

// A transfer that ends again and again without moving a byte or saying why is given up: nothing may go on forever.
constexpr uint32_t kMaxAttempts = 64;

bool is_transient(int64_t result) noexcept { return result == -EAGAIN || result == -EINTR; }

}  // namespace

bool is_at_end(int fd, uint64_t offset) noexcept {
  struct stat status;
  if (fstat(fd, &status) != 0) {
    return false;
  }
  // Only a regular file tells its size; anything else that gives nothing has nothing.
  return !S_ISREG(status.st_mode) || offset >= static_cast<uint64_t>(status.st_size);
}

Queue::~Queue() {
  if (event_fd_ >= 0) {
    ::close(event_fd_);
  }
  std::free(requests_);
  std::free(free_slots_);
  std::free(finished_slots_);
}

int Queue::open(uint32_t depth, uint32_t flags) noexcept {
  requests_ = static_cast<Request *>(std::calloc(depth, sizeof(Request)));
  free_slots_ = static_cast<uint32_t *>(std::calloc(depth, sizeof(uint32_t)));
  finished_slots_ = static_cast<uint32_t *>(std::calloc(depth, sizeof(uint32_t)));
  if (requests_ == nullptr || free_slots_ == nullptr || finished_slots_ == nullptr) {
    return ENOMEM;
  }
  for (uint32_t i = 0; i < depth; i++) {
    free_slots_[i] = depth - 1 - i;
  }
  depth_ = free_ = depth;
  flags_ = flags;
  event_fd_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return event_fd_ < 0 ? errno : open_backend();
}

void Queue::stop() noexcept {
  if (!is_stopped_) {
    is_stopped_ = true;
    stop_backend();
    eventfd_write(event_fd_, 1);  // Fails only when the descriptor is readable already.
  }
}

int Queue::register_memory(uint8_t *, uint64_t) noexcept { return 0; }

bool Queue::prepare(const Request &request) noexcept {
  if (free_ == 0) {
    return false;
  }
  const uint32_t slot = free_slots_[--free_];
  requests_[slot] = request;
  stage(slot);
  return true;
}

void Queue::submit() noexcept {
  if (has_staged()) {
    flush();
  }
}

int Queue::reap(strata_completion *completions, uint32_t capacity, uint32_t least, uint32_t *reaped) noexcept {
  *reaped = 0;
  if (finished_ < capacity) {
    harvest();
    submit();
  }
  int error = 0;
  const uint32_t wanted = std::min(least, capacity);
  while (error == 0 && finished_ < wanted && pending() > 0) {
    error = wait_patiently(std::min(wanted - finished_, pending()));
    submit();
  }
  *reaped = std::min(finished_, capacity);
  take(completions, *reaped);
  return *reaped > 0 ? 0 : error;
}

int Queue::wait_patiently(uint32_t count) noexcept {
  const uint32_t before = pending();
  int error = EAGAIN;
  for (uint32_t i = 0; i < kMaxAttempts && (error == EAGAIN || error == EBUSY) && pending() == before; i++) {
    error = wait(count);
  }
  return pending() == before ? error : 0;
}

void Queue::take(strata_completion *completions, uint32_t count) noexcept {
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t slot = finished_slots_[oldest_finished_];
    oldest_finished_ = oldest_finished_ + 1 == depth_ ? 0 : oldest_finished_ + 1;
    completions[i] = {requests_[slot].token, requests_[slot].result, 0};
    free_slots_[free_++] = slot;
  }
  finished_ -= count;
}

void Queue::finish(uint32_t slot, int32_t result) noexcept {
  requests_[slot].result = result;
  uint32_t at = oldest_finished_ + finished_;
  if (at >= depth_) {
    at -= depth_;
  }
  finished_slots_[at] = slot;
  finished_++;
}

void Queue::on_result(uint32_t slot, int64_t result) noexcept {
  Request &r = requests_[slot];
  if (result < 0 && !is_transient(result)) {
    finish(slot, static_cast<int32_t>(result));
    return;
  }
  if (result > 0) {
    r.attempts = 0;
    r.done += static_cast<uint32_t>(result);
    if (r.done >= r.bytes) {
      finish(slot, static_cast<int32_t>(r.done));
      return;
    }
  }
  if (result >= 0 && !r.is_write) {
    // Bytes that end inside a sector are the file's last; on a sector's edge, or with none, only its size can tell.
    const bool is_end = r.done % STRATA_MIN_SECTOR_BYTES != 0 || is_at_end(r.fd, r.offset + r.done);
    if (is_end) {
      finish(slot, static_cast<int32_t>(r.done));
      return;
    }
  }
  if (++r.attempts > kMaxAttempts) {
    finish(slot, result < 0 ? static_cast<int32_t>(result) : -EIO);
    return;
  }
  stage(slot);
}

}  // namespace strata
