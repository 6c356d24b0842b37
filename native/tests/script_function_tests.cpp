// Libraries of functions: what they may register, what they find while they load and afterwards, what is left of those
// that fail.
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "script_host.h"

namespace {

using tests::Function;
using tests::Host;
using tests::Outcome;

constexpr int32_t kFunctions = STRATA_SCRIPT_OF_FUNCTIONS;

void check_text(const std::string &body, const std::string &is, const std::string &should) {
  if (is == should) return;
  std::fprintf(stderr, "%s\n  is     %s\n  should %s\n", body.c_str(), is.c_str(), should.c_str());
  std::exit(EXIT_FAILURE);
}

// The reply of the only function of a library.
std::string reply_of(Host *host, const std::string &body, const std::vector<std::string> &arguments = {}) {
  const Outcome loaded = host->load(body);
  check_text(body, loaded.text, "");
  CHECK(loaded.status == STRATA_SCRIPT_OK && host->functions.size() == 1);
  const Outcome outcome = host->call(host->functions[0].function, {"k1", "k2"}, arguments);
  strata_script_forget(host->script(), host->functions[0].function);
  return outcome.status == STRATA_SCRIPT_OK ? outcome.reply : "failed: " + outcome.text;
}

void functions_are_registered() {
  Host host(kFunctions);
  CHECK_EQUAL(host.load("redis.register_function('one', function() return 1 end)\n"
                        "redis.register_function{function_name='two', callback=function() return 2 end,\n"
                        "  description='what\\0it does', flags={'no-writes','ALLOW-OOM','allow-stale','no-cluster',"
                        "'allow-cross-slot-keys'}}\n"
                        "redis.register_function{FUNCTION_NAME=3, CALLBACK=function() return 3 end, description=''}")
                  .status,
              STRATA_SCRIPT_OK);
  CHECK_EQUAL(host.functions.size(), 3U);
  const std::vector<Function> functions = host.functions;
  CHECK(functions[0].name == "one" && !functions[0].has_description && functions[0].flags == 0);
  CHECK(functions[1].name == "two" && functions[1].description == std::string("what\0it does", 12));
  CHECK_EQUAL(functions[1].flags, 31);
  CHECK(functions[2].name == "3" && functions[2].has_description && functions[2].description.empty());
  for (int32_t i = 0; i < 3; i++) {
    check_text("call", host.call(functions[static_cast<size_t>(i)].function).reply,
               ":" + std::to_string(i + 1) + "\r\n");
  }
}

void functions_are_given_keys_and_arguments() {
  Host host(kFunctions);
  check_text("arguments",
             reply_of(&host,
                      "redis.register_function('f', function(keys, args, more) "
                      "return {#keys, keys[2], #args, args[1], more == nil} end)",
                      {"a"}),
             "*5\r\n:2\r\n$2\r\nk2\r\n:1\r\n$1\r\na\r\n:1\r\n");
  check_text("own", reply_of(&host, "redis.register_function('f', redis.log)"),
             "failed: ERR First argument must be a number (log level).");
}

void a_library_finds_little_while_it_loads() {
  Host host(kFunctions);
  const std::string nonexistent = "ERR user_function:1: Script attempted to access nonexistent global variable '";
  const std::string readonly = "ERR user_function:1: Attempt to modify a readonly table";
  const std::string names =
      "ERR Library names can only contain letters, numbers, or underscores(_) and must be at least one character long";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"redis.call('get')", nonexistent + "call'"},
      {"return redis.setresp", nonexistent + "setresp'"},
      {"return math.random()", nonexistent + "math'"},
      {"pcall(1)", nonexistent + "pcall'"},
      {"x=1", readonly},
      {"redis.x=1", readonly},
      {"redis=1", readonly},
      {"local a a.b()", "ERR user_function:1: attempt to index local 'a' (a nil value)"},
      {"redis.log(9,'x')", "ERR Invalid debug level."},
      {"redis.register_function()", "ERR wrong number of arguments to redis.register_function"},
      {"redis.register_function('a',1,2)", "ERR wrong number of arguments to redis.register_function"},
      {"redis.register_function(1)",
       "ERR calling redis.register_function with a single argument is only applicable to Lua table (representing named "
       "arguments)."},
      {"redis.register_function({},1)", "ERR first argument to redis.register_function must be a string"},
      {"redis.register_function('a',1)", "ERR second argument to redis.register_function must be a function"},
      {"redis.register_function('a b',function() end)", names},
      {"redis.register_function('',function() end)", names},
      {"redis.register_function('a\\0',function() end)", names},
      {"redis.register_function('a',function() end) redis.register_function('A',function() end)",
       "ERR Function already exists in the library"},
      {"redis.register_function{}", "ERR redis.register_function must get a function name argument"},
      {"redis.register_function{function_name='a'}", "ERR redis.register_function must get a callback argument"},
      {"redis.register_function{function_name={}}",
       "ERR function_name argument given to redis.register_function must be a string"},
      {"redis.register_function{description={}}",
       "ERR description argument given to redis.register_function must be a string"},
      {"redis.register_function{callback=1}",
       "ERR callback argument given to redis.register_function must be a function"},
      {"redis.register_function{flags=1}",
       "ERR flags argument to redis.register_function must be a table representing function flags"},
      {"redis.register_function{flags={'no'}}", "ERR unknown flag given"},
      {"redis.register_function{flags={{}}}", "ERR unknown flag given"},
      {"redis.register_function{x=1}", "ERR unknown argument given to redis.register_function"},
      {"redis.register_function{1}", "ERR unknown argument given to redis.register_function"},
      {"redis.register_function{[{}]=1}", "ERR named argument key given to redis.register_function is not a string"},
  };
  for (const auto &[body, error] : cases) {
    const Outcome outcome = host.load(body);
    CHECK_EQUAL(outcome.status, STRATA_SCRIPT_E_RAISED);
    check_text(body, outcome.text, "Error registering functions: " + error);
  }
  check_text("compile", host.load("return (").text,
             "Error compiling function: user_function:1: unexpected symbol near '<eof>'");
  CHECK(host.load("\033Lua").text.starts_with("Error compiling function: user_function:1: unexpected symbol"));
  check_text("version",
             reply_of(&host,
                      "local v=redis.REDIS_VERSION redis.log(redis.LOG_WARNING,'x') "
                      "redis.register_function('f',function() return v end)"),
             "$5\r\n7.2.5\r\n");
  CHECK(host.told == std::vector<std::string>({"0 3 x"}));
}

void functions_find_everything_when_called() {
  Host host(kFunctions);
  const auto body = [](const std::string &text) { return "redis.register_function('f',function() " + text + " end)"; };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"return redis.call('get')", "$5\r\nhello\r\n"},
      {"return {type(cjson), type(string), type(pcall), type(_G)}",
       "*4\r\n$5\r\ntable\r\n$5\r\ntable\r\n$8\r\nfunction\r\n$5\r\ntable\r\n"},
      {"return {redis.register_function == nil, redis.breakpoint == nil, redis.replicate_commands == nil}",
       "*3\r\n:1\r\n:1\r\n:1\r\n"},
      {"return KEYS", "failed: ERR user_function:1: Script attempted to access nonexistent global variable 'KEYS'"},
      {"x=1", "failed: ERR user_function:1: Attempt to modify a readonly table"},
      {"rawset(getfenv(1),'x',1)", "failed: ERR Attempt to modify a readonly table"},
      {"setmetatable(getfenv(1),{})", "failed: ERR Attempt to modify a readonly table"},
      {"getmetatable(getfenv(1)).__index=nil", "failed: ERR user_function:1: Attempt to modify a readonly table"},
      {"setfenv(0,{}) return 1", ":1\r\n"},
      {"return coroutine.wrap(function() return redis.call('get') end)()", "$5\r\nhello\r\n"},
  };
  for (const auto &[text, reply] : cases) check_text(text, reply_of(&host, body(text)), reply);
  check_text("late", reply_of(&host, "local r=redis.register_function r('f',function() r('g',function() end) end)"),
             "failed: ERR redis.register_function can only be called on FUNCTION LOAD command");
  check_text("kept", reply_of(&host, "local r=redis redis.register_function('f',function() return r.call end)"),
             "failed: ERR user_function:1: Script attempted to access nonexistent global variable 'call'");
}

void errors_of_functions_have_places() {
  Host host(kFunctions);
  CHECK_EQUAL(host.load("redis.register_function('f',function()\n  redis.call('wrong') end)").status, STRATA_SCRIPT_OK);
  const Outcome outcome = host.call(host.functions[0].function);
  check_text("text", outcome.text, "WRONG it is");
  check_text("source", outcome.source, "@user_function");
  CHECK(outcome.line == 2 && outcome.is_of_command);
}

void what_a_library_keeps_lasts() {
  Host host(kFunctions);
  CHECK_EQUAL(host.load("local n=0 redis.register_function('f',function() n=n+1 return n end)").status,
              STRATA_SCRIPT_OK);
  const int32_t function = host.functions[0].function;
  for (int i = 1; i <= 3; i++) check_text("count", host.call(function).reply, ":" + std::to_string(i) + "\r\n");
  CHECK_EQUAL(host.load("redis.call()").status, STRATA_SCRIPT_E_RAISED);
  check_text("count", host.call(function).reply, ":4\r\n");
}

void a_library_that_fails_leaves_nothing() {
  Host host(kFunctions);
  const std::string many = "for i=1,1000 do redis.register_function('f'..i,function() return ('x'):rep(i) end) end ";
  const auto bytes = [&host] { return strata_script_memory(host.script()); };
  CHECK_EQUAL(host.load(many + "x()").status, STRATA_SCRIPT_E_RAISED);
  int64_t most = 0;
  for (int i = 0; i < 50; i++) {
    CHECK_EQUAL(host.load(many + "x()").status, STRATA_SCRIPT_E_RAISED);
    if (i == 24) most = bytes();
    if (i == 24) CHECK(most < 8 << 20);
  }
  CHECK(bytes() < 8 << 20);
  CHECK_EQUAL(host.load(many).status, STRATA_SCRIPT_OK);
  CHECK_EQUAL(host.functions.size(), 1000U);
  check_text("last", host.call(host.functions[2].function).reply, "$3\r\nxxx\r\n");
}

void endless_libraries_are_stopped() {
  Host host(kFunctions);
  for (const std::string body :
       {"while true do end", "for i=1,1e12 do redis.log(0,'x') end", "local function f() return f() end f()",
        "while true do redis.register_function('f'..('x'):rep(10),function() end) redis=nil end",
        "local s=('a'):rep(200) s:find(('a*'):rep(60)..'b')", "for i=1,1e9 do local x=('x'):rep(1e6) end",
        "local n=1 while true do redis.register_function('f'..n,function() end) n=n+1 end"}) {
    host.stop_after = 3;
    const Outcome outcome = host.load(body);
    CHECK(outcome.status == STRATA_SCRIPT_E_STOPPED || outcome.status == STRATA_SCRIPT_E_RAISED);
    CHECK(outcome.status == STRATA_SCRIPT_E_STOPPED || host.asked <= 3);
    host.stop_after = INT64_MAX;
    check_text(body, reply_of(&host, "redis.register_function('f',function() return math.floor(1.5) end)"), ":1\r\n");
  }
}

void memory_that_is_refused_is_an_error() {
  Host host(kFunctions);
  host.memory_limit = 2 << 20;
  const std::string bomb = "local t={} for i=1,1e9 do t[i]=('x'):rep(100)..i end";
  CHECK_EQUAL(host.load(bomb).status, STRATA_SCRIPT_E_MEMORY);
  CHECK(strata_script_memory(host.script()) < 1 << 20);
  const std::string body =
      "redis.register_function{function_name='f',description='d',flags={'no-writes'},callback=function(k,a) "
      "return a[1]..k[1] end}";
  host.memory_limit = int64_t{1} << 40;
  check_text("before", reply_of(&host, body, {"a"}), "$3\r\nak1\r\n");
  for (int64_t n = 0;; n++) {
    tests::tests_fail_allocations(host.script(), n);
    const Outcome outcome = host.load(body);
    const bool is_done = tests::tests_allocations_left(host.script()) > 0;
    tests::tests_fail_allocations(host.script(), -1);
    if (outcome.status == STRATA_SCRIPT_OK) {
      check_text("loaded", host.call(host.functions[0].function, {"k"}, {"a"}).reply, "$2\r\nak\r\n");
      strata_script_forget(host.script(), host.functions[0].function);
    } else {
      CHECK_EQUAL(outcome.status, STRATA_SCRIPT_E_MEMORY);
    }
    check_text("after", reply_of(&host, body, {"a"}), "$3\r\nak1\r\n");
    if (is_done) break;
  }
}

void a_state_has_one_purpose() {
  Host functions(kFunctions);
  Host scripts;
  strata_script_error error{};
  int32_t function = 0;
  int32_t count = 0;
  const strata_script_function *registered = nullptr;
  const uint8_t body[] = "return 1";
  CHECK_EQUAL(strata_script_compile(functions.script(), body, 8, &function, &error), STRATA_SCRIPT_E_ARGUMENT);
  CHECK_EQUAL(strata_script_load(scripts.script(), body, 8, &registered, &count, &error), STRATA_SCRIPT_E_ARGUMENT);
  CHECK_EQUAL(strata_script_load(functions.script(), nullptr, 8, &registered, &count, &error),
              STRATA_SCRIPT_E_ARGUMENT);
  CHECK_EQUAL(strata_script_load(functions.script(), body, -1, &registered, &count, &error), STRATA_SCRIPT_E_ARGUMENT);
  CHECK_EQUAL(strata_script_load(functions.script(), body, 8, &registered, &count, &error), STRATA_SCRIPT_OK);
  CHECK_EQUAL(count, 0);
  strata_script_options options{};
  options.purpose = 2;
  strata_script *script = nullptr;
  CHECK_EQUAL(strata_script_open(&options, &script), STRATA_SCRIPT_E_ARGUMENT);
  check_text("again", reply_of(&functions, "redis.register_function('f',function() return redis.call('again') end)"),
             ":3\r\n");
}

}  // namespace

int main(int count, char **arguments) {
  const std::map<std::string, std::function<void()>> all = {
      {"functions_are_registered", functions_are_registered},
      {"functions_are_given_keys_and_arguments", functions_are_given_keys_and_arguments},
      {"a_library_finds_little_while_it_loads", a_library_finds_little_while_it_loads},
      {"functions_find_everything_when_called", functions_find_everything_when_called},
      {"errors_of_functions_have_places", errors_of_functions_have_places},
      {"what_a_library_keeps_lasts", what_a_library_keeps_lasts},
      {"a_library_that_fails_leaves_nothing", a_library_that_fails_leaves_nothing},
      {"endless_libraries_are_stopped", endless_libraries_are_stopped},
      {"memory_that_is_refused_is_an_error", memory_that_is_refused_is_an_error},
      {"a_state_has_one_purpose", a_state_has_one_purpose},
  };
  CHECK(count == 2 && all.contains(arguments[1]));
  all.at(arguments[1])();
  return EXIT_SUCCESS;
}
