#!/bin/sh
# Builds the static archives of liburing, libaio and Lua 5.1 and installs them with their headers, for the images whose
# packages have shared libraries only. Needs a C compiler, make and the kernel's headers.
# Usage: static-archives.sh LIBURING.tar.gz LIBAIO.tar.gz LUA.tar.gz PREFIX
set -eu
liburing=$1
libaio=$2
lua=$3
prefix=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/liburing" "$work/libaio" "$work/lua"
tar -xzf "$liburing" -C "$work/liburing" --strip-components=1
tar -xzf "$libaio" -C "$work/libaio" --strip-components=1
tar -xzf "$lua" -C "$work/lua" --strip-components=1

# The archives become part of a shared library: position-independent code.
cd "$work/liburing"
./configure --prefix="$prefix" --includedir="$prefix/include" --libdir="$prefix/lib" --libdevdir="$prefix/lib"
make -C src CFLAGS="-O2 -fPIC" ENABLE_SHARED=0 install

cd "$work/libaio"
make -C src CFLAGS="-O2 -fPIC -fomit-frame-pointer -I." ENABLE_SHARED=0 prefix="$prefix" install

# Lua: all but the programs. 5.1.5 makes too little room for a function with many parameters that is called with few
# (CVE-2014-5461), which distributions mend, too.
cd "$work/lua/src"
sed -i '/^int luaD_precall/,/^}/s/checkstack(L, p->maxstacksize)/checkstack(L, p->maxstacksize + p->numparams)/' ldo.c
grep -q 'p->maxstacksize + p->numparams' ldo.c
for source in *.c; do
  case $source in
    lua.c | luac.c | print.c) ;;
    *) cc -O2 -fPIC -c "$source" ;;
  esac
done
mkdir -p "$prefix/include/lua5.1" "$prefix/lib"
cp lua.h luaconf.h lauxlib.h lualib.h "$prefix/include/lua5.1"
ar rcs "$prefix/lib/liblua5.1.a" ./*.o
