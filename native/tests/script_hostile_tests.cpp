// Scripts that mean harm: they are stopped or refused, and the state is as good as before.
#include <sys/resource.h>

#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "script_fuzz.h"
#include "script_host.h"

namespace {

using tests::Host;
using tests::Outcome;

void check_usable(Host *host) {
  host->stop_after = INT64_MAX;
  CHECK(host->reply("local t={} for i=1,100 do t[i]=i..'' end return cjson.encode({a=#t})") == "$9\r\n{\"a\":100}\r\n");
}

void stops_cannot_be_caught() {
  Host host;
  for (const std::string body :
       {"while true do end",
        "while true do pcall(function() while true do end end) end",
        "while true do xpcall(function() while true do end end, function() while true do end end) end",
        "xpcall(function() error('x') end, function() while true do end end)",
        "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
        "local co=coroutine.wrap(function() while true do pcall(function() while true do end end) end end) "
        "while true do pcall(co) end",
        "while true do coroutine.wrap(function() for i=1,90000 do end end)() end",
        "while true do load(function() while true do end end) end",
        "load(function() return 'x=1 ' end)",
        "table.foreach({1},function() while true do end end)",
        "('x'):gsub('x',function() while true do end end)",
        "table.sort({1,2,3},function() while true do end end)",
        "setmetatable({},{__index=function() while true do end end}).x=setmetatable({},{__index=function() while true "
        "do end end}).y",
        "string.find(string.rep('a',200),string.rep('a*',60)..'b')",
        "string.find(string.rep('a',30000),'.-.-.-b')",
        "string.gsub(string.rep('a',100000),'%f['..string.rep('b',100000)..']','x')",
        "for i=1,1e6 do string.match(string.rep('(',100000),'%b()') end",
        "while true do string.rep('x',2^22):find('y',1,true) end",
        "local s=string.rep('a',2^22) while true do local b=s<(s..'b') end",
        "local t={} for i=1,100000 do t[i]=i%7 end table.sort(t,rawequal)",
        "table.insert({},-2147483648,1)",
        "while true do redis.sha1hex(string.rep('x',1e5)) end",
        "while true do collectgarbage() end",
        "while true do pcall(redis.call,'wrong') end"}) {
    host.stop_after = 3;
    const Outcome outcome = host.run(body);
    if (outcome.status != STRATA_SCRIPT_E_STOPPED) std::fprintf(stderr, "%s: %d\n", body.c_str(), outcome.status);
    CHECK_EQUAL(outcome.status, STRATA_SCRIPT_E_STOPPED);
    CHECK_EQUAL(host.asked, 4);
    check_usable(&host);
  }
}

// Functions of C, and single instructions, that work on much at a time: the host is asked as often as for Lua's own.
// What makes a table is asked for the oftener the slower it goes: it does not count.
void all_work_is_counted() {
  Host host;
  const std::string text = "local s=string.rep('x',2^20) ";
  const std::string blanks = "local s=string.rep(' ',2^20)..'1' ";
  const std::string table = "local t={} for i=1,2^20 do t[i]='' end redis.call('mark') ";
  const std::string gap = table + "for i=1,2^20 do t[i]=nil end redis.call('mark') ";
  for (const std::string &body : {text + "for i=1,100 do s=s:reverse() end",
                                  text + "for i=1,100 do s=s:rep(1) end",
                                  text + "local t=s..'y' for i=1,100 do local u=s..'y' end",
                                  text + "for i=1,100 do local u=s:sub(2) end",
                                  text + "for i=1,100 do local u=('y'):find(s) end",
                                  text + "for i=1,100 do local u=('y'):gsub('y',s) end",
                                  text + "for i=1,100 do local u=s:format() end",
                                  text + "for i=1,100 do pcall(struct.size,s) end",
                                  text + "for i=1,100 do pcall(error,s) end",
                                  text + "for i=1,100 do redis.log(0,s) end",
                                  text + "for i=1,100 do redis.pcall('get',s) end",
                                  text + "for i=1,100 do cjson.encode(s) end",
                                  text + "for i=1,100 do loadstring('x',s) end",
                                  text + "redis.sha1hex(s:rep(8))",
                                  text + "s=s:rep(100) s:find('y',1,true)",
                                  blanks + "for i=1,100 do tonumber(s) end",
                                  blanks + "for i=1,100 do tonumber(s,16) end",
                                  blanks + "for i=1,100 do local u=s+1 end",
                                  blanks + "for i=1,100 do pcall(cjson.decode,s) end",
                                  table + "for i=1,20 do table.concat(t) end",
                                  table + "for i=1,20 do table.maxn(t) end",
                                  gap + "for i=1,20 do next(t) end",
                                  gap + "for i=1,20 do cmsgpack.pack(t) end",
                                  gap + "for i=1,20 do table.foreach(t,type) end"}) {
    const Outcome outcome = host.run(body);
    CHECK_EQUAL(outcome.status, STRATA_SCRIPT_OK);
    if (host.asked < 10) std::fprintf(stderr, "%s: %d\n", body.c_str(), static_cast<int>(host.asked));
    CHECK(host.asked >= 10);
  }
}

// What a function has begun to write when it raises an error does not stay.
void errors_leave_nothing() {
  Host host;
  host.memory_limit = 64 << 20;
  CHECK(host.reply("local s=string.rep('x',2^20) for i=1,200 do pcall(string.gsub,s,'x$',function() error('e') end) "
                   "end return 1") == ":1\r\n");
  CHECK(host.reply("local s=string.rep('x',2^20) for i=1,200 do coroutine.resume(coroutine.create(function() "
                   "s:gsub('x$',function() error('e') end) end)) end return 1") == ":1\r\n");
}

// What was handed out is kept until it was read, and no longer.
void long_results_can_be_freed() {
  Host host;
  check_usable(&host);
  const int64_t before = strata_script_memory(host.script());
  for (const std::string body : {"return string.rep('x',2^24)", "return redis.error_reply(string.rep('x',2^24))",
                                 "error(string.rep('x',2^24))"}) {
    const Outcome outcome = host.run(body);
    CHECK(outcome.reply.size() + outcome.text.size() >= 1 << 24);
    strata_script_trim(host.script());
    check_usable(&host);
    CHECK(strata_script_memory(host.script()) < before + (1 << 20));
  }
  strata_script_trim(nullptr);
  host.memory_limit = 64 << 20;
  CHECK_EQUAL(host.run("local t={} for i=1,10 do t[i]=t end return t").status, STRATA_SCRIPT_E_MEMORY);
  CHECK(strata_script_memory(host.script()) < before + (1 << 20));
}

void a_command_can_stop() {
  Host host;
  for (const std::string body :
       {"redis.call('stop')", "pcall(redis.call,'stop') return 1", "redis.pcall('stop') return 1",
        "coroutine.resume(coroutine.create(function() redis.call('stop') end)) return 1",
        "xpcall(function() redis.call('stop') end,function() while true do end end)"}) {
    const Outcome outcome = host.run("\n" + body);
    CHECK_EQUAL(outcome.status, STRATA_SCRIPT_E_STOPPED);
    CHECK(outcome.source == "@user_script" && outcome.line == 2);
    check_usable(&host);
  }
}

void finalizers_do_not_run() {
  Host host;
  CHECK(host.reply("local p=newproxy(true) getmetatable(p).__gc=function() while true do end end p=nil "
                   "collectgarbage() return 1") == ":1\r\n");
}

void memory_is_refused_and_comes_back() {
  Host host;
  host.memory_limit = 64 << 20;
  check_usable(&host);
  const int64_t before = strata_script_memory(host.script());
  for (const std::string body :
       {"local t={} for i=1,1e9 do t[i]={} end", "local s='x' while true do s=s..s end",
        "local t={} while true do t={t} end", "string.rep('x',2^31-1)", "string.rep('abcdefghij',2^31-1)",
        "cjson.encode(string.rep('\"',2^25))", "local t={} for i=1,1e9 do t[i]='k'..i end",
        "local t={} for i=1,1e8 do t[#t+1]=coroutine.create(function() end) end", "redis.log(1,string.rep('x',2^26))",
        "local s=string.rep('x',2^25-1000) redis.call('echo',s,s,s)"}) {
    const Outcome outcome = host.run(body);
    if (outcome.status != STRATA_SCRIPT_E_MEMORY) std::fprintf(stderr, "%s: %d\n", body.c_str(), outcome.status);
    CHECK_EQUAL(outcome.status, STRATA_SCRIPT_E_MEMORY);
    CHECK(outcome.text == "not enough memory" && outcome.wants_name);
    check_usable(&host);
    if (strata_script_memory(host.script()) >= before + (1 << 20)) std::fprintf(stderr, "%s\n", body.c_str());
    CHECK(strata_script_memory(host.script()) < before + (1 << 20));
    CHECK(host.charged < before + (2 << 20));
  }
  host.memory_limit = 512 << 20; /* the largest string does not take all of it */
  CHECK_EQUAL(host.run("local s='x' while true do s=s..s end").status, STRATA_SCRIPT_E_MEMORY);
  CHECK(host.charged < before + (2 << 20));
  CHECK(host.reply("local ok,e=pcall(string.rep,'x',2^30) return e") == "$17\r\nnot enough memory\r\n");
}

// Every allocation of a script fails once: an error, and the state goes on.
void any_allocation_may_fail() {
  Host host;
  const std::string body =
      "local t={} for i=1,40 do t[i]={i,tostring(i)..ARGV[1]} end local s=cjson.encode(t) t=cjson.decode(s) "
      "s=cmsgpack.pack(t) t=cmsgpack.unpack(s) s=struct.pack('>I4s',5,s) s=s:gsub('%d',function(d) return d..d end) "
      "local e=redis.pcall('wrong') redis.call('echo',s) local co=coroutine.wrap(function() coroutine.yield(1) end) "
      "co() "
      "pcall(error,'x') local f=loadstring('return {1,2}') table.sort(t,function(a,b) return a[1]>b[1] end) "
      "return {t,f(),{map={a=1}},e}";
  int failed = 0;
  for (int64_t n = 0;; n++) {
    tests::tests_fail_allocations(host.script(), n);
    const Outcome outcome = host.run(body, {"key"}, {"argument"}, 3);
    const bool is_done = tests::tests_allocations_left(host.script()) > 0;
    tests::tests_fail_allocations(host.script(), -1);
    if (is_done) break;
    failed += outcome.status == STRATA_SCRIPT_E_MEMORY;
    CHECK(outcome.status == STRATA_SCRIPT_OK || outcome.status == STRATA_SCRIPT_E_MEMORY ||
          outcome.status == STRATA_SCRIPT_E_RAISED);
    CHECK(host.reply("return #KEYS") == ":0\r\n");
    CHECK(host.run("x=1").status == STRATA_SCRIPT_E_RAISED);
  }
  CHECK(failed > 100);
  check_usable(&host);
}

void opening_without_memory_fails() {
  Host host;
  host.close();
  CHECK_EQUAL(host.charged, 0);
  host.memory_limit = 0;
  CHECK_EQUAL(host.open(), STRATA_SCRIPT_E_MEMORY);
  CHECK_EQUAL(host.charged, 0);
  host.memory_limit = 300 << 10;
  CHECK_EQUAL(host.open(), STRATA_SCRIPT_OK);
  CHECK(strata_script_memory(host.script()) <= 300 << 10);
}

// On the stack that a thread of the server's may have where it is smallest; sanitizers need more for each frame.
void deep_recursion_is_an_error() {
  Host host;
  for (const std::string body :
       {"local function f() return f()+1 end f()",
        "local function f() local a=setmetatable({},{__index=function() "
        "return f() end}) return a.x end f()",
        "local f f=function() return (('x'):gsub('x',f)) end f()",
        "local t={} for i=1,2000 do t={t} end cjson.encode(t)",
        "cjson.encode_max_depth(1e9) local t={} t[1]=t cjson.encode(t)",
        "cjson.decode_max_depth(1e9) cjson.decode(string.rep('[',1e6))", "cmsgpack.unpack(string.rep('\\145',1e6))",
        "cmsgpack.unpack(string.rep('\\129',1e6))", "cmsgpack.unpack(string.rep('\\1',1e6))",
        "return string.find(string.rep('a',2000),string.rep('a?',2000))", "assert(loadstring(string.rep('(',1e5)))",
        "assert(loadstring('return '..string.rep('{',1e5)))",
        "assert(loadstring('return '..string.rep('not ',1e5)..'1'))",
        "local function f(...) return unpack({...},-1e9,1e9) end f(1)", "unpack({},-2147483648,2147483647)"}) {
    const Outcome outcome = host.run(body);
    if (outcome.status != STRATA_SCRIPT_E_RAISED) std::fprintf(stderr, "%s: %d\n", body.c_str(), outcome.status);
    CHECK_EQUAL(outcome.status, STRATA_SCRIPT_E_RAISED);
    check_usable(&host);
  }
}

// Seeded: the same bytes each time.
void random_bytes_do_no_harm() {
  std::mt19937 random(20240607);
  static const char alphabet[] = "{}[]:,\"\\u0123456789abcdefntrls-+.eE%()*?$^\n";
  for (int round = 0; round < 4000; round++) {
    std::string bytes(random() % 64, '\0');
    const bool is_text = random() % 2 == 0;
    for (char &byte : bytes) {
      byte = is_text ? alphabet[random() % (sizeof(alphabet) - 1)] : static_cast<char>(random() & 0xFF);
    }
    tests::fuzz_script(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  }
}

// What packs unpacks to the same.
void random_values_come_back() {
  Host host;
  for (int seed = 1; seed <= 200; seed++) {
    const std::string body =
        "math.randomseed(" + std::to_string(seed) +
        ") local r=math.random local function v(d) local k=r(7) if k==1 then return r(-2^31,2^31-1) elseif k==2 then "
        "return (r()-0.5)*2^r(0,60) elseif k==3 then local t={} for i=1,r(0,40) do t[i]=string.char(r(0,255)) end "
        "return table.concat(t) elseif k==4 then return r(2)==1 elseif d>4 then return 0 else local t={} for "
        "i=1,r(0,20) "
        "do if k==5 then t[i]=v(d+1) else t['k'..r(100)]=v(d+1) end end return t end end "
        "local function same(a,b,e) if type(a)~=type(b) then return false end if type(a)=='number' then return "
        "math.abs(a-b)<=e*math.abs(a) end if type(a)~='table' then return a==b end for k,x in pairs(a) do if not "
        "same(x,b[k],e) then return false end end for k in pairs(b) do if a[k]==nil then return false end end return "
        "true "
        "end local x={v(1)} local n=r(-2^31,2^31-1) return {same(x,cmsgpack.unpack(cmsgpack.pack(x)),0),"
        "same(x,cjson.decode(cjson.encode(x)),1e-13),struct.unpack('>i4',struct.pack('>i4',n))==n,"
        "bit.bxor(bit.bxor(n,77),77)==bit.tobit(n),bit.bnot(bit.bnot(n))==n}";
    const std::string expected = "*5\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n";
    const std::string reply = host.reply(body);
    if (reply != expected) std::fprintf(stderr, "seed %d: %s\n", seed, reply.c_str());
    CHECK(reply == expected);
  }
}

}  // namespace

int main(int count, char **arguments) {
  const std::map<std::string, std::function<void()>> all = {
      {"stops_cannot_be_caught", stops_cannot_be_caught},
      {"all_work_is_counted", all_work_is_counted},
      {"errors_leave_nothing", errors_leave_nothing},
      {"long_results_can_be_freed", long_results_can_be_freed},
      {"a_command_can_stop", a_command_can_stop},
      {"finalizers_do_not_run", finalizers_do_not_run},
      {"memory_is_refused_and_comes_back", memory_is_refused_and_comes_back},
      {"any_allocation_may_fail", any_allocation_may_fail},
      {"opening_without_memory_fails", opening_without_memory_fails},
      {"deep_recursion_is_an_error", deep_recursion_is_an_error},
      {"random_bytes_do_no_harm", random_bytes_do_no_harm},
      {"random_values_come_back", random_values_come_back},
  };
  CHECK(count == 2 && all.contains(arguments[1]));
  all.at(arguments[1])();
  return EXIT_SUCCESS;
}
