// io_uring. The ring is the queue's own: one thread submits (SINGLE_ISSUER) and runs the completions' kernel work when
// it asks for them (DEFER_TASKRUN), so that no interrupt disturbs it. Older kernels get COOP_TASKRUN or neither.
//
// The eventfd is switched off (IORING_CQ_EVENTFD_DISABLED) except between arm and the next harvest: a busy worker pays
// for no notice that it does not need.
#include <fcntl.h>
#include <liburing.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <new>

#include "queue.h"

namespace strata {

namespace {

// The completion of a submission that was turned into a nop.
constexpr uint64_t kIgnored = UINT64_MAX;

// Times in a row that the kernel may refuse a submission for want of memory or room while none of the queue's requests
// ends.
constexpr uint32_t kMaxRefusals = 64;

// Longer than a disk takes for a queue full of requests.
constexpr useconds_t kEndOfMostRequestsUs = 3000;

// musl has had gettid() only since 1.2.
pid_t current_thread() noexcept { return static_cast<pid_t>(syscall(SYS_gettid)); }

class UringQueue final : public Queue {
 public:
  ~UringQueue() override;
  int register_memory(uint8_t *memory, uint64_t bytes) noexcept override;

 protected:
  int open_backend() noexcept override;
  void stop_backend() noexcept override;
  void stage(uint32_t slot) noexcept override;
  bool has_staged() const noexcept override { return io_uring_sq_ready(&ring_) > 0; }
  void flush() noexcept override;
  void harvest() noexcept override;
  int wait(uint32_t count) noexcept override;
  bool has_results() const noexcept override;
  bool arm_backend() noexcept override;

 private:
  int open_ring() noexcept;
  int check_operations() noexcept;
  int watch_ring() noexcept;
  void take_completions() noexcept;
  void refuse(int error) noexcept;
  bool is_registered(const uint8_t *memory, uint32_t bytes) const noexcept;
  void set_notices(bool on) noexcept;
  bool holds_back() const noexcept;
  uint32_t running() const noexcept { return pending() - (io_uring_sq_ready(&ring_) - nops_); }

  struct io_uring ring_ = {};
  bool is_open_ = false;
  bool is_armed_ = false;
  uint32_t nops_ = 0;  // staged entries that stand for no request
  pid_t owner_ = 0;
  uintptr_t registered_ = 0;
  uint64_t registered_bytes_ = 0;
  int ring_watch_ = -1;  // the read end of a pipe whose only write end the ring holds
};

UringQueue::~UringQueue() {
  if (is_open_) {
    io_uring_queue_exit(&ring_);
  }
  if (ring_watch_ >= 0) {
    ::close(ring_watch_);
  }
}

int UringQueue::open_backend() noexcept {
  owner_ = current_thread();
  int error = open_ring();
  if (error != 0) {
    return error;
  }
  is_open_ = true;
  error = check_operations();
  if (error != 0) {
    return error;
  }
  error = -io_uring_register_eventfd(&ring_, event_fd_);
  if (error != 0) {
    return error;
  }
  set_notices(false);
  return watch_ring();
}

// From the best a kernel can do to what the first ones could: each refuses with EINVAL what it does not know.
int UringQueue::open_ring() noexcept {
  struct Step {
    uint32_t setup;
    uint32_t without;
  };
  const Step steps[] = {
      {IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_TASKRUN_FLAG,
       0},
      {IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG, STRATA_QUEUE_NO_DEFER},
      {0, STRATA_QUEUE_NO_DEFER | STRATA_QUEUE_NO_COOP},
  };
  const uint32_t asked = flags_ & (STRATA_QUEUE_NO_DEFER | STRATA_QUEUE_NO_COOP);
  const uint32_t others = flags_ & ~asked;
  const uint32_t without = (asked & STRATA_QUEUE_NO_COOP) != 0 ? asked | STRATA_QUEUE_NO_DEFER : asked;
  int result = -EINVAL;
  for (const Step &step : steps) {
    if ((step.without & without) != without) {
      continue;
    }
    struct io_uring_params parameters = {};
    parameters.flags = step.setup;
    // One entry of the submission ring for each request: staging never finds it full but for nops.
    result = io_uring_queue_init_params(depth(), &ring_, &parameters);
    if (result != -EINVAL) {
      flags_ = others | step.without;
      break;
    }
  }
  return -result;
}

// IORING_OP_READ and the query itself came with Linux 5.6; what is older counts as without io_uring.
int UringQueue::check_operations() noexcept {
  constexpr unsigned kOperations = IORING_OP_WRITE + 1;
  static_assert(IORING_OP_WRITE > IORING_OP_READ);
  alignas(struct io_uring_probe)
      uint8_t memory[sizeof(struct io_uring_probe) + kOperations * sizeof(struct io_uring_probe_op)] = {};
  auto *probe = reinterpret_cast<struct io_uring_probe *>(memory);
  const int result = io_uring_register_probe(&ring_, probe, kOperations);
  if (result != 0) {
    return result == -EINVAL ? ENOSYS : -result;
  }
  const bool is_enough =
      io_uring_opcode_supported(probe, IORING_OP_READ) != 0 && io_uring_opcode_supported(probe, IORING_OP_WRITE) != 0;
  return is_enough ? 0 : ENOSYS;
}

// Gives the ring the write end of a pipe as a registered file, and keeps the read end. The kernel lets go of it only
// after the last request of a closed ring, so that the pipe's hang-up is the news that no buffer is touched any more.
// Nothing else tells a thread that is not the ring's own.
int UringQueue::watch_ring() noexcept {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return errno;
  }
  ring_watch_ = ends[0];
  const int result = io_uring_register_files(&ring_, &ends[1], 1);
  ::close(ends[1]);
  return -result;
}

int UringQueue::register_memory(uint8_t *memory, uint64_t bytes) noexcept {
  const struct iovec piece = {memory, static_cast<size_t>(bytes)};
  const int result = io_uring_register_buffers(&ring_, &piece, 1);
  if (result == 0) {
    registered_ = reinterpret_cast<uintptr_t>(memory);
    registered_bytes_ = bytes;
  }
  return -result;
}

bool UringQueue::is_registered(const uint8_t *memory, uint32_t bytes) const noexcept {
  const uintptr_t offset = reinterpret_cast<uintptr_t>(memory) - registered_;
  return bytes <= registered_bytes_ && offset <= registered_bytes_ - bytes;
}

void UringQueue::stop_backend() noexcept {
  int error = current_thread() == owner_ ? 0 : EEXIST;
  while (error == 0 && running() > 0) {
    error = wait_patiently(1);
  }
  if (error != 0 && running() > 0) {
    // The kernel looks at a closed ring's requests only every 50 ms: most often this lets all of them end before.
    usleep(kEndOfMostRequestsUs);
  }
  io_uring_queue_exit(&ring_);
  is_open_ = false;
  while (error != 0) {
    struct pollfd watched = {ring_watch_, 0, 0};
    if (poll(&watched, 1, -1) > 0) {
      break;
    }
  }
}

void UringQueue::stage(uint32_t slot) noexcept {
  struct io_uring_sqe *entry = io_uring_get_sqe(&ring_);
  if (entry == nullptr) {
    // Nops of submissions that failed fill the ring, and the kernel still takes none.
    finish(slot, -EBUSY);
    return;
  }
  const Request &r = request(slot);
  uint8_t *memory = r.buffer + r.done;
  const uint32_t bytes = r.bytes - r.done;
  uint8_t operation = r.is_write ? IORING_OP_WRITE : IORING_OP_READ;
  if (is_registered(memory, bytes)) {
    operation = r.is_write ? IORING_OP_WRITE_FIXED : IORING_OP_READ_FIXED;
  }
  io_uring_prep_rw(operation, entry, r.fd, memory, bytes, r.offset + r.done);  // Of registered memory, piece 0.
  entry->user_data = slot;
}

void UringQueue::flush() noexcept {
  uint32_t refusals = 0;
  while (has_staged()) {
    // With DEFER_TASKRUN the same call hands over what has ended meanwhile.
    const int result = io_uring_submit_and_get_events(&ring_);
    if (result > 0) {
      // A batch is taken from its beginning, and nops are older than any request.
      nops_ -= std::min(nops_, static_cast<uint32_t>(result));
      refusals = 0;
    } else if (result == 0 || result == -EAGAIN || result == -EBUSY) {
      // The kernel wants memory or room: requests that end give both.
      const uint32_t before = running();
      take_completions();
      if (running() > 0) {
        wait(1);  // Should it fail, nothing has ended, which is counted.
      }
      if (running() == before && ++refusals > kMaxRefusals) {
        refuse(EAGAIN);
        return;
      }
    } else if (result != -EINTR) {
      refuse(-result);
      return;
    }
  }
}

// Finishes the requests of all staged entries. The entries cannot be taken back from the ring: they become nops, to be
// taken by a submission that succeeds.
void UringQueue::refuse(int error) noexcept {
  const unsigned mask = *ring_.sq.kring_mask;
  for (unsigned at = *ring_.sq.khead; at != ring_.sq.sqe_tail; at++) {
    struct io_uring_sqe *entry = &ring_.sq.sqes[at & mask];
    if (entry->user_data == kIgnored) {
      continue;
    }
    const uint32_t slot = static_cast<uint32_t>(entry->user_data);
    io_uring_prep_nop(entry);
    entry->user_data = kIgnored;
    nops_++;
    finish(slot, -error);
  }
}

void UringQueue::harvest() noexcept {
  if (is_armed_) {
    is_armed_ = false;
    set_notices(false);
  }
  if (io_uring_cq_ready(&ring_) == 0 && holds_back()) {
    io_uring_get_events(&ring_);  // Whatever it says: what it handed over is seen below, the rest next time.
  }
  take_completions();
}

void UringQueue::take_completions() noexcept {
  const unsigned count = io_uring_cq_ready(&ring_);
  const unsigned mask = *ring_.cq.kring_mask;
  const unsigned head = *ring_.cq.khead;
  for (unsigned i = 0; i < count; i++) {
    const struct io_uring_cqe &completion = ring_.cq.cqes[(head + i) & mask];
    if (completion.user_data != kIgnored) {
      on_result(static_cast<uint32_t>(completion.user_data), completion.res);
    }
  }
  io_uring_cq_advance(&ring_, count);
}

int UringQueue::wait(uint32_t count) noexcept {
  const int result = io_uring_enter(static_cast<unsigned>(ring_.ring_fd), 0, count, IORING_ENTER_GETEVENTS, nullptr);
  take_completions();
  return result >= 0 || result == -EINTR ? 0 : -result;
}

// The kernel has completions that it posts only when entered.
bool UringQueue::holds_back() const noexcept {
  const unsigned flags = std::atomic_ref<unsigned>(*ring_.sq.kflags).load(std::memory_order_relaxed);
  return (flags & (IORING_SQ_TASKRUN | IORING_SQ_CQ_OVERFLOW)) != 0;
}

bool UringQueue::has_results() const noexcept { return io_uring_cq_ready(&ring_) > 0 || holds_back(); }

bool UringQueue::arm_backend() noexcept {
  is_armed_ = true;
  set_notices(true);
  // Whoever completes a request reads the flag after it has posted; the fence makes one of the two see the other.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!has_results()) {
    return true;
  }
  is_armed_ = false;
  set_notices(false);
  return false;
}

void UringQueue::set_notices(bool on) noexcept {
  // Kernels before 5.8 have no such flag and always notify.
  if (ring_.cq.kflags != nullptr) {
    std::atomic_ref<unsigned>(*ring_.cq.kflags)
        .store(on ? 0 : static_cast<unsigned>(IORING_CQ_EVENTFD_DISABLED), std::memory_order_relaxed);
  }
}

}  // namespace

Queue *make_uring_queue() noexcept { return new (std::nothrow) UringQueue(); }

}  // namespace strata
