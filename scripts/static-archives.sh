#!/bin/sh
# Builds the static archives of liburing and libaio and installs them with their headers, for the images whose packages
# have shared libraries only. Needs a C compiler, make and the kernel's headers.
# Usage: static-archives.sh LIBURING.tar.gz LIBAIO.tar.gz PREFIX
set -eu
liburing=$1
libaio=$2
prefix=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/liburing" "$work/libaio"
tar -xzf "$liburing" -C "$work/liburing" --strip-components=1
tar -xzf "$libaio" -C "$work/libaio" --strip-components=1

# The archives become part of a shared library: position-independent code.
cd "$work/liburing"
./configure --prefix="$prefix" --includedir="$prefix/include" --libdir="$prefix/lib" --libdevdir="$prefix/lib"
make -C src CFLAGS="-O2 -fPIC" ENABLE_SHARED=0 install

cd "$work/libaio"
make -C src CFLAGS="-O2 -fPIC -fomit-frame-pointer -I." ENABLE_SHARED=0 prefix="$prefix" install
