#!/bin/sh
# Builds the programs and leaves them at out/strata-server, which is compiled ahead of time for this machine's
# processor (NativeAOT) and needs no .NET runtime, and out/strata-bench, which uses the installed one. Nothing is done
# for a program whose sources have not changed.
# Usage: ./build.sh [server|bench]   (default: both)
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$root/scripts/setup.sh"
out=$root/out

case ${1:-all} in
  all) programs="server bench" ;;
  server | bench) programs=$1 ;;
  *) fail "usage: ./build.sh [server|bench]" ;;
esac

# digest FOLDER...: changes whenever a file in the folders, or a setting of the whole build, is changed, added or
# removed, with the SDK, and with what the processor can do.
digest() {
  (
    cd "$root"
    {
      printf '%s %s\n' "$sdk_version" "$(uname -m)"
      grep -m 1 -i '^\(flags\|features\)' /proc/cpuinfo || :
      {
        find "$@" scripts build.sh -name bin -prune -o -name obj -prune -o -type f -print0
        find . -maxdepth 1 -type f \( -iname '*.props' -o -iname '*.targets' -o -iname global.json \
          -o -iname nuget.config -o -name .editorconfig \) -print0
      } | LC_ALL=C sort -z | xargs -0 sha256sum
    } | sha256sum | cut -d ' ' -f 1
  )
}

sources_of() {
  case $1 in
    server) echo storage server native ;;
    bench) echo storage server native bench ;;
  esac
}

project_of() {
  case $1 in
    server) echo "$root/server/Strata.Server.csproj" ;;
    bench) echo "$root/bench/Strata.Bench.csproj" ;;
  esac
}

# build_native: the native library, for every program to be installed beside it.
build_native() {
  cmake -S "$root/native" -B "$out/native" -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF 9>&-
  cmake --build "$out/native" --parallel 9>&-
}

# publish PROGRAM DIGEST: builds into a folder of its own and swaps it in whole, so that an interrupted build leaves the
# old program, and one that runs keeps its files.
publish() {
  next=$out/.next/$1
  rm -rf "$next"
  dotnet build "$(project_of "$1")" -c Release -v quiet -nologo 9>&-
  dotnet publish "$(project_of "$1")" -c Release --no-build -v quiet -nologo -p:IlcInstructionSet=native -o "$next" 9>&-
  cmake --install "$out/native" --prefix "$next" 9>&-
  printf '%s\n' "$2" >"$next/.sources"
  rm -rf "${out:?}/$1"
  mv "$next" "$out/$1"
  ln -sfn "$1/strata-$1" "$out/strata-$1"
}

setup_dotnet
setup_tools build
mkdir -p "$out"
if has flock; then
  # One build at a time. Descriptor 9 is closed for what is called below: a compiler server would keep the lock.
  exec 9>"$out/.lock"
  flock 9
fi

native_built=no
for program in $programs; do
  # shellcheck disable=SC2046
  now=$(digest $(sources_of "$program"))
  if [ -x "$out/strata-$program" ] && [ "$(cat "$out/$program/.sources" 2>/dev/null)" = "$now" ]; then
    say "out/strata-$program is up to date."
    continue
  fi
  if [ "$native_built" = no ]; then
    say "Building the native library"
    build_native
    native_built=yes
  fi
  say "Building out/strata-$program"
  publish "$program" "$now"
done
