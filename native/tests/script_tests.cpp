// Scripts as they should be: conversions, errors and their places, the sandbox, what lasts from one run to the next.
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "arena.h"
#include "script_host.h"

namespace {

using tests::Host;
using tests::Outcome;

struct Case {
  std::string body;
  std::string expected;
};

void check_text(const std::string &body, const std::string &is, const std::string &should) {
  if (is == should) return;
  std::fprintf(stderr, "%s\n  is     %s\n  should %s\n", body.c_str(), is.c_str(), should.c_str());
  std::exit(EXIT_FAILURE);
}

void check_replies(int32_t protocol, const std::vector<Case> &cases) {
  Host host;
  for (const Case &one : cases) check_text(one.body, host.reply(one.body, protocol), one.expected);
}

void check_errors(const std::vector<Case> &cases) {
  Host host;
  for (const Case &one : cases) check_text(one.body, host.error(one.body), one.expected);
}

void handshake_tells_versions_apart() {
  uint32_t sizes[] = {sizeof(strata_bytes),          sizeof(strata_argument),   sizeof(strata_script_host),
                      sizeof(strata_script_options), sizeof(strata_script_run), sizeof(strata_script_error),
                      sizeof(strata_script_function)};
  CHECK_EQUAL(strata_script_handshake(STRATA_SCRIPT_ABI_VERSION, sizes, 7), STRATA_SCRIPT_OK);
  CHECK_EQUAL(strata_script_handshake(STRATA_SCRIPT_ABI_VERSION + 1, sizes, 7), STRATA_SCRIPT_E_VERSION);
  CHECK_EQUAL(strata_script_handshake(STRATA_SCRIPT_ABI_VERSION, sizes, 6), STRATA_SCRIPT_E_LAYOUT);
  sizes[3]++;
  CHECK_EQUAL(strata_script_handshake(STRATA_SCRIPT_ABI_VERSION, sizes, 7), STRATA_SCRIPT_E_LAYOUT);
}

void arguments_are_checked() {
  Host host;
  strata_script_error error{};
  strata_bytes reply{};
  int32_t function = 0;
  strata_script_run run{};
  run.protocol = 2;
  const uint8_t body[] = "return 1";
  CHECK_EQUAL(strata_script_open(nullptr, nullptr), STRATA_SCRIPT_E_ARGUMENT);
  CHECK_EQUAL(strata_script_compile(host.script(), nullptr, 1, &function, &error), STRATA_SCRIPT_E_ARGUMENT);
  CHECK_EQUAL(strata_script_compile(host.script(), body, -1, &function, &error), STRATA_SCRIPT_E_ARGUMENT);
  CHECK_EQUAL(strata_script_compile(host.script(), body, 8, &function, &error), STRATA_SCRIPT_OK);
  for (const int32_t wrong : {0, -1, 77, INT32_MAX}) {
    CHECK_EQUAL(strata_script_execute(host.script(), wrong, &run, &reply, &error), STRATA_SCRIPT_E_ARGUMENT);
    strata_script_forget(host.script(), wrong);
  }
  run.protocol = 4;
  CHECK_EQUAL(strata_script_execute(host.script(), function, &run, &reply, &error), STRATA_SCRIPT_E_ARGUMENT);
  run.protocol = 2;
  CHECK_EQUAL(strata_script_execute(host.script(), function, &run, &reply, &error), STRATA_SCRIPT_OK);
  strata_script_forget(host.script(), function);
  CHECK_EQUAL(strata_script_execute(host.script(), function, &run, &reply, &error), STRATA_SCRIPT_E_ARGUMENT);
  strata_script_close(nullptr);
}

void results_become_resp() {
  check_replies(2, {{"return 1", ":1\r\n"},
                    {"return 3.99", ":3\r\n"},
                    {"return 0/0", ":-9223372036854775808\r\n"},
                    {"return 1e300", ":-9223372036854775808\r\n"},
                    {"return 'a\\0b'", std::string("$3\r\na\0b\r\n", 9)},
                    {"return true", ":1\r\n"},
                    {"return false", "$-1\r\n"},
                    {"return nil", "$-1\r\n"},
                    {"", "$-1\r\n"},
                    {"return redis.call", "$-1\r\n"},
                    {"return {1,'a',{2}}", "*3\r\n:1\r\n$1\r\na\r\n*1\r\n:2\r\n"},
                    {"return {1,nil,3}", "*1\r\n:1\r\n"},
                    {"return {ok='a\\r\\nb'}", "+a  b\r\n"},
                    {"return {err='A b\\nc\\n'}", "-A b c\r\n"},
                    {"return {double=1.5}", "$3\r\n1.5\r\n"},
                    {"return {double=0/0}", "$3\r\nnan\r\n"},
                    {"return {map={a={1}}}", "*2\r\n$1\r\na\r\n*1\r\n:1\r\n"},
                    {"return {set={a=true}}", "*1\r\n$1\r\na\r\n"},
                    {"return {big_number='1\\n2'}", "$3\r\n1 2\r\n"},
                    {"return {verbatim_string={format='txt',string='x'}}", "$1\r\nx\r\n"},
                    {"redis.setresp(3) return {true,false}", "*2\r\n:1\r\n:0\r\n"}});
  check_replies(3, {{"return true", ":1\r\n"},
                    {"return false", "_\r\n"},
                    {"return nil", "_\r\n"},
                    {"redis.setresp(3) return {true,false}", "*2\r\n#t\r\n#f\r\n"},
                    {"return {double=-1/0}", ",-inf\r\n"},
                    {"return {double=3}", ",3\r\n"},
                    {"return {double=-1/(1/0)}", ",-0\r\n"},
                    {"return {map={a=1}}", "%1\r\n$1\r\na\r\n:1\r\n"},
                    {"return {set={}}", "~0\r\n"},
                    {"return {big_number='12'}", "(12\r\n"},
                    {"return {verbatim_string={format='t',string='x'}}", "=5\r\nt  :x\r\n"}});
}

void deep_results_end_in_an_error() {
  Host host;
  const std::string reply = host.reply("local t={} t[1]=t return t");
  const std::string end = "-ERR reached lua stack limit\r\n";
  CHECK(reply.size() == 7995 * 4 + end.size() && reply.ends_with(end));
}

void replies_become_values() {
  const std::string say =
      "local function say(v) if type(v)~='table' then return tostring(v) end local o={} for k,x in pairs(v) do "
      "o[#o+1]=tostring(k)..'='..say(x) end table.sort(o) return '{'..table.concat(o,',')..'}' end ";
  const std::vector<Case> cases = {
      {"$2\\r\\nab\\r\\n", "ab"},
      {"$-1\\r\\n", "false"},
      {"*-1\\r\\n", "false"},
      {":-12\\r\\n", "-12"},
      {"+fine\\r\\n", "{ok=fine}"},
      {"*2\\r\\n:1\\r\\n$0\\r\\n\\r\\n", "{1=1,2=}"},
      {"%1\\r\\n$1\\r\\na\\r\\n:2\\r\\n", "{map={a=2}}"},
      {"~1\\r\\n$1\\r\\na\\r\\n", "{set={a=true}}"},
      {",1.5\\r\\n", "{double=1.5}"},
      {",-inf\\r\\n", "{double=-inf}"},
      {"#t\\r\\n", "true"},
      {"_\\r\\n", "nil"},
      {"(123\\r\\n", "{big_number=123}"},
      {"=5\\r\\ntxt:x\\r\\n", "{verbatim_string={format=txt,string=x}}"},
      {"|1\\r\\n$1\\r\\na\\r\\n*1\\r\\n:1\\r\\n:7\\r\\n", "7"},
      {"-BAD one\\r\\n", "{err=BAD one,ignore_error_stats_update=true}"},
      {"-bad\\r\\n", "{err=ERR bad,ignore_error_stats_update=true}"},
  };
  Host host;
  for (const Case &one : cases) {
    const std::string body = say + "return say(redis.pcall('resp','" + one.body + "'))";
    const std::string text = one.expected;
    check_text(body, host.reply(body), "$" + std::to_string(text.size()) + "\r\n" + text + "\r\n");
  }
}

void broken_replies_are_refused() {
  Host host;
  for (const std::string body :
       {"", "$5\\r\\nab\\r\\n", "$2\\r\\nabcd", "*2\\r\\n:1\\r\\n", ":12", "?x\\r\\n", "*99999999999\\r\\n",
        ":1\\r\\n:2\\r\\n", "=2\\r\\nab\\r\\n", "%1\\r\\n:1\\r\\n", "$-5x\\r\\n", ":\\r\\n", "$"}) {
    const Outcome outcome = host.run("return redis.call('resp','" + body + "')");
    CHECK_EQUAL(outcome.status, STRATA_SCRIPT_E_RAISED);
    check_text(body, outcome.text, "ERR a command's reply is not valid RESP");
  }
  const std::string deep = "return redis.call('resp',string.rep('*1\\r\\n',1000000)..':1\\r\\n')";
  CHECK_EQUAL(host.run(deep).status, STRATA_SCRIPT_E_RAISED);
}

void arguments_are_copied() {
  Host host;
  const std::vector<Case> numbers = {{"1", "1"},
                                     {"-0", "0"},
                                     {"1.5", "1.5"},
                                     {"0.1", "0.1"},
                                     {"1/3", "0.3333333333333333"},
                                     {"1e15", "1000000000000000"},
                                     {"1e20", "1e+20"},
                                     {"2^53", "9007199254740992"},
                                     {"1e100", "1e+100"},
                                     {"1e-7", "1e-7"},
                                     {"0.00001", "0.00001"},
                                     {"5e-324", "5e-324"},
                                     {"1/0", "inf"},
                                     {"-1/0", "-inf"},
                                     {"123456.789e3", "123456789"},
                                     {"1.7976931348623157e308", "1.7976931348623157e+308"}};
  for (const Case &one : numbers) {
    (void)host.reply("redis.call('echo'," + one.body + ")");
    check_text(one.body, host.last[1], one.expected);
  }
  const Outcome outcome = host.run("return redis.call('echo',KEYS[2]..ARGV[1],#KEYS,#ARGV)", {"k1", "k2"}, {"a"});
  check_text("keys", outcome.reply, "$3\r\nk2a\r\n");
  CHECK(host.last[2] == "2" && host.last[3] == "1");
}

void errors_have_places() {
  Host host;
  Outcome outcome = host.run("local x = 1\nerror('boo\\nfar')");
  check_text("error", outcome.text, "ERR user_script:2: boo far");
  check_text("error", outcome.source, "@user_script");
  CHECK_EQUAL(outcome.line, 2);
  CHECK(!outcome.is_of_command && !outcome.wants_name);
  outcome = host.run("\n\nreturn redis.call('wrong')");
  check_text("call", outcome.text, "WRONG it is");
  CHECK(outcome.line == 3 && outcome.is_of_command);
  outcome = host.run("return redis.pcall('wrong')");
  check_text("pcall", outcome.reply, "-WRONG it is\r\n");
  CHECK(outcome.is_of_command);
  outcome = host.run("loadstring('error(\"x\")','chunk')()");
  check_text("chunk", outcome.source, "chunk");
  outcome = host.run("x = = 1");
  CHECK_EQUAL(outcome.status, STRATA_SCRIPT_E_RAISED);
  check_text("compile", outcome.text, "user_script:1: unexpected symbol near '='");
  check_errors(
      {{"error({err='FOO bar'})", "FOO bar"},
       {"error({})", "ERR unknown error"},
       {"error(nil)", "ERR nil"},
       {"table.concat(1,{})", "ERR user_script:1: bad argument #2 to 'concat' (string expected, got table)"},
       {"table.concat({1,{}})", "ERR user_script:1: invalid value (table) at index 2 in table for 'concat'"},
       {"error(true)", "ERR true"},
       {"return redis.call()", "ERR Please specify at least one argument for this redis lib call"},
       {"return redis.call({})", "ERR Lua redis lib command arguments must be strings or integers"},
       {"redis.log(1)", "ERR redis.log() requires two arguments or more."},
       {"redis.setresp(4)", "ERR RESP version must be 2 or 3."},
       {"redis.set_repl(9)", "ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE."},
       {"redis.acl_check_cmd('none')", "ERR no such command"},
       {"return redis.sha1hex()", "ERR wrong number of arguments"}});
}

void libraries_are_protected() {
  const std::string readonly = "ERR user_script:1: Attempt to modify a readonly table";
  check_errors(
      {{"x=1", readonly},
       {"redis.call=1", readonly},
       {"string.x=1", readonly},
       {"getmetatable('').__index=1", readonly},
       {"getmetatable(_G).__index=nil", readonly},
       {"cjson.null=1", readonly},
       {"rawset(_G,'x',1)", "ERR Attempt to modify a readonly table"},
       {"setmetatable(_G,{})", "ERR Attempt to modify a readonly table"},
       {"table.insert(redis,1)", "ERR Attempt to modify a readonly table"},
       {"return x", "ERR user_script:1: Script attempted to access nonexistent global variable 'x'"},
       {"print(1)", "ERR user_script:1: Script attempted to access nonexistent global variable 'print'"},
       {"require('x')", "ERR user_script:1: Script attempted to access nonexistent global variable 'require'"}});
}

void nothing_lasts_from_run_to_run() {
  Host host;
  for (int i = 0; i < 3; i++) {
    CHECK(host.reply("setfenv(1,{y=5}) return y") == ":5\r\n");
    CHECK(host.reply("setfenv(0,{}) return 1") == ":1\r\n");
    CHECK(host.reply("KEYS[1]=5 ARGV.x=1 return #KEYS") == ":1\r\n");
    CHECK(host.reply("return #KEYS") == ":0\r\n");
    CHECK(host.reply("collectgarbage('stop') cjson.encode_max_depth(1) return 1") == ":1\r\n");
    CHECK(host.reply("return cjson.encode({{{}}})") == "$6\r\n[[{}]]\r\n");
  }
  CHECK(host.reply("return tostring(math.random())") == "$16\r\n0.39646477363839\r\n");
  CHECK(host.reply("return tostring(math.random())") == "$16\r\n0.84048536971234\r\n");
  CHECK(host.reply("math.randomseed(5) return {math.random(100),math.random(5,10)}") == "*2\r\n:53\r\n:6\r\n");
}

void errors_of_commands_can_be_caught() {
  check_replies(2,
                {{"local ok,e=pcall(redis.call,'wrong') return e", "$11\r\nWRONG it is\r\n"},
                 {"return {pcall(error,'x')}", "*2\r\n$-1\r\n$1\r\nx\r\n"},
                 {"local _,e=pcall(error,{err='q'}) return e", "$1\r\nq\r\n"},
                 {"return redis.error_reply('x')", "-ERR x\r\n"},
                 {"return redis.error_reply('MY x')", "-MY x\r\n"},
                 {"return redis.error_reply('-MY x')", "-MY x\r\n"},
                 {"return redis.status_reply('x')", "+x\r\n"},
                 {"return redis.status_reply(1)", "-ERR wrong number or type of arguments\r\n"},
                 {"return redis.acl_check_cmd('get')", ":1\r\n"},
                 {"return redis.acl_check_cmd('set')", "$-1\r\n"},
                 {"return redis.sha1hex('')", "$40\r\nda39a3ee5e6b4b0d3255bfef95601890afd80709\r\n"},
                 {"return redis.sha1hex(string.rep('a',1000))", "$40\r\n291e9a6c66994949b57ba5e650361e98fc36b1ba\r\n"},
                 {"return redis.REDIS_VERSION", "$5\r\n7.2.5\r\n"},
                 {"return redis.REDIS_VERSION_NUM", ":459269\r\n"},
                 {"return {redis.breakpoint(),redis.replicate_commands()}", "*2\r\n$-1\r\n:1\r\n"}});
}

void the_host_is_told() {
  Host host;
  CHECK(host.reply("redis.log(redis.LOG_WARNING,'a',1,{},'b') redis.setresp(3) redis.set_repl(redis.REPL_NONE)") ==
        "$-1\r\n");
  CHECK(host.told == std::vector<std::string>({"0 3 a 1 b", "1 3 ", "2 0 "}));
}

void a_state_that_runs_is_left_alone() {
  Host host;
  CHECK(host.reply("return {redis.call('again'),redis.call('again')}") == "*2\r\n:3\r\n:3\r\n");
  CHECK(host.reply("return 1") == ":1\r\n");
}

void precompiled_chunks_are_text() {
  Host host;
  CHECK(host.reply("local f,e=loadstring(string.dump(function() return 1 end)) return e").find("unexpected symbol") !=
        std::string::npos);
  CHECK(
      host.reply("local d=string.dump(function() end) local f,e=load(function() local r=d d=nil return r end) return e")
          .find("unexpected symbol") != std::string::npos);
  const Outcome outcome = host.run("\033Lua");
  check_text("compile", outcome.text, "user_script:1: unexpected symbol near 'char(27)'");
}

void libraries_convert() {
  check_replies(
      2, {{"return cjson.encode({a={1,2.5,'x\\n/\"'}})", "$23\r\n{\"a\":[1,2.5,\"x\\n\\/\\\"\"]}\r\n"},
          {"return cjson.decode('[1,\"\\\\u00e9\\\\ud83d\\\\ude00\"]')[2]", "$6\r\n\xc3\xa9\xf0\x9f\x98\x80\r\n"},
          {"local _,e=pcall(cjson.decode,'[1,') return e", "$45\r\nExpected value but found T_END at character 4\r\n"},
          {"return cmsgpack.pack({1,-1,300,1.5,'x',true})",
           "$14\r\n\x96\x01\xff\xcd\x01\x2c\xca\x3f\xc0" + std::string(2, '\0') + "\xa1x\xc3\r\n"},
          {"return {cmsgpack.unpack(cmsgpack.pack(1,'a',{2}))}", "*3\r\n:1\r\n$1\r\na\r\n*1\r\n:2\r\n"},
          {"return struct.pack('>I2c0','5','ab')", "$4\r\n" + std::string(1, '\0') +
                                                       "\x05"
                                                       "ab\r\n"},
          {"return {struct.unpack('<hc0','\\2\\0ab')}", "*2\r\n$2\r\nab\r\n:5\r\n"},
          {"return {bit.band(0xff,0x0f),bit.lshift(1,31),bit.tohex(255,-4) == '00FF'}",
           "*3\r\n:15\r\n:-2147483648\r\n:1\r\n"},
          {"return {('key = val'):match('^(%w+)%s*=%s*(%w+)$')}", "*2\r\n$3\r\nkey\r\n$3\r\nval\r\n"},
          {"return {('abc'):gsub('%w','%0%0')}", "*2\r\n$6\r\naabbcc\r\n:3\r\n"}});
}

// Whatever a script makes of KEYS and ARGV, the next one with as many finds them as they should be.
void arguments_are_as_if_new() {
  const std::string look =
      "local t={} for k,v in pairs(KEYS) do t[#t+1]=tostring(k)..v end for k,v in pairs(ARGV) do "
      "t[#t+1]=tostring(k)..v end return {#KEYS,#ARGV,tostring(getmetatable(KEYS)),table.concat(t,' ')}";
  const std::string expected = "*4\r\n:2\r\n:3\r\n$3\r\nnil\r\n$14\r\n1a 2b 1c 2d 3e\r\n";
  const std::vector<std::string> tamperings = {
      "return 1",
      "KEYS[3]='x' KEYS[4]='y' ARGV[5]='z' return #ARGV",
      "KEYS.name='x' ARGV[0]='y' ARGV[-1]='z'",
      "setmetatable(KEYS,{__index=function() return 'x' end}) return KEYS[9]",
      "KEYS[1]=nil KEYS[2]=nil ARGV[2]=nil",
      "for i=1,100 do KEYS[i]=i ARGV[i]=i end for i=1,100 do KEYS[i]=nil ARGV[i]=nil end",
      "setfenv(1,KEYS) x=1",
      "setfenv(0,ARGV) local f=loadstring('y=1') setfenv(f,getfenv(0)) f()",
      "table.remove(KEYS,1) table.insert(ARGV,'x')",
      "setmetatable(ARGV,{__mode='k',__len=function() return 7 end})",
      "local function f() return KEYS,ARGV end KEYS[1]=f ARGV[1]=coroutine.wrap(f)",
      "KEYS[1]=KEYS error(KEYS)",
      "ARGV[2]='\\0' while true do end"};
  Host host;
  for (const std::string &tampering : tamperings) {
    host.stop_after = host.asked + 1;
    host.run(tampering, {"k", "l"}, {"x", "y", "z"});
    host.stop_after = INT64_MAX;
    for (int i = 0; i < 2; i++) check_text(tampering, host.run(look, {"a", "b"}, {"c", "d", "e"}).reply, expected);
    check_text(tampering, host.run("return {#KEYS,#ARGV,KEYS[1]}", {std::string(2000, 'k')}).reply,
               "*3\r\n:1\r\n:0\r\n$2000\r\n" + std::string(2000, 'k') + "\r\n");
  }
  for (int count = 0; count < 20; count++) {
    const std::vector<std::string> many(static_cast<size_t>(count), "k");
    const std::string sizes = ":" + std::to_string(count) + "\r\n";
    check_text("many", host.run("return {#KEYS,#ARGV}", many, many).reply, "*2\r\n" + sizes + sizes);
  }
}

// Blocks of the arena do not overlap, keep what is in them while they change size, and are used again.
void small_blocks_are_kept_apart() {
  script_arena arena;
  CHECK(script_arena_open(&arena, 1 << 14));
  struct Block {
    uint8_t *start;
    size_t size;
    uint8_t fill;
  };
  std::vector<Block> blocks;
  uint32_t random = 1;
  const auto next = [&random](uint32_t below) {
    random = random * 1664525 + 1013904223;
    return (random >> 8) % below;
  };
  size_t taken = 0;
  for (int i = 0; i < 100000; i++) {
    const uint32_t what = next(i < 90000 ? 2 : 3);
    if (what == 0 || blocks.empty()) {
      const size_t size = 1 + next(ARENA_BLOCK_MAX);
      auto *start = static_cast<uint8_t *>(script_arena_take(&arena, size));
      if (start == nullptr) continue;
      CHECK(script_arena_has(&arena, start) && reinterpret_cast<uintptr_t>(start) % ARENA_STEP == 0);
      taken++;
      blocks.push_back({start, size, static_cast<uint8_t>(i)});
      std::memset(start, blocks.back().fill, size);
      continue;
    }
    const size_t place = next(static_cast<uint32_t>(blocks.size()));
    Block &block = blocks[place];
    for (size_t at = 0; at < block.size; at++) CHECK_EQUAL(block.start[at], block.fill);
    if (what == 2) {
      const size_t size = 1 + next(static_cast<uint32_t>(block.size));
      script_arena_trim(&arena, block.start, block.size, size);
      block.size = size;
    } else {
      script_arena_give(&arena, block.start, block.size);
      block = blocks.back();
      blocks.pop_back();
    }
  }
  CHECK(taken > 10000);
  uint8_t other = 0;
  CHECK(!script_arena_has(&arena, &other) && !script_arena_has(&arena, nullptr));
  script_arena_close(&arena);
}

// They differ at their front, in the middle or at their end alone.
void long_strings_are_hashed_whole() {
  for (const size_t place : {size_t{0}, size_t{500}, size_t{995}}) {
    Host host;
    std::vector<std::string> arguments;
    for (int i = 0; i < 900; i++) {
      arguments.emplace_back(1000, 'y');
      arguments.back().replace(place, 3, std::to_string(100 + i));
    }
    CHECK(host.run("return #ARGV", {}, arguments).reply == ":900\r\n");
    CHECK(tests::tests_longest_list(host.script()) <= 16);
    CHECK(host.run("local t = {} for _, a in ipairs(ARGV) do t[a] = true end "
                   "for i = 100, 999 do local s = string.rep('y', 1000) s = s:sub(1, " +
                       std::to_string(place) + ") .. i .. s:sub(" + std::to_string(place + 4) +
                       ") if not t[s] then return i end end return 'all'",
                   {}, arguments)
              .reply == "$3\r\nall\r\n");
  }
}

void garbage_does_not_last() {
  const std::string large(12000000, 'n');
  Host host;
  CHECK(host.reply("return 1") == ":1\r\n");
  const int64_t before = strata_script_memory(host.script());
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"return loadstring('return 1 --' .. ARGV[1])()", {large}},
      {"error(ARGV[1])", {large}},
      {"ARGV[1] = string.rep('x', 12000000)", {"a"}},
      {"KEYS[1] = string.rep('x', 12000000)", {}},
  };
  for (const auto &[body, arguments] : cases) {
    host.run(body, {}, arguments);
    strata_script_trim(host.script());
    CHECK(strata_script_memory(host.script()) < before + (1 << 20));
  }
  // A megabyte may stay until it is asked for.
  host.run("ARGV[1] = string.rep('x', 800000)", {}, {"a"});
  CHECK(strata_script_memory(host.script()) > before + 800000);
  strata_script_collect(host.script());
  CHECK(strata_script_memory(host.script()) < before + (200 << 10));
  CHECK(host.run("return {KEYS[1], ARGV[1], ARGV[2]}", {"k"}, {"a"}).reply == "*2\r\n$1\r\nk\r\n$1\r\na\r\n");
}

}  // namespace

int main(int count, char **arguments) {
  const std::map<std::string, std::function<void()>> all = {
      {"handshake_tells_versions_apart", handshake_tells_versions_apart},
      {"arguments_are_checked", arguments_are_checked},
      {"results_become_resp", results_become_resp},
      {"deep_results_end_in_an_error", deep_results_end_in_an_error},
      {"replies_become_values", replies_become_values},
      {"broken_replies_are_refused", broken_replies_are_refused},
      {"arguments_are_copied", arguments_are_copied},
      {"errors_have_places", errors_have_places},
      {"libraries_are_protected", libraries_are_protected},
      {"nothing_lasts_from_run_to_run", nothing_lasts_from_run_to_run},
      {"errors_of_commands_can_be_caught", errors_of_commands_can_be_caught},
      {"the_host_is_told", the_host_is_told},
      {"a_state_that_runs_is_left_alone", a_state_that_runs_is_left_alone},
      {"precompiled_chunks_are_text", precompiled_chunks_are_text},
      {"libraries_convert", libraries_convert},
      {"arguments_are_as_if_new", arguments_are_as_if_new},
      {"small_blocks_are_kept_apart", small_blocks_are_kept_apart},
      {"long_strings_are_hashed_whole", long_strings_are_hashed_whole},
      {"garbage_does_not_last", garbage_does_not_last},
  };
  CHECK(count == 2 && all.contains(arguments[1]));
  all.at(arguments[1])();
  return EXIT_SUCCESS;
}
