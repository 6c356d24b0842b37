#!/bin/bash
# The container's health check: 0 when the server answers a PING on its port within two seconds, or asks for a password.
# The port is found as the server finds it: flag, environment, conf file, 6379.
# Usage: healthcheck.sh [pid of the server; by default 1, which it is in its container]
# The runtime image has no redis-cli; it has bash, whose /dev/tcp is all that a PING needs.
set -eu

value_of_flag() { # name: what follows --name among the server's arguments
  local i
  for ((i = ${#arguments[@]} - 1; i > 0; i--)); do
    case ${arguments[i]} in
      "--$1") printf '%s' "${arguments[i + 1]-}"; return ;;
      "--$1="*) printf '%s' "${arguments[i]#*=}"; return ;;
    esac
  done
}

port_of_conf() { # file: the value of its last port line
  local key value port=
  while read -r key value _ || [ -n "$key" ]; do
    if [ "${key,,}" = port ]; then
      port=${value//[\"\']/}
    fi
  done < "$1"
  printf '%s' "$port"
}

mapfile -d '' -t arguments < "/proc/${1:-1}/cmdline"
port=$(value_of_flag port)
port=${port:-${STRATA_PORT:-}}
conf=$(value_of_flag conf)
if [ -z "$port" ] && [ -n "$conf" ] && [ -r "$conf" ]; then
  port=$(port_of_conf "$conf")
fi

exec 3<>"/dev/tcp/127.0.0.1/${port:-6379}"
printf 'PING\r\n' >&3
if ! IFS= read -r -t 2 reply <&3; then
  echo "The server took the connection and did not answer a PING."
  exit 1
fi
case $reply in
  +PONG* | -NOAUTH*) ;;
  *)
    printf 'The server answered a PING with: %s\n' "$reply"
    exit 1
    ;;
esac
