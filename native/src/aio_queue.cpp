// libaio: one context for the queue, one io_submit for a batch. Completions are taken from the ring that the kernel
// maps into the process, without a system call, where it has the layout known here.
//
// The kernel cannot be told to notify only now and then, so that every request carries the eventfd (IOCB_FLAG_RESFD).
#include <libaio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "queue.h"

namespace strata {

namespace {

constexpr uint32_t kEventsAtOnce = 64;

// Times in a row that the kernel may refuse a submission for want of room while none of the queue's requests ends.
constexpr uint32_t kMaxRefusals = 64;

// What an aio context's address points to (struct aio_ring of the kernel's fs/aio.c, unchanged since Linux 2.6).
struct CompletionRing {
  unsigned id;
  unsigned entries;
  unsigned head;  // the reader's
  unsigned tail;  // the kernel's
  unsigned magic;
  unsigned compatible_features;
  unsigned incompatible_features;
  unsigned header_bytes;
  struct io_event events[];
};

constexpr unsigned kRingMagic = 0xa10a10a1;

class AioQueue final : public Queue {
 public:
  ~AioQueue() override;

 protected:
  int open_backend() noexcept override;
  void stop_backend() noexcept override;
  void stage(uint32_t slot) noexcept override;
  bool has_staged() const noexcept override { return first_ < end_; }
  void flush() noexcept override;
  void harvest() noexcept override;
  int wait(uint32_t count) noexcept override;
  bool has_results() const noexcept override;
  bool arm_backend() noexcept override;

 private:
  void take(const struct io_event &event) noexcept;
  void take_from_ring() noexcept;
  int take_from_kernel(uint32_t least) noexcept;
  void refuse_first(int error) noexcept;
  uint32_t running() const noexcept { return pending() - (end_ - first_); }

  io_context_t context_ = nullptr;
  CompletionRing *ring_ = nullptr;  // null where its layout is another
  struct iocb *blocks_ = nullptr;   // by slot
  struct iocb **staged_ = nullptr;  // those from first_ to end_ are to be submitted
  uint32_t first_ = 0;
  uint32_t end_ = 0;
};

AioQueue::~AioQueue() {
  stop_backend();
  std::free(blocks_);
  std::free(staged_);
}

int AioQueue::open_backend() noexcept {
  blocks_ = static_cast<struct iocb *>(std::calloc(depth(), sizeof(struct iocb)));
  staged_ = static_cast<struct iocb **>(std::calloc(depth(), sizeof(struct iocb *)));
  if (blocks_ == nullptr || staged_ == nullptr) {
    return ENOMEM;
  }
  const int result = io_setup(static_cast<int>(depth()), &context_);
  if (result != 0) {
    context_ = nullptr;
    return -result;
  }
  auto *ring = reinterpret_cast<CompletionRing *>(context_);
  const bool is_known = ring->magic == kRingMagic && ring->incompatible_features == 0;
  if (is_known && (flags_ & STRATA_QUEUE_NO_PEEK) == 0) {
    ring_ = ring;
  } else {
    flags_ |= STRATA_QUEUE_NO_PEEK;
  }
  return 0;
}

void AioQueue::stop_backend() noexcept {
  if (context_ != nullptr) {
    io_destroy(context_);  // Waits for what is in flight, whichever thread calls.
    context_ = nullptr;
  }
}

void AioQueue::stage(uint32_t slot) noexcept {
  if (end_ == depth()) {
    // No slot is staged twice, so that there is room at the front.
    std::memmove(staged_, staged_ + first_, (end_ - first_) * sizeof(struct iocb *));
    end_ -= first_;
    first_ = 0;
  }
  const Request &r = request(slot);
  struct iocb *block = &blocks_[slot];
  const auto offset = static_cast<long long>(r.offset + r.done);
  if (r.is_write) {
    io_prep_pwrite(block, r.fd, r.buffer + r.done, r.bytes - r.done, offset);
  } else {
    io_prep_pread(block, r.fd, r.buffer + r.done, r.bytes - r.done, offset);
  }
  io_set_eventfd(block, event_fd_);
  block->data = reinterpret_cast<void *>(static_cast<uintptr_t>(slot));
  staged_[end_++] = block;
}

void AioQueue::flush() noexcept {
  uint32_t refusals = 0;
  while (has_staged()) {
    const int result = io_submit(context_, static_cast<long>(end_ - first_), staged_ + first_);
    if (result > 0) {
      first_ += static_cast<uint32_t>(result);
      refusals = 0;
    } else if (result == 0 || result == -EAGAIN) {
      // No room in the context: requests that end give some.
      const uint32_t before = running();
      harvest();
      if (running() > 0) {
        wait(1);  // Should it fail, nothing has ended, which is counted.
      }
      if (running() == before && ++refusals > kMaxRefusals) {
        refuse_first(EAGAIN);
      }
    } else if (result != -EINTR) {
      refuse_first(-result);  // An error is always the first one's: those before it would have been counted.
    }
  }
  first_ = end_ = 0;
}

void AioQueue::refuse_first(int error) noexcept {
  const auto slot = static_cast<uint32_t>(staged_[first_] - blocks_);
  first_++;
  finish(slot, -error);
}

void AioQueue::harvest() noexcept {
  if (ring_ != nullptr) {
    take_from_ring();
  } else if (running() > 0) {
    take_from_kernel(0);
  }
}

int AioQueue::wait(uint32_t count) noexcept { return take_from_kernel(count); }

// Without the ring nobody knows before asking the kernel.
bool AioQueue::has_results() const noexcept {
  if (ring_ == nullptr) {
    return running() > 0;
  }
  return ring_->head != std::atomic_ref<unsigned>(ring_->tail).load(std::memory_order_acquire);
}

// Every completion is told of; only those from before need to be looked for.
bool AioQueue::arm_backend() noexcept {
  if (ring_ != nullptr) {
    return !has_results();
  }
  const uint32_t before = running();
  harvest();
  return running() == before;
}

void AioQueue::take(const struct io_event &event) noexcept {
  on_result(static_cast<uint32_t>(reinterpret_cast<uintptr_t>(event.data)), static_cast<int64_t>(event.res));
}

void AioQueue::take_from_ring() noexcept {
  const unsigned tail = std::atomic_ref<unsigned>(ring_->tail).load(std::memory_order_acquire);
  unsigned head = ring_->head;
  while (head != tail) {
    take(ring_->events[head]);
    head = head + 1 == ring_->entries ? 0 : head + 1;
  }
  std::atomic_ref<unsigned>(ring_->head).store(head, std::memory_order_release);
}

int AioQueue::take_from_kernel(uint32_t least) noexcept {
  struct io_event events[kEventsAtOnce];
  struct timespec at_once = {};
  int result;
  do {
    result =
        io_getevents(context_, std::min(least, kEventsAtOnce), kEventsAtOnce, events, least > 0 ? nullptr : &at_once);
    for (int i = 0; i < result; i++) {
      take(events[i]);
    }
    least -= std::min(least, result > 0 ? static_cast<uint32_t>(result) : 0);
  } while (result == static_cast<int>(kEventsAtOnce));
  return result >= 0 || result == -EINTR ? 0 : -result;
}

}  // namespace

Queue *make_aio_queue() noexcept { return new (std::nothrow) AioQueue(); }

}  // namespace strata
