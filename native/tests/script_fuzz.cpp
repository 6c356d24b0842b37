#include "script_fuzz.h"

#include <string>

#include "script_host.h"

namespace tests {

namespace {

// As a library, and as what one registers.
void fuzz_library(const std::string &bytes) {
  static Host host(STRATA_SCRIPT_OF_FUNCTIONS);
  const std::string before = "local d=redis.REDIS_VERSION local function f(k,a) return a[1] end ";
  for (const std::string &body : {bytes, before + "redis.register_function(" + bytes + ",f)",
                                  before + "redis.register_function{function_name=d:sub(1,1),callback=f," + bytes + "}",
                                  before + "redis.register_function('f',function(k,a) " + bytes + " end)"}) {
    host.stop_after = 100;
    const Outcome outcome = host.load(body);
    CHECK(outcome.status != STRATA_SCRIPT_E_ARGUMENT && outcome.status != STRATA_SCRIPT_E_MEMORY);
    for (const Function &function : host.functions) {
      host.asked = 0;
      CHECK(host.call(function.function, {"key"}, {bytes}).status != STRATA_SCRIPT_E_ARGUMENT);
      strata_script_forget(host.script(), function.function);
    }
  }
}

}  // namespace

void fuzz_script(const uint8_t *bytes, size_t length) {
  static Host host;
  static const std::string body =
      "local a=ARGV[1] local n=math.floor(#a/2) local p,s=a:sub(1,n),a:sub(n+1) "
      "local function try(f,...) local ok,v=pcall(f,...) if ok then pcall(cjson.encode,v) pcall(cmsgpack.pack,v) end "
      "end "
      "try(cjson.decode,a) try(cmsgpack.unpack,a) try(cmsgpack.unpack_limit,a,1,n) try(struct.unpack,p,s) "
      "try(struct.pack,p,n,s,n,s) try(struct.size,a) try(string.find,s,p) try(string.gsub,s,p,'%1') "
      "try(string.gsub,s,'.',p) try(string.gmatch(s,p)) try(string.format,p,s,n) try(cjson.encode,a) "
      "try(loadstring,a) try(redis.call,'resp',a) redis.setresp(3) try(redis.call,'resp',a) return {a,{ok=a},{err=a}}";
  host.stop_after = 100;
  const Outcome outcome = host.run(body, {}, {std::string(reinterpret_cast<const char *>(bytes), length)});
  CHECK(outcome.status == STRATA_SCRIPT_OK || outcome.status == STRATA_SCRIPT_E_STOPPED);
  fuzz_library(std::string(reinterpret_cast<const char *>(bytes), length));
}

}  // namespace tests

#if defined(STRATA_LIBFUZZER)
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
  tests::fuzz_script(bytes, length);
  return 0;
}
#endif
