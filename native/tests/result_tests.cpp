// What becomes of results, with a backend whose kernel is a script: the cases no real one produces on demand.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "check.h"
#include "queue.h"

namespace {

constexpr int64_t kSector = STRATA_MIN_SECTOR_BYTES;

// Answers transfers in turn with the results it was given, then with all that was asked for.
class ScriptedQueue final : public strata::Queue {
 public:
  std::deque<int64_t> script;
  std::vector<uint64_t> offsets;  // of every transfer that was started

 protected:
  int open_backend() noexcept override { return 0; }
  void stop_backend() noexcept override {}
  void stage(uint32_t slot) noexcept override { staged_.push_back(slot); }
  bool has_staged() const noexcept override { return !staged_.empty(); }
  void flush() noexcept override {
    started_.insert(started_.end(), staged_.begin(), staged_.end());
    staged_.clear();
  }
  void harvest() noexcept override {
    while (!started_.empty()) {
      wait(1);
      flush();
    }
  }
  int wait(uint32_t) noexcept override {
    const uint32_t slot = started_.front();
    started_.pop_front();
    const strata::Request &r = request(slot);
    offsets.push_back(r.offset + r.done);
    int64_t result = r.bytes - r.done;
    if (!script.empty()) {
      result = script.front();
      script.pop_front();
    }
    on_result(slot, result);
    return 0;
  }
  bool has_results() const noexcept override { return !started_.empty(); }
  bool arm_backend() noexcept override { return started_.empty(); }

 private:
  std::deque<uint32_t> staged_;
  std::deque<uint32_t> started_;
};

// The result of one request of 8 sectors at offset 8192, and the transfers it took.
struct Outcome {
  int32_t result;
  std::vector<uint64_t> offsets;
};

Outcome run(bool is_write, int fd, std::deque<int64_t> script) {
  ScriptedQueue queue;
  CHECK_EQUAL(queue.open(4, 0), 0);
  queue.script = std::move(script);
  static uint8_t buffer[8 * kSector];
  CHECK(queue.prepare({42, 8192, buffer, sizeof(buffer), 0, fd, 0, 0, is_write}));
  queue.submit();
  strata_completion completion = {};
  uint32_t reaped = 0;
  CHECK_EQUAL(queue.reap(&completion, 1, 1, &reaped), 0);
  CHECK_EQUAL(reaped, 1);
  CHECK_EQUAL(completion.token, 42);
  return {completion.result, queue.offsets};
}

// A file of so many bytes.
class SizedFile {
 public:
  explicit SizedFile(off_t bytes) : fd_(open(folder_.file("f").c_str(), O_RDWR | O_CREAT, 0600)) {
    CHECK(fd_ >= 0 && ftruncate(fd_, bytes) == 0);
  }
  ~SizedFile() { close(fd_); }
  int fd() const { return fd_; }

 private:
  tests::Folder folder_;
  int fd_;
};

void short_read_goes_on() {
  const SizedFile file(1 << 20);
  const Outcome outcome = run(false, file.fd(), {3 * kSector, kSector});
  CHECK_EQUAL(outcome.result, 8 * kSector);
  CHECK((outcome.offsets == std::vector<uint64_t>{8192, 8192 + 3 * kSector, 8192 + 4 * kSector}));
}

void short_write_goes_on() {
  const Outcome outcome = run(true, -1, {3 * kSector});
  CHECK_EQUAL(outcome.result, 8 * kSector);
  CHECK((outcome.offsets == std::vector<uint64_t>{8192, 8192 + 3 * kSector}));
}

void error_after_a_part_is_the_result() { CHECK_EQUAL(run(true, -1, {kSector, -ENOSPC}).result, -ENOSPC); }

void end_inside_a_sector_is_the_end() {
  const Outcome outcome = run(false, -1, {kSector + 100});
  CHECK_EQUAL(outcome.result, kSector + 100);
  CHECK_EQUAL(outcome.offsets.size(), 1);
}

void end_on_a_sector_is_told_by_the_size() {
  const SizedFile file(8192 + 2 * kSector);
  const Outcome outcome = run(false, file.fd(), {2 * kSector});
  CHECK_EQUAL(outcome.result, 2 * kSector);
  CHECK_EQUAL(outcome.offsets.size(), 1);
}

void nothing_at_the_end_is_nothing() {
  const SizedFile file(8192);
  CHECK_EQUAL(run(false, file.fd(), {0}).result, 0);
}

void nothing_before_the_end_is_read_again() {
  const SizedFile file(1 << 20);
  const Outcome outcome = run(false, file.fd(), {0, 0});
  CHECK_EQUAL(outcome.result, 8 * kSector);
  CHECK_EQUAL(outcome.offsets.size(), 3);
}

void nothing_forever_is_an_error() {
  const SizedFile file(1 << 20);
  CHECK_EQUAL(run(false, file.fd(), std::deque<int64_t>(1000, 0)).result, -EIO);
  CHECK_EQUAL(run(true, file.fd(), std::deque<int64_t>(1000, 0)).result, -EIO);
}

void interruptions_are_tried_again() {
  CHECK_EQUAL(run(false, -1, {-EAGAIN, -EINTR, -EAGAIN}).result, 8 * kSector);
  CHECK_EQUAL(run(false, -1, std::deque<int64_t>(1000, -EAGAIN)).result, -EAGAIN);
}

}  // namespace

int main(int count, char **arguments) {
  const std::map<std::string, std::function<void()>> all = {
      {"short_read_goes_on", short_read_goes_on},
      {"short_write_goes_on", short_write_goes_on},
      {"error_after_a_part_is_the_result", error_after_a_part_is_the_result},
      {"end_inside_a_sector_is_the_end", end_inside_a_sector_is_the_end},
      {"end_on_a_sector_is_told_by_the_size", end_on_a_sector_is_told_by_the_size},
      {"nothing_at_the_end_is_nothing", nothing_at_the_end_is_nothing},
      {"nothing_before_the_end_is_read_again", nothing_before_the_end_is_read_again},
      {"nothing_forever_is_an_error", nothing_forever_is_an_error},
      {"interruptions_are_tried_again", interruptions_are_tried_again},
  };
  CHECK(count == 2 && all.contains(arguments[1]));
  all.at(arguments[1])();
  return EXIT_SUCCESS;
}
