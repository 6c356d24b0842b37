// Queues against the kernel this runs on: every test with every backend, and with what older kernels lack turned off.
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "check.h"
#include "device.h"

namespace {

constexpr uint32_t kBlock = 4096;
constexpr uint32_t kBlocks = 64;

strata_queue_options options = {};

struct Free {
  void operator()(uint8_t *memory) const { std::free(memory); }
};

// A queue of this depth, a file of kBlocks blocks, each full of its number, and memory of the same size.
class Bench {
 public:
  explicit Bench(uint32_t depth = kBlocks) : memory_(static_cast<uint8_t *>(std::aligned_alloc(kBlock, kBytes))) {
    const std::string path = folder_.file("f");
    int32_t error = 0;
    strata_storage storage = {};
    CHECK_EQUAL(strata_storage_probe(folder_.path().c_str(), &storage, &error), STRATA_OK);
    const uint32_t flags = storage.is_direct != 0 ? 0 : STRATA_FILE_BUFFERED;
    CHECK_EQUAL(strata_file_open(path.c_str(), flags | STRATA_FILE_CREATE, 0, &fd, &error), STRATA_OK);
    for (uint32_t i = 0; i < kBlocks; i++) {
      std::memset(block(i), static_cast<int>(i), kBlock);
    }
    CHECK_EQUAL(pwrite(fd, memory_.get(), kBytes, 0), kBytes);
    std::memset(memory_.get(), 0xff, kBytes);
    options.depth = depth;
    CHECK_EQUAL(strata_queue_open(&options, &queue, &error), STRATA_OK);
  }
  ~Bench() {
    CHECK_EQUAL(strata_queue_close(queue), STRATA_OK);
    int32_t error = 0;
    CHECK_EQUAL(strata_file_close(fd, &error), STRATA_OK);
  }
  Bench(const Bench &) = delete;
  Bench &operator=(const Bench &) = delete;

  static constexpr uint32_t kBytes = kBlock * kBlocks;

  uint8_t *block(uint32_t i) { return memory_.get() + i * kBlock; }
  bool is_block(uint32_t i, uint32_t number) {
    for (uint32_t at = 0; at < kBlock; at++) {
      if (block(i)[at] != number) {
        return false;
      }
    }
    return true;
  }
  int32_t read(uint32_t i) { return strata_queue_read(queue, fd, i * kBlock, block(i), kBlock, i); }

  // The completions of so many requests, by token.
  std::map<uint64_t, int32_t> reap(uint32_t count) {
    std::map<uint64_t, int32_t> results;
    while (results.size() < count) {
      std::vector<strata_completion> completions(count);
      uint32_t reaped = 0;
      int32_t error = 0;
      CHECK_EQUAL(strata_queue_reap(queue, completions.data(), count, 1, &reaped, &error), STRATA_OK);
      CHECK(reaped > 0);
      for (uint32_t i = 0; i < reaped; i++) {
        CHECK(results.emplace(completions[i].token, completions[i].result).second);
      }
    }
    return results;
  }
  int32_t only_result() {
    CHECK_EQUAL(strata_queue_submit(queue), STRATA_OK);
    return reap(1).begin()->second;
  }
  bool is_told(int timeout_ms) {
    struct pollfd watched = {strata_queue_descriptor(queue), POLLIN, 0};
    return poll(&watched, 1, timeout_ms) == 1;
  }

  strata_queue *queue = nullptr;
  int32_t fd = -1;

 private:
  tests::Folder folder_;
  std::unique_ptr<uint8_t, Free> memory_;
};

void round_trip() {
  Bench bench;
  std::memset(bench.block(0), 0xab, kBlock);
  CHECK_EQUAL(strata_queue_write(bench.queue, bench.fd, 5 * kBlock, bench.block(0), kBlock, 7), STRATA_OK);
  CHECK_EQUAL(bench.only_result(), kBlock);
  CHECK_EQUAL(bench.read(5), STRATA_OK);
  CHECK_EQUAL(bench.only_result(), kBlock);
  CHECK(bench.is_block(5, 0xab));
}

void read_all_blocks(Bench &bench) {
  for (uint32_t i = 0; i < kBlocks; i++) {
    CHECK_EQUAL(bench.read(i), STRATA_OK);
  }
  CHECK_EQUAL(strata_queue_submit(bench.queue), STRATA_OK);
  const auto results = bench.reap(kBlocks);
  for (uint32_t i = 0; i < kBlocks; i++) {
    CHECK_EQUAL(results.at(i), kBlock);
    CHECK(bench.is_block(i, i));
  }
}

void batch() {
  Bench bench;
  read_all_blocks(bench);
}

void end_of_file() {
  Bench bench;
  CHECK_EQUAL(ftruncate(bench.fd, 3 * kBlock + 100), 0);
  CHECK_EQUAL(strata_queue_read(bench.queue, bench.fd, 2 * kBlock, bench.block(0), 4 * kBlock, 1), STRATA_OK);
  CHECK_EQUAL(bench.only_result(), kBlock + 100);
  CHECK_EQUAL(ftruncate(bench.fd, 3 * kBlock), 0);
  CHECK_EQUAL(strata_queue_read(bench.queue, bench.fd, 2 * kBlock, bench.block(0), 4 * kBlock, 1), STRATA_OK);
  CHECK_EQUAL(bench.only_result(), kBlock);
  CHECK_EQUAL(strata_queue_read(bench.queue, bench.fd, 9 * kBlock, bench.block(0), kBlock, 1), STRATA_OK);
  CHECK_EQUAL(bench.only_result(), 0);
}

// Requests within the registered memory, beside it and across its end.
void registered_memory() {
  Bench bench;
  constexpr uint32_t kRegistered = 8;
  int32_t error = 0;
  CHECK_EQUAL(strata_queue_register(bench.queue, bench.block(kRegistered), kRegistered * kBlock, &error), STRATA_OK);
  CHECK_EQUAL(error, 0);
  read_all_blocks(bench);
  for (uint32_t i = 2; i < 2 * kRegistered + 2; i += 4) {
    std::memset(bench.block(i), 0xab, 4 * kBlock);
    CHECK_EQUAL(strata_queue_write(bench.queue, bench.fd, i * kBlock, bench.block(i), 4 * kBlock, i), STRATA_OK);
    CHECK_EQUAL(bench.only_result(), 4 * kBlock);
    std::memset(bench.block(i), 0, 4 * kBlock);
    CHECK_EQUAL(strata_queue_read(bench.queue, bench.fd, i * kBlock, bench.block(i), 4 * kBlock, i), STRATA_OK);
    CHECK_EQUAL(bench.only_result(), 4 * kBlock);
    CHECK(bench.is_block(i, 0xab) && bench.is_block(i + 3, 0xab));
  }
}

void registered_end_of_file() {
  Bench bench;
  int32_t error = 0;
  CHECK_EQUAL(strata_queue_register(bench.queue, bench.block(0), Bench::kBytes, &error), STRATA_OK);
  CHECK_EQUAL(ftruncate(bench.fd, 3 * kBlock + 100), 0);
  CHECK_EQUAL(strata_queue_read(bench.queue, bench.fd, 2 * kBlock, bench.block(0), 4 * kBlock, 1), STRATA_OK);
  CHECK_EQUAL(bench.only_result(), kBlock + 100);
}

// What may not be registered is refused, and requests go on as before.
void uring_registration_refused() {
  Bench bench;
  int32_t error = 0;
  tests::forbid({SYS_io_uring_register}, ENOMEM);
  CHECK_EQUAL(strata_queue_register(bench.queue, bench.block(0), Bench::kBytes, &error), STRATA_E_SYSTEM);
  CHECK_EQUAL(error, ENOMEM);
  read_all_blocks(bench);
}

void registration_out_of_bounds() {
  Bench bench(1);
  int32_t error = 0;
  CHECK_EQUAL(strata_queue_register(bench.queue, nullptr, kBlock, &error), STRATA_E_ARGUMENT);
  CHECK_EQUAL(strata_queue_register(bench.queue, bench.block(0), 0, &error), STRATA_E_ARGUMENT);
  const uint64_t more = uint64_t{STRATA_MAX_REGISTERED_BYTES} + 1;
  CHECK_EQUAL(strata_queue_register(bench.queue, bench.block(0), more, &error), STRATA_E_ARGUMENT);
}

void bad_descriptor() {
  Bench bench;
  // In the middle of a batch: those around it are none the worse.
  CHECK_EQUAL(bench.read(0), STRATA_OK);
  CHECK_EQUAL(strata_queue_read(bench.queue, -1, 0, bench.block(1), kBlock, 1), STRATA_OK);
  CHECK_EQUAL(bench.read(2), STRATA_OK);
  CHECK_EQUAL(strata_queue_submit(bench.queue), STRATA_OK);
  const auto results = bench.reap(3);
  CHECK_EQUAL(results.at(0), kBlock);
  CHECK_EQUAL(results.at(1), -EBADF);
  CHECK_EQUAL(results.at(2), kBlock);
}

void unaligned() {
  Bench bench;
  CHECK_EQUAL(strata_queue_read(bench.queue, bench.fd, 0, bench.block(0) + 1, kBlock, 1), STRATA_OK);
  const int32_t result = bench.only_result();
  // Newer kernels and file systems without O_DIRECT read it; whichever, the result is said.
  CHECK(result == -EINVAL || result == static_cast<int32_t>(kBlock));
}

void uring_full_disk() {
  Bench bench;
  const int full = open("/dev/full", O_RDWR | O_CLOEXEC);
  CHECK(full >= 0);
  CHECK_EQUAL(strata_queue_write(bench.queue, full, 0, bench.block(0), kBlock, 1), STRATA_OK);
  CHECK_EQUAL(bench.only_result(), -ENOSPC);
  close(full);
}

void full_queue() {
  Bench bench(4);
  for (uint32_t round = 0; round < 3; round++) {
    for (uint32_t i = 0; i < 4; i++) {
      CHECK_EQUAL(bench.read(i), STRATA_OK);
    }
    CHECK_EQUAL(bench.read(4), STRATA_E_FULL);
    CHECK_EQUAL(strata_queue_submit(bench.queue), STRATA_OK);
    CHECK_EQUAL(bench.read(4), STRATA_E_FULL);
    for (const auto &[token, result] : bench.reap(4)) {
      CHECK(token < 4 && result == static_cast<int32_t>(kBlock));
    }
  }
}

void reap_waits() {
  Bench bench;
  strata_completion completions[kBlocks];
  uint32_t reaped = 1;
  int32_t error = 0;
  // None is under way: nothing to wait for.
  CHECK_EQUAL(strata_queue_reap(bench.queue, completions, kBlocks, 1, &reaped, &error), STRATA_OK);
  CHECK_EQUAL(reaped, 0);
  for (uint32_t i = 0; i < kBlocks; i++) {
    CHECK_EQUAL(bench.read(i), STRATA_OK);
  }
  // A wait starts what is only prepared, and ends when there is no more to come.
  CHECK_EQUAL(strata_queue_reap(bench.queue, completions, kBlocks, kBlocks + 1, &reaped, &error), STRATA_OK);
  CHECK_EQUAL(reaped, kBlocks);
}

void reap_without_waiting() {
  Bench bench;
  CHECK_EQUAL(bench.read(0), STRATA_OK);
  CHECK_EQUAL(strata_queue_submit(bench.queue), STRATA_OK);
  strata_completion completion = {};
  uint32_t reaped = 0;
  int32_t error = 0;
  while (reaped == 0) {
    CHECK_EQUAL(strata_queue_reap(bench.queue, &completion, 1, 0, &reaped, &error), STRATA_OK);
  }
  CHECK_EQUAL(completion.result, kBlock);
  CHECK_EQUAL(strata_queue_is_ready(bench.queue), 0);
}

void arm_tells() {
  Bench bench;
  for (uint32_t round = 0; round < 100; round++) {
    CHECK_EQUAL(bench.read(0), STRATA_OK);
    CHECK_EQUAL(strata_queue_submit(bench.queue), STRATA_OK);
    if (strata_queue_arm(bench.queue) != 0) {
      CHECK(bench.is_told(-1));
      uint64_t counter = 0;
      CHECK_EQUAL(::read(strata_queue_descriptor(bench.queue), &counter, sizeof(counter)), sizeof(counter));
    }
    CHECK_EQUAL(bench.reap(1).at(0), kBlock);
  }
}

// What is finished already is not told of: it has to be reaped first.
void arm_refuses_when_finished() {
  Bench bench;
  CHECK_EQUAL(bench.read(0), STRATA_OK);
  CHECK_EQUAL(bench.read(1), STRATA_OK);
  strata_completion completion = {};
  uint32_t reaped = 0;
  int32_t error = 0;
  CHECK_EQUAL(strata_queue_submit(bench.queue), STRATA_OK);
  while (strata_queue_arm(bench.queue) != 0) {
    usleep(1000);
  }
  CHECK_EQUAL(strata_queue_is_ready(bench.queue), 1);
  CHECK_EQUAL(strata_queue_reap(bench.queue, &completion, 1, 1, &reaped, &error), STRATA_OK);
  CHECK_EQUAL(reaped, 1);
  CHECK_EQUAL(strata_queue_reap(bench.queue, &completion, 1, 1, &reaped, &error), STRATA_OK);
  CHECK_EQUAL(reaped, 1);
  CHECK_EQUAL(strata_queue_arm(bench.queue), 1);
}

void uring_busy_queue_is_not_told() {
  Bench bench;
  CHECK_EQUAL(bench.read(0), STRATA_OK);
  CHECK_EQUAL(bench.only_result(), kBlock);
  CHECK(!bench.is_told(0));
}

void start_many(Bench &bench) {
  for (uint32_t i = 0; i < kBlocks; i++) {
    CHECK_EQUAL(bench.read(i), STRATA_OK);
  }
  CHECK_EQUAL(strata_queue_submit(bench.queue), STRATA_OK);
}

void close_in_flight() {
  for (int round = 0; round < 20; round++) {
    Bench bench;
    start_many(bench);
  }
}

void close_with_prepared() {
  Bench bench;
  start_many(bench);
  const auto results = bench.reap(kBlocks);
  CHECK_EQUAL(results.size(), kBlocks);
  CHECK_EQUAL(bench.read(0), STRATA_OK);
}

void stop_from_another_thread() {
  for (int round = 0; round < 20; round++) {
    Bench bench;
    start_many(bench);
    std::thread([&bench] { CHECK_EQUAL(strata_queue_stop(bench.queue), STRATA_OK); }).join();
    CHECK(bench.is_told(0));
    // Were a read still under way, it would put its block's number back.
    std::memset(bench.block(0), 0xee, Bench::kBytes);
    usleep(2000);
    for (uint32_t i = 0; i < kBlocks; i++) {
      CHECK(bench.is_block(i, 0xee));
    }
  }
}

void stop_after_the_owner_has_ended() {
  Bench other;
  strata_queue *queue = nullptr;
  int32_t error = 0;
  std::thread([&] {
    CHECK_EQUAL(strata_queue_open(&options, &queue, &error), STRATA_OK);
    CHECK_EQUAL(strata_queue_read(queue, other.fd, 0, other.block(0), kBlock, 1), STRATA_OK);
    CHECK_EQUAL(strata_queue_submit(queue), STRATA_OK);
  }).join();
  CHECK_EQUAL(strata_queue_close(queue), STRATA_OK);
}

// A ring with one issuer refuses all others; their requests end with the error, and the owner goes on.
void defer_submit_by_another_thread() {
  Bench bench(8);
  if ((strata_queue_flags(bench.queue) & STRATA_QUEUE_NO_DEFER) != 0) {
    std::printf("this kernel has no rings with one issuer\n");
    std::exit(tests::kSkipped);
  }
  for (uint32_t round = 0; round < 5; round++) {
    for (uint32_t i = 0; i < 8; i++) {
      CHECK_EQUAL(bench.read(i), STRATA_OK);
    }
    std::thread([&bench] { CHECK_EQUAL(strata_queue_submit(bench.queue), STRATA_OK); }).join();
    const auto results = bench.reap(8);
    // From the second round on, the nops of the first are in the way of the ring's entries.
    for (uint32_t i = 0; i < 8; i++) {
      CHECK(results.at(i) == -EEXIST || results.at(i) == -EBUSY);
    }
  }
  // The owner's next submission takes the nops away.
  CHECK_EQUAL(bench.read(0), STRATA_OK);
  CHECK_EQUAL(strata_queue_submit(bench.queue), STRATA_OK);
  CHECK_EQUAL(bench.reap(1).size(), 1);
  for (uint32_t i = 0; i < 8; i++) {
    CHECK_EQUAL(bench.read(i), STRATA_OK);
  }
  CHECK_EQUAL(strata_queue_submit(bench.queue), STRATA_OK);
  for (const auto &[token, result] : bench.reap(8)) {
    CHECK_EQUAL(result, kBlock);
    CHECK(bench.is_block(static_cast<uint32_t>(token), static_cast<uint32_t>(token)));
  }
}

void forbidden_backend_says_so() {
  tests::forbid({SYS_io_uring_setup, SYS_io_setup}, EPERM);
  strata_queue *queue = nullptr;
  int32_t error = 0;
  CHECK_EQUAL(strata_queue_open(&options, &queue, &error), STRATA_E_SYSTEM);
  CHECK_EQUAL(error, EPERM);
  CHECK(queue == nullptr);
}

// The ring is made and then not allowed to be set up: nothing of it is left behind.
void uring_half_forbidden() {
  tests::forbid({SYS_io_uring_register}, EACCES);
  strata_queue *queue = nullptr;
  int32_t error = 0;
  CHECK_EQUAL(strata_queue_open(&options, &queue, &error), STRATA_E_SYSTEM);
  CHECK_EQUAL(error, EACCES);
}

// Neither an error nor a lack of memory that lasts leaves a request without an end.
void refused_submission_ends_all_requests(uint32_t error, bool with_running) {
  Bench bench(8);
  if (with_running) {
    CHECK_EQUAL(bench.read(0), STRATA_OK);
    CHECK_EQUAL(strata_queue_submit(bench.queue), STRATA_OK);
  }
  tests::forbid({SYS_io_uring_enter, SYS_io_submit}, error);
  for (uint32_t i = 1; i < 8; i++) {
    CHECK_EQUAL(bench.read(i), STRATA_OK);
  }
  CHECK_EQUAL(strata_queue_submit(bench.queue), STRATA_OK);
  const auto results = bench.reap(7);
  for (uint32_t i = 1; i < 8; i++) {
    CHECK(!results.contains(i) || results.at(i) == -static_cast<int32_t>(error));
  }
  CHECK(results.size() == 7);
}

void refused_submission() { refused_submission_ends_all_requests(ENOMEM, false); }
void submission_to_be_repeated() { refused_submission_ends_all_requests(EAGAIN, false); }
void refused_submission_beside_others() { refused_submission_ends_all_requests(ENOMEM, true); }
void submission_to_be_repeated_beside_others() { refused_submission_ends_all_requests(EAGAIN, true); }

void arguments_out_of_bounds() {
  strata_queue *queue = nullptr;
  int32_t error = 0;
  for (const strata_queue_options &bad : std::vector<strata_queue_options>{
           {0, 1, 0, 0}, {3, 1, 0, 0}, {1, 0, 0, 0}, {1, STRATA_MAX_DEPTH + 1, 0, 0}, {2, 1, 64, 0}}) {
    CHECK_EQUAL(strata_queue_open(&bad, &queue, &error), STRATA_E_ARGUMENT);
    CHECK(queue == nullptr);
  }
}

const std::map<std::string, strata_queue_options> kBackends = {
    {"io_uring", {STRATA_BACKEND_IO_URING, 1, 0, 0}},
    {"io_uring_no_defer", {STRATA_BACKEND_IO_URING, 1, STRATA_QUEUE_NO_DEFER, 0}},
    {"io_uring_no_coop", {STRATA_BACKEND_IO_URING, 1, STRATA_QUEUE_NO_DEFER | STRATA_QUEUE_NO_COOP, 0}},
    {"libaio", {STRATA_BACKEND_LIBAIO, 1, 0, 0}},
    {"libaio_no_peek", {STRATA_BACKEND_LIBAIO, 1, STRATA_QUEUE_NO_PEEK, 0}},
};

// Those called uring_... are for io_uring alone, and defer_... for its DEFER_TASKRUN.
const std::map<std::string, std::function<void()>> kTests = {
    {"round_trip", round_trip},
    {"batch", batch},
    {"end_of_file", end_of_file},
    {"registered_memory", registered_memory},
    {"registered_end_of_file", registered_end_of_file},
    {"uring_registration_refused", uring_registration_refused},
    {"registration_out_of_bounds", registration_out_of_bounds},
    {"bad_descriptor", bad_descriptor},
    {"unaligned", unaligned},
    {"uring_full_disk", uring_full_disk},
    {"full_queue", full_queue},
    {"reap_waits", reap_waits},
    {"reap_without_waiting", reap_without_waiting},
    {"arm_tells", arm_tells},
    {"arm_refuses_when_finished", arm_refuses_when_finished},
    {"uring_busy_queue_is_not_told", uring_busy_queue_is_not_told},
    {"close_in_flight", close_in_flight},
    {"close_with_prepared", close_with_prepared},
    {"stop_from_another_thread", stop_from_another_thread},
    {"stop_after_the_owner_has_ended", stop_after_the_owner_has_ended},
    {"defer_submit_by_another_thread", defer_submit_by_another_thread},
    {"forbidden_backend_says_so", forbidden_backend_says_so},
    {"uring_half_forbidden", uring_half_forbidden},
    {"refused_submission", refused_submission},
    {"submission_to_be_repeated", submission_to_be_repeated},
    {"refused_submission_beside_others", refused_submission_beside_others},
    {"submission_to_be_repeated_beside_others", submission_to_be_repeated_beside_others},
    {"arguments_out_of_bounds", arguments_out_of_bounds},
};

}  // namespace

// Usage: queue_tests BACKEND TEST
int main(int count, char **arguments) {
  CHECK(count == 3 && kBackends.contains(arguments[1]) && kTests.contains(arguments[2]));
  options = kBackends.at(arguments[1]);
  strata_queue *queue = nullptr;
  int32_t error = 0;
  if (strata_queue_open(&options, &queue, &error) != STRATA_OK) {
    std::printf("%s does not run here: errno %d\n", arguments[1], error);
    return tests::kSkipped;
  }
  CHECK((strata_queue_flags(queue) & options.flags) == options.flags);
  CHECK_EQUAL(strata_queue_close(queue), STRATA_OK);
  kTests.at(arguments[2])();
  return EXIT_SUCCESS;
}
