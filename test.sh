#!/bin/sh
# Sets the machine up, builds and runs every test: the native ones (CTest, under sanitizers) and the .NET ones.
# Usage: ./test.sh [fast] [FILTER]
#   fast     leaves out the tests of the category Long: what takes many seconds by itself
#   FILTER   only tests with FILTER in their full name
# The last line is "N passed, N failed, N skipped"; a run that crashes, hangs or finds no test is a failure.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$root/scripts/setup.sh"
out=$root/out
results=$out/test-results
left_out=
if [ "${1:-}" = fast ]; then
  left_out=Long
  shift
fi
filter=${1:-}
passed=0
failed=0
skipped=0

# attribute NAME: its number in the XML element on standard input, 0 where it isn't there.
attribute() {
  number=$(sed -n "s/.*[[:space:]]$1=\"\([0-9]*\)\".*/\1/p")
  echo "${number:-0}"
}

# count STATUS PASSED FAILED SKIPPED WHAT: adds a run's numbers. One that ended badly or left no report, and names no
# test that failed, counts as one failure.
count() {
  passed=$((passed + $2))
  failed=$((failed + $3))
  skipped=$((skipped + $4))
  if [ "$1" -ne 0 ] && [ "$3" -eq 0 ]; then
    say "The $5 tests did not build, crashed or hung (see above): counted as one failure."
    failed=$((failed + 1))
  fi
}

run_native_tests() {
  build=$out/native-tests
  report=$results/native.xml
  if ! cmake -S "$root/native" -B "$build" -DCMAKE_BUILD_TYPE=Debug -DSTRATA_SANITIZE=ON ||
    ! cmake --build "$build" --parallel; then
    count 1 0 0 0 native
    return 0
  fi
  set -- --test-dir "$build" --output-on-failure --parallel 4 --timeout 300 --output-junit "$report"
  [ -z "$filter" ] || set -- "$@" -R "$filter"
  status=0
  ctest "$@" </dev/null || status=$?
  if [ ! -f "$report" ]; then
    count 1 0 0 0 native
    return 0
  fi

  suite=$(tr '\n\t' '  ' <"$report" | sed 's/<testcase.*//')
  total=$(echo "$suite" | attribute tests)
  bad=$(echo "$suite" | attribute failures)
  not_run=$(($(echo "$suite" | attribute skipped) + $(echo "$suite" | attribute disabled)))
  count "$status" $((total - bad - not_run)) "$bad" "$not_run" native
  awk '
    /<testcase / { name = $0; sub(/.*<testcase name="/, "", name); sub(/".*/, "", name); skipped = /status="disabled"/ }
    /<skipped / { skipped = 1 }
    skipped && /<system-out>/ { sub(/.*<system-out>/, ""); sub(/<.*/, ""); print "Skipped " name ": " $0; skipped = 0 }
  ' "$report" | plain_text
}

run_dotnet_tests() {
  report=$results/dotnet.trx
  project=$root/tests/Strata.Tests.csproj
  say "Building the tests"
  if ! dotnet build "$project" -c Release -v quiet -nologo </dev/null; then
    count 1 0 0 0 .NET
    return 0
  fi

  set -- "$project" -c Release --no-build --results-directory "$results" \
    --logger "trx;LogFileName=dotnet.trx" --blame-hang-timeout 15m --blame-hang-dump-type none
  chosen=${filter:+FullyQualifiedName~$filter}${filter:+${left_out:+&}}${left_out:+TestCategory!=$left_out}
  [ -z "$chosen" ] || set -- "$@" --filter "$chosen"
  status=0
  dotnet test "$@" </dev/null || status=$?
  counters=$(grep -m 1 '<Counters ' "$report") || status=1
  total=$(echo "$counters" | attribute total)
  good=$(echo "$counters" | attribute passed)
  bad=$(echo "$counters" | attribute failed)
  count "$status" "$good" "$bad" $((total - good - bad)) .NET
  awk '
    /<UnitTestResult / {
      skipped = /outcome="NotExecuted"/
      name = $0; sub(/.* testName="/, "", name); sub(/".*/, "", name)
    }
    skipped && /<Message>/ { sub(/.*<Message> */, ""); sub(/<.*/, ""); print "Skipped " name ": " $0; skipped = 0 }
  ' "$report" | plain_text
}

# plain_text: XML's entities as the characters they stand for.
plain_text() {
  sed -e 's/&lt;/</g' -e 's/&gt;/>/g' -e 's/&quot;/"/g' -e 's/&#x[Dd];//g' -e 's/&amp;/\&/g'
}

setup_dotnet
setup_tools test
"$root/build.sh"
rm -rf "$results"
mkdir -p "$results"

run_native_tests
run_dotnet_tests
if [ $((passed + failed)) -eq 0 ]; then
  say "No test ran${filter:+ with \"$filter\" in its name}." >&2
fi
say "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
