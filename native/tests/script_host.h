// A state with a host whose commands are made up: get, echo, resp (its argument is the reply), stop, again
// (uses the state that runs); all others fail.
#ifndef STRATA_TESTS_SCRIPT_HOST_H
#define STRATA_TESTS_SCRIPT_HOST_H

#include <cstdint>
#include <string>
#include <vector>

#include "check.h"
#include "script.h"

namespace tests {

struct Outcome {
  int32_t status = 0;
  std::string reply;
  std::string text;
  std::string source;
  int64_t line = -1;
  bool is_of_command = false;
  bool wants_name = false;
};

struct Function {
  std::string name;
  std::string description;
  bool has_description = false;
  int32_t function = 0;
  int32_t flags = 0;
};

class Host {
 public:
  explicit Host(int32_t purpose = STRATA_SCRIPT_OF_SCRIPTS);
  ~Host();
  Host(const Host &) = delete;
  Host &operator=(const Host &) = delete;

  // Opens the state; the status.
  int32_t open();
  void close();
  strata_script *script() const { return script_; }

  Outcome run(const std::string &body, const std::vector<std::string> &keys = {},
              const std::vector<std::string> &arguments = {}, int32_t protocol = 2);
  // Runs a function of a number.
  Outcome call(int32_t function, const std::vector<std::string> &keys = {},
               const std::vector<std::string> &arguments = {}, int32_t protocol = 2);
  // Loads a library; the functions it has registered are in functions.
  Outcome load(const std::string &body);
  // The reply of a script that must succeed.
  std::string reply(const std::string &body, int32_t protocol = 2);
  // The text of one that must fail.
  std::string error(const std::string &body);

  std::vector<Function> functions;
  int64_t memory_limit = int64_t{1} << 40;
  int64_t charged = 0;
  int64_t asked = 0;               // how often it was interrupted since it began, or the command mark
  int64_t stop_after = INT64_MAX;  // interruptions
  std::vector<std::string> told;   // "what number text"
  std::vector<std::string> last;   // the arguments of the last command
  int32_t resp = 2;

 private:
  static int32_t execute(void *owner, int32_t how, const uint8_t *bytes, const strata_argument *arguments,
                         int32_t count, strata_bytes *reply);
  static int32_t tell(void *owner, int32_t what, int64_t number, const uint8_t *text, int64_t length);
  static int32_t charge(void *owner, int64_t bytes);
  static int32_t interrupt(void *owner);

  int32_t purpose_;
  std::string answer_;
  strata_script *script_ = nullptr;
};

// Makes the allocation after count others fail, and all behind it; a negative count none.
extern "C" void tests_fail_allocations(strata_script *script, int64_t count);

// How many of them are left.
extern "C" int64_t tests_allocations_left(const strata_script *script);

// How many strings lie in the longest list of Lua's table of all strings.
extern "C" int32_t tests_longest_list(strata_script *script);

}  // namespace tests

#endif
