#!/bin/sh
# Runs a package manager's install command, as root, without questions and without a side effect nobody asked for:
# Debian's redis-server package would start a Redis on port 6379 and at every boot, where Strata is about to listen.
# Usage: install-quietly.sh apt-get|dnf|apk ARGUMENTS...
set -eu

if [ "$1" != apt-get ]; then
  exec "$@"
fi

export DEBIAN_FRONTEND=noninteractive
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  trap 'exit 130' INT TERM
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
fi
had_redis=no
[ -e /usr/bin/redis-server ] && had_redis=yes

apt-get update -qq || echo "apt-get update failed; trying with the package lists at hand." >&2
"$@"

if [ "$had_redis" = no ] && [ -e /usr/bin/redis-server ] && command -v systemctl >/dev/null 2>&1; then
  systemctl disable --quiet redis-server ||
    echo "The redis-server service could not be disabled: it will start at boot." >&2
fi
