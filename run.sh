#!/bin/sh
# Sets the machine up, builds what has changed and starts the server.
# Data is kept in data/, unless the flags name another --dir.
# Usage: ./run.sh [CONF | --conf FILE] [flags]   (default: conf/strata.conf; every flag goes on to the server)
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$root/scripts/setup.sh"

setup_dotnet
"$root/build.sh"

conf_given=no
dir_given=no
case ${1:-} in
  '' | -*) ;;
  *) conf_given=yes ;;
esac
for argument in "$@"; do
  case $argument in
    --conf | --conf=*) conf_given=yes ;;
    --dir | --dir=*) dir_given=yes ;;
  esac
done
[ "$conf_given" = yes ] || set -- --conf "$root/conf/strata.conf" "$@"

# What a conf file of the caller's says of its folder stands.
if [ "$conf_given$dir_given" = nono ]; then
  mkdir -p "$root/data"
  set -- "$@" --dir "$root/data"
fi

exec "$root/out/strata-server" "$@"
