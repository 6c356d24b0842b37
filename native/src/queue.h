// What both backends share: the table of requests, the queue of finished ones, and what becomes of a result. A backend
// starts requests and brings results; it belongs to one thread and holds no lock.
#ifndef STRATA_QUEUE_H
#define STRATA_QUEUE_H

#include <cstdint>

#include "device.h"

namespace strata {

// A read or write from its preparation until it is reaped.
struct Request {
  uint64_t token;
  uint64_t offset;
  uint8_t *buffer;
  uint32_t bytes;
  uint32_t done;  // transferred so far
  int32_t fd;
  int32_t result;     // once it is finished
  uint32_t attempts;  // transfers in a row that moved nothing
  bool is_write;
};

class Queue {
 public:
  Queue() = default;
  Queue(const Queue &) = delete;
  Queue &operator=(const Queue &) = delete;
  virtual ~Queue();

  // 0, or the errno of what could not be had.
  int open(uint32_t depth, uint32_t flags) noexcept;

  // False when the queue is full.
  bool prepare(const Request &request) noexcept;

  void submit() noexcept;

  // Memory that many requests will lie in. 0, also where nothing is gained by knowing it, or an errno.
  virtual int register_memory(uint8_t *memory, uint64_t bytes) noexcept;

  // 0, or the errno of a wait that the kernel refused.
  int reap(strata_completion *completions, uint32_t capacity, uint32_t least, uint32_t *reaped) noexcept;

  bool is_ready() const noexcept { return finished_ > 0 || has_results(); }
  bool arm() noexcept { return finished_ == 0 && arm_backend(); }
  int descriptor() const noexcept { return event_fd_; }
  uint32_t flags() const noexcept { return flags_; }

  // Waits for the kernel to let go of all buffers; a second call does nothing. Any thread.
  void stop() noexcept;

 protected:
  // Prepared, staged or in the kernel: everything but what is finished.
  uint32_t pending() const noexcept { return depth_ - free_ - finished_; }
  uint32_t depth() const noexcept { return depth_; }
  Request &request(uint32_t slot) noexcept { return requests_[slot]; }

  // A transfer has ended with bytes or minus an errno: finishes its request, or stages what is left of it.
  void on_result(uint32_t slot, int64_t result) noexcept;
  void finish(uint32_t slot, int32_t result) noexcept;
  // Waits again while the kernel asks for it (EAGAIN, EBUSY), but not forever.
  int wait_patiently(uint32_t count) noexcept;

  virtual int open_backend() noexcept = 0;
  virtual void stop_backend() noexcept = 0;
  // Puts the rest of the request in line for the next flush. Makes no system call and cannot fail.
  virtual void stage(uint32_t slot) noexcept = 0;
  virtual bool has_staged() const noexcept = 0;
  // Starts all that is staged; what the kernel refuses is finished with the error.
  virtual void flush() noexcept = 0;
  // Takes results that are there; enters the kernel only when it says that it holds some back.
  virtual void harvest() noexcept = 0;
  // Waits for count more results and takes them. 0, also when interrupted, or an errno.
  virtual int wait(uint32_t count) noexcept = 0;
  virtual bool has_results() const noexcept = 0;
  virtual bool arm_backend() noexcept = 0;

  uint32_t flags_ = 0;
  int event_fd_ = -1;

 private:
  void take(strata_completion *completions, uint32_t count) noexcept;

  Request *requests_ = nullptr;
  uint32_t *free_slots_ = nullptr;      // a stack
  uint32_t *finished_slots_ = nullptr;  // a ring
  uint32_t depth_ = 0;
  uint32_t free_ = 0;
  uint32_t finished_ = 0;
  uint32_t oldest_finished_ = 0;
  bool is_stopped_ = false;
};

Queue *make_uring_queue() noexcept;
Queue *make_aio_queue() noexcept;

// Whether an offset is at or past the end of the file.
bool is_at_end(int fd, uint64_t offset) noexcept;

}  // namespace strata

#endif
