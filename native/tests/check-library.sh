#!/bin/sh
# Checks that a built library needs neither liburing, libaio nor Lua, is loaded without a write to its code, and exports
# nothing but the interface.
# Usage: check-library.sh LIBRARY
set -eu
command -v readelf >/dev/null 2>&1 || {
  echo "readelf is not here"
  exit 77
}

needed=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p')
for library in $needed; do
  case $library in
    liburing* | libaio* | liblua*) echo "$1 needs $library" && exit 1 ;;
  esac
done

if readelf -d "$1" | grep -q TEXTREL; then
  echo "$1 has relocations in its code"
  exit 1
fi

exported=$(readelf -W --dyn-syms "$1" | awk '$4 == "FUNC" && $7 != "UND" { print $8 }' | sed 's/@.*//' | LC_ALL=C sort)
[ -n "$exported" ]
for name in $exported; do
  case $name in
    strata_*) ;;
    *) echo "$1 exports $name" && exit 1 ;;
  esac
done
