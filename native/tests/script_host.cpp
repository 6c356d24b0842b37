#include "script_host.h"

namespace tests {

namespace {

std::string text_of(const strata_bytes &bytes) {
  if (bytes.data == nullptr || bytes.length == 0) return {};
  return {reinterpret_cast<const char *>(bytes.data), static_cast<size_t>(bytes.length)};
}

void take_error(const strata_script_error &error, Outcome *outcome) {
  outcome->text = text_of(error.text);
  outcome->source = text_of(error.source);
  outcome->line = error.line;
  outcome->is_of_command = error.is_of_command != 0;
  outcome->wants_name = error.wants_name != 0;
}

std::vector<strata_argument> lay_out(std::string *bytes, const std::vector<std::string> &items) {
  std::vector<strata_argument> arguments;
  for (const std::string &item : items) {
    arguments.push_back({static_cast<int32_t>(bytes->size()), static_cast<int32_t>(item.size())});
    *bytes += item;
  }
  return arguments;
}

}  // namespace

Host::Host(int32_t purpose) : purpose_(purpose) { CHECK_EQUAL(open(), STRATA_SCRIPT_OK); }

Host::~Host() {
  close();
  CHECK_EQUAL(charged, 0);
}

int32_t Host::open() {
  static const std::string version = "7.2.5";
  strata_script_options options{};
  options.host = {this, execute, tell, charge, interrupt};
  options.redis_version = {reinterpret_cast<const uint8_t *>(version.data()), static_cast<int64_t>(version.size())};
  options.redis_version_number = 0x00070205;
  options.purpose = purpose_;
  return strata_script_open(&options, &script_);
}

void Host::close() {
  strata_script_close(script_);
  script_ = nullptr;
}

Outcome Host::run(const std::string &body, const std::vector<std::string> &keys,
                  const std::vector<std::string> &arguments, int32_t protocol) {
  Outcome outcome;
  strata_script_error error{};
  int32_t function = 0;
  asked = 0;
  outcome.status = strata_script_compile(script_, reinterpret_cast<const uint8_t *>(body.data()),
                                         static_cast<int64_t>(body.size()), &function, &error);
  take_error(error, &outcome);
  if (outcome.status == STRATA_SCRIPT_OK) {
    CHECK(function != 0);
    outcome = call(function, keys, arguments, protocol);
  }
  strata_script_forget(script_, function);
  return outcome;
}

Outcome Host::call(int32_t function, const std::vector<std::string> &keys, const std::vector<std::string> &arguments,
                   int32_t protocol) {
  Outcome outcome;
  strata_script_error error{};
  strata_bytes reply{};
  std::string bytes;
  const auto key_places = lay_out(&bytes, keys);
  const auto argument_places = lay_out(&bytes, arguments);
  const strata_script_run run = {reinterpret_cast<const uint8_t *>(bytes.data()),
                                 key_places.data(),
                                 argument_places.data(),
                                 static_cast<int32_t>(keys.size()),
                                 static_cast<int32_t>(arguments.size()),
                                 protocol,
                                 0};
  outcome.status = strata_script_execute(script_, function, &run, &reply, &error);
  if (outcome.status == STRATA_SCRIPT_OK) outcome.reply = text_of(reply);
  take_error(error, &outcome);
  return outcome;
}

Outcome Host::load(const std::string &body) {
  Outcome outcome;
  strata_script_error error{};
  const strata_script_function *registered = nullptr;
  int32_t count = 0;
  asked = 0;
  functions.clear();
  outcome.status = strata_script_load(script_, reinterpret_cast<const uint8_t *>(body.data()),
                                      static_cast<int64_t>(body.size()), &registered, &count, &error);
  CHECK(outcome.status == STRATA_SCRIPT_OK || (registered == nullptr && count == 0));
  for (int32_t i = 0; i < count; i++) {
    const strata_script_function &one = registered[i];
    CHECK(one.function > 0);
    functions.push_back(
        {text_of(one.name), text_of(one.description), one.description.data != nullptr, one.function, one.flags});
  }
  take_error(error, &outcome);
  return outcome;
}

std::string Host::reply(const std::string &body, int32_t protocol) {
  const Outcome outcome = run(body, {}, {}, protocol);
  if (outcome.status != STRATA_SCRIPT_OK) std::fprintf(stderr, "%s: %s\n", body.c_str(), outcome.text.c_str());
  CHECK_EQUAL(outcome.status, STRATA_SCRIPT_OK);
  return outcome.reply;
}

std::string Host::error(const std::string &body) {
  const Outcome outcome = run(body);
  if (outcome.status != STRATA_SCRIPT_E_RAISED) std::fprintf(stderr, "%s\n", body.c_str());
  CHECK_EQUAL(outcome.status, STRATA_SCRIPT_E_RAISED);
  return outcome.text;
}

int32_t Host::execute(void *owner, int32_t how, const uint8_t *bytes, const strata_argument *arguments, int32_t count,
                      strata_bytes *reply) {
  Host *host = static_cast<Host *>(owner);
  host->last.clear();
  for (int32_t i = 0; i < count; i++) {
    host->last.emplace_back(reinterpret_cast<const char *>(bytes) + arguments[i].offset,
                            static_cast<size_t>(arguments[i].length));
  }
  const std::string &name = host->last[0];
  if (name == "stop") return STRATA_SCRIPT_E_STOPPED;
  if (how == STRATA_SCRIPT_ACL_CHECK) {
    host->answer_ = name == "none" ? "-ERR no such command\r\n" : name == "get" ? ":1\r\n" : ":0\r\n";
  } else if (name == "mark") {
    host->asked = 0;
    host->answer_ = "+OK\r\n";
  } else if (name == "again") {
    strata_script_error error{};
    int32_t function = 0;
    const int32_t status = strata_script_compile(host->script_, nullptr, 0, &function, &error);
    strata_script_forget(host->script_, 1);
    strata_script_close(host->script_);
    host->answer_ = ":" + std::to_string(status) + "\r\n";
  } else if (name == "get") {
    host->answer_ = "$5\r\nhello\r\n";
  } else if (name == "echo") {
    host->answer_ = "$" + std::to_string(host->last[1].size()) + "\r\n" + host->last[1] + "\r\n";
  } else if (name == "resp") {
    host->answer_ = host->last[1];
  } else {
    host->answer_ = "-WRONG it is\r\n";
  }
  /* On the heap alone, to its very end: reading on behind it is seen. */
  host->answer_.shrink_to_fit();
  *reply = {reinterpret_cast<const uint8_t *>(host->answer_.data()), static_cast<int64_t>(host->answer_.size())};
  return STRATA_SCRIPT_OK;
}

int32_t Host::tell(void *owner, int32_t what, int64_t number, const uint8_t *text, int64_t length) {
  Host *host = static_cast<Host *>(owner);
  std::string line = std::to_string(what) + " " + std::to_string(number) + " ";
  if (length != 0) line.append(reinterpret_cast<const char *>(text), static_cast<size_t>(length));
  host->told.push_back(line);
  if (what == STRATA_SCRIPT_SET_RESP) host->resp = static_cast<int32_t>(number);
  return STRATA_SCRIPT_OK;
}

int32_t Host::charge(void *owner, int64_t bytes) {
  Host *host = static_cast<Host *>(owner);
  if (bytes > 0 && host->charged + bytes > host->memory_limit) return STRATA_SCRIPT_E_MEMORY;
  host->charged += bytes;
  CHECK(host->charged >= 0);
  return STRATA_SCRIPT_OK;
}

int32_t Host::interrupt(void *owner) {
  Host *host = static_cast<Host *>(owner);
  return ++host->asked > host->stop_after ? STRATA_SCRIPT_E_STOPPED : STRATA_SCRIPT_OK;
}

}  // namespace tests
